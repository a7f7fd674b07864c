"""Texts for the tests of the syntax: files that parse, and texts derived from the grammar."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
from lark.grammar import Rule, Terminal
from lark.lexer import PatternStr

from cwkc.diagnostics import Diagnostic
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.grammar import grammar
from cwkc.syntax.parser import parse

ROOT = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("examples", "stdlib", "tests/corpus/good", "tests/corpus/layout")
    for path in (ROOT / folder).rglob("*.cwk")
)

# What a terminal that is no fixed word may look like.
SAMPLES = {
    "NAME": ["a", "b2", "ticket_id", "_x"],
    "REF": ["@TK-301", '@"orders.csv"'],
    "LITERAL": ["3", "0.25", "1_000", "2026-03-14", "2026-03-14T09:00:00Z", "48h", "3d"],
    "STRING": ['"text"', '""', '"a \\"b\\" \\u00e9"', '"""\n  long\n    "text"\n"""'],
    "INTERPOLATED": ['$"a {b.c} {{d}}"', '$"""\n  {a}\n"""'],
}


def read(text: str) -> tuple[tree.Module, list[str]]:
    """A file's tree and the codes of its diagnostics."""
    module, diagnostics = parse(Source("file.cwk", text))
    return module, [each.code for each in diagnostics]


def diagnosed(text: str) -> list[Diagnostic]:
    return list(parse(Source("file.cwk", text))[1])


def item(text: str) -> Any:
    """The one item of a file without mistakes."""
    module, codes = read(f"cwk 1\n{text}")
    assert codes == []
    assert len(module.items) == 1
    return module.items[0]


def expression(text: str) -> Any:
    """The expression that the text is."""
    return item(f"task t {{ given {text}\n}}").items[0].value


def children(node: tree.Node) -> list[tree.Node]:
    found: list[tree.Node] = []
    for each in attrs.fields(type(node)):
        value = getattr(node, each.name)
        found += [child for child in (value if isinstance(value, tuple) else (value,)) if isinstance(child, tree.Node)]
    return found


def derive(random: Random, height: int = 24) -> str:
    """A file that the grammar derives: at random, but in no more than about `height` steps from top to bottom."""
    return " ".join(derived(random, height))


def derived(random: Random, height: int = 24, symbol: str = "start") -> list[str]:
    """The words of such a file, or of what another symbol of the grammar derives."""
    words: list[str] = []
    waiting: list[tuple[str, int]] = [(symbol, height)]
    while waiting:
        symbol, left = waiting.pop()
        if symbol not in _rules():
            words.append(_written(symbol, random))
            continue
        allowed = [rule for rule in _rules()[symbol] if _height(rule) <= left]
        rule = random.choice(allowed or [min(_rules()[symbol], key=_height)])
        waiting += [(part.name, left - 1) for part in reversed(rule.expansion)]
    return words


def _written(terminal: str, random: Random) -> str:
    pattern = grammar().get_terminal(terminal).pattern
    return pattern.value if isinstance(pattern, PatternStr) else random.choice(SAMPLES[terminal])


@cache
def _rules() -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in grammar().rules:
        found.setdefault(rule.origin.name, []).append(rule)
    return found


def _height(rule: Rule) -> int:
    return 1 + max(
        (_heights().get(part.name, 99) for part in rule.expansion if not isinstance(part, Terminal)), default=0
    )


@cache
def _heights() -> dict[str, int]:
    """The least number of steps from each rule down to words."""
    known: dict[str, int] = {}
    while True:
        found = {
            name: 1
            + min(
                max((known.get(part.name, 99) for part in rule.expansion if not isinstance(part, Terminal)), default=0)
                for rule in rules
            )
            for name, rules in _rules().items()
        }
        if found == known:
            return known
        known = found
