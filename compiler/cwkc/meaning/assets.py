"""Assets: files that go with a task, and what can be learned from them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from attrs import evolve

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import value_of
from cwkc.meaning.expressions import infer
from cwkc.meaning.modules import Scope
from cwkc.meaning.names import Names, Stage, TruthName
from cwkc.meaning.types import ERROR, NULL
from cwkc.syntax import tree

ReadFile = Callable[[str], bytes | None]
"""The content of a file by its path; None where there is none."""

Facts = dict[str, typed.TruthDef]


def check_assets(
    nodes: Iterable[tuple[tree.Asset, Scope]], names: Names, read_file: ReadFile
) -> tuple[tuple[typed.AssetDef, ...], Facts, Names]:
    """The assets, their facts by name, and the scope in which the facts are known: as truths that nobody worked out."""
    assets: dict[str, typed.AssetDef] = {}
    facts: Facts = {}
    for node, scope in nodes:
        name = posixpath.basename(node.path.value)
        if name in assets:
            first = Label(assets[name].span, "first written here")
            names.sink.append(report("E262", node.path.span, kind="asset", name=name, related=(first,)))
            continue
        content = _content(node, scope, names, read_file)
        known = []
        for fact in node.facts:
            names = _with_fact(fact, facts, names)
            known.append(fact.name.text)
        assets[name] = typed.AssetDef(name, content, tuple(known), span=node.path.span)
    return tuple(assets.values()), facts, names


def _content(node: tree.Asset, scope: Scope, names: Names, read_file: ReadFile) -> bytes:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(scope.unit.key), node.path.value))
    content = read_file(path) if "\\" not in path else None
    if content is None:
        help = f"looked for `{path}`; the path is taken from the folder of this file"
        names.sink.append(report("E287", node.path.span, path=node.path.value, help=help))
    return content or b""


def _with_fact(node: tree.Fact, facts: Facts, names: Names) -> Names:
    """The scope in which a fact is known; it goes into `facts` as well."""
    name = node.name
    if name.text in facts:
        first = Label(facts[name.text].span, "first written here")
        names.sink.append(report("E262", name.span, kind="fact", name=name.text, related=(first,)))
        return names
    if node.when is not None:
        names.sink.append(report("E288", node.when.span, name=name.text))
    before = len(names.sink)
    expr = infer(node.value, evolve(names, stage=Stage.DATA, truths={}).statement())
    if expr.type == NULL:
        names.sink.append(report("E289", node.value.span, name=name.text))
    value = value_of(expr, names) if len(names.sink) == before else None
    facts[name.text] = typed.TruthDef(name.text, expr, value, span=name.span)
    kind = TruthName(ERROR if value is None else expr.type, name.span)
    return evolve(names, truths={**names.truths, name.text: kind})
