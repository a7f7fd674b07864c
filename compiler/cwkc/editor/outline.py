"""Document symbols: the items of a file and what is declared in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from cwkc.editor.analysis import Analysis
from cwkc.source import Span
from cwkc.syntax import tree
from cwkc.syntax.outline import pieces

HEADED = {
    tree.Service: "service",
    tree.World: "world",
    tree.Task: "task",
    tree.Family: "family",
    tree.Grade: "grade",
    tree.Plan: "plan",
    tree.Enumeration: "enum",
    tree.Record: "record",
    tree.Tool: "tool",
    tree.Store: "store",
    tree.Field: "field",
    tree.TruthLet: "truth",
    tree.Deliver: "contract",
    tree.Event: "event",
}
LABELLED = {
    tree.Check: "check",
    tree.Judge: "judge",
    tree.Require: "require",
    tree.Forbid: "forbid",
    tree.Always: "always",
}


@frozen(eq=False)
class Entry:
    """`span` is all of it, `name_span` its name within."""

    name: str
    kind: str
    span: Span
    name_span: Span
    children: tuple[Entry, ...] = ()


def outline(analysis: Analysis) -> tuple[Entry, ...]:
    """The items of the text; one that cannot be read at all stands for itself by its first words."""
    readable = analysis.readable
    entries = [_entry(item) for item in readable.module.items]
    known = [(entry.span.start, entry.span.end) for entry in entries]
    for piece in pieces(analysis.source.text, 0):
        if piece.word not in ("", "use") and not any(start <= piece.start < end for start, end in known):
            entries.append(_unreadable(analysis, piece.word, piece.start, piece.end))
    return tuple(sorted(entries, key=lambda entry: entry.span.start))


def _entry(node: Any) -> Entry:
    return Entry(node.name.text, HEADED[type(node)], node.span, node.name.span, tuple(_children(node)))


def _children(node: Any) -> Iterator[Entry]:
    if isinstance(node, tree.Service):
        for part in (*node.enumerations, *node.records, *node.stores, *node.tools):
            yield _entry(part)
    elif isinstance(node, tree.Record):
        yield from (_entry(field) for field in node.fields)
    elif isinstance(node, tree.Enumeration):
        yield from (Entry(value.text, "value", value.span, value.span) for value in node.values)
    elif isinstance(node, tree.Task | tree.Family | tree.World | tree.Grade):
        yield from _statements(node.items)


def _statements(nodes: Iterable[Any]) -> Iterator[Entry]:
    for node in nodes:
        if isinstance(node, tree.Policy):
            node = node.rule
        if type(node) in HEADED:
            yield _entry(node)
        elif type(node) in LABELLED:
            yield Entry(node.label.value or "check", LABELLED[type(node)], node.span, node.label.span)
        elif isinstance(node, tree.Data):
            rows = tuple(Entry(f"@{row.id.id}", "record id", row.span, row.id.span) for row in node.rows)
            yield Entry(node.store.text, "store", node.span, node.store.span, rows)


def _unreadable(analysis: Analysis, word: str, start: int, end: int) -> Entry:
    after = [each for each in analysis.words if start < each.start < end]
    name = after[0] if after and after[0].kind == "WORD" else None
    span = Span(analysis.source, start, end)
    shown = Span(analysis.source, name.start, name.end) if name else Span(analysis.source, start, start + len(word))
    return Entry(name.text if name else word, word, span, shown)
