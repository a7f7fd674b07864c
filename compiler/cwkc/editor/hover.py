"""Hover: what stands at a place, its type, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from cwkc.diagnostics import CATALOGUE
from cwkc.editor.analysis import Analysis
from cwkc.editor.describing import declaration, documentation
from cwkc.editor.symbols import Symbol
from cwkc.editor.words import index_before
from cwkc.meaning.types import ErrorType
from cwkc.source import Span

Theorems = Mapping[str, Sequence[tuple[str, str]]]
"""By the name of a task, each theorem with its verdict, as far as the proofs have run."""


@frozen(eq=False)
class Hover:
    """`text` is Markdown; `span` is what it speaks of."""

    text: str
    span: Span


def hover(analysis: Analysis, offset: int, theorems: Theorems) -> Hover | None:
    """What is known of the word at an offset."""
    readable = analysis.readable
    found = readable.at(offset)
    if found is None:
        return _code(analysis, offset) or _expression(readable, offset)
    symbol = found.symbol
    parts = [f"```cwk\n{declaration(symbol, readable)}\n```", documentation(symbol), *_details(symbol, theorems)]
    return Hover("\n\n".join(part for part in parts if part), found.span)


def _details(symbol: Symbol, theorems: Theorems) -> list[str]:
    if symbol.kind == "tool" and symbol.declared is not None:
        docs = [f"- `{each.name}`: {each.doc}" for each in symbol.declared.parameters.values() if each.doc]
        effect = "It only reads." if symbol.declared.reads_only else "It writes."
        return ["\n".join(docs), effect]
    if symbol.kind == "task" and symbol.name in theorems:
        rows = [f"| {name} | {verdict} |" for name, verdict in theorems[symbol.name]]
        return ["\n".join(["| theorem | |", "|---|---|", *rows])]
    return []


def _code(analysis: Analysis, offset: int) -> Hover | None:
    """The warning that an `allow` accepts."""
    words = analysis.words
    index = index_before(words, offset + 1)
    if index < 1 or words[index - 1].text != "allow" or words[index].text not in CATALOGUE:
        return None
    word, entry = words[index], CATALOGUE[words[index].text]
    return Hover(f"`{entry.code}` {entry.name}", Span(analysis.source, word.start, word.end))


def _expression(analysis: Analysis, offset: int) -> Hover | None:
    """The type of the smallest expression there."""
    name = analysis.source.name
    around = [
        each
        for each in analysis.seen
        if each.node.span.source.name == name
        and each.node.span.start <= offset < each.node.span.end
        and not isinstance(each.expr.type, ErrorType)
    ]
    if not around:
        return None
    seen = min(around, key=lambda each: each.node.span.end - each.node.span.start)
    return Hover(f"```cwk\n{seen.expr.type}\n```", seen.node.span)
