"""What emitted modules say: their code, and a grader's truths and rules. They are read and never run."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from coworkdsl.tagged import from_tagged
from coworkdsl.values import decimal_text, in_words

_TRUTH = re.compile(r"# let (\w+) \(.*:\d+\)$")
_TABLES = {"CHECKS": "checks", "JUDGES": "judges", "REQUIREMENTS": "requirements", "FORBIDS": "forbids"}


def code(module: str) -> str:
    """A module without what changes when a line of its source is moved: its banner, comments and places."""
    tree = ast.parse(module)
    del tree.body[0]
    return re.sub(r", place='[^']*'", "", ast.unparse(tree))


def truths(grader: str, holes: Mapping[str, Any]) -> dict[str, str]:
    """Each truth with its value, by name. `holes`: the values that a family's first member has in its grader."""
    lines = grader.splitlines()
    found: dict[str, str] = {}
    for node in ast.parse(grader).body:
        if isinstance(node, ast.Assign):
            remark = _TRUTH.search(lines[node.end_lineno - 1] if node.end_lineno else "")
            remark = remark or _TRUTH.match(lines[node.lineno - 2])
            if remark:
                found[remark[1]] = f"{remark[1]} = {_value(node.value, holes)}"
    return found


def rules(grader: str) -> Mapping[str, Mapping[str, str]]:
    """The checks, judges, requirements and forbids, each by its label, as their author wrote them; and the reward."""
    lines = grader.splitlines()
    body = ast.parse(grader).body
    origins = {node.name: _comment_above(lines, node.lineno) for node in body if isinstance(node, ast.FunctionDef)}
    found = {part: dict[str, str]() for part in _TABLES.values()}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=table)], value=ast.Tuple(elts=rows)) if table in _TABLES:
                found[_TABLES[table]] = dict(_distinct(_rule(row, origins) for row in rows))
    reward = {"": _without_place(origins["reward"])} if "reward" in origins else {}
    return {**found, "reward": reward}


def _comment_above(lines: list[str], line: int) -> str:
    """The comment that ends above a line (from 1), as one line."""
    first = line - 1
    while first and lines[first - 1].startswith("# "):
        first -= 1
    return " ".join(each[2:] for each in lines[first : line - 1])


def _rule(row: ast.expr, origins: Mapping[str, str]) -> tuple[str, str]:
    """The label of a rule, and its text: of a judge its weight and its rubric."""
    assert isinstance(row, ast.Call), "the emitted tables hold calls"
    words = {word.arg: word.value for word in row.keywords}
    label = str(ast.literal_eval(row.args[0]))
    if isinstance(test := words.get("test"), ast.Name):
        return label, _without_place(origins[test.id])
    return label, f"judge {_value(words['weight'])} {json.dumps(label)} {_value(words['text'])}"


def _without_place(origin: str) -> str:
    """`file:line: text` without the place."""
    return re.sub(r"^.*?:\d+: ", "", origin, count=1)


def _distinct(rules: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Labels that are given twice are numbered."""
    seen: dict[str, int] = {}
    for label, text in rules:
        seen[label] = seen.get(label, 0) + 1
        yield (label if seen[label] == 1 else f"{label} ({seen[label]})"), text


def _value(node: ast.expr, holes: Mapping[str, Any] = MappingProxyType({})) -> str:
    """A constant of an emitted module, as a reader expects it."""
    match node:
        case ast.Subscript(value=ast.Name(id="HOLES"), slice=ast.Constant(value=name)):
            return _written(from_tagged(holes[str(name)]))
        case ast.Constant(value=value):
            return json.dumps(value, ensure_ascii=False)
        case ast.Tuple(elts=items):
            return f"[{', '.join(map(_value, items))}]"
        case ast.Dict(keys=keys, values=values):
            pairs = (f"{_value(key)}: {_value(value)}" for key, value in zip(keys, values, strict=True) if key)
            return f"{{{', '.join(pairs)}}}"
        case ast.Call(func=ast.Attribute(attr="Fraction"), args=parts):
            return decimal_text(Fraction(*map(ast.literal_eval, parts)))
        case ast.Call(args=[ast.Constant(value=str(text))]):
            return text
    return ast.unparse(node)


def _written(value: Any) -> str:
    """A value of a hole, as `_value` writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)}: {_written(each)}' for key, each in value.items())}}}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool | int | None) else in_words(value)
