"""Semantic tokens: what each word of a text is, for editors to colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen
from lark import UnexpectedToken
from lark.lexer import PatternStr

from cwkc.editor.analysis import Analysis
from cwkc.editor.builtins import BUILTINS
from cwkc.editor.place import start_of
from cwkc.editor.symbols import Occurrence
from cwkc.editor.words import Word, comments
from cwkc.meaning.types import SCALARS
from cwkc.syntax.grammar import grammar
from cwkc.syntax.outline import pieces
from cwkc.syntax.scanner import Slice

KINDS = (
    "namespace",
    "class",
    "enum",
    "enumMember",
    "type",
    "property",
    "variable",
    "parameter",
    "function",
    "event",
    "macro",
    "keyword",
    "comment",
    "string",
    "number",
)
MODIFIERS = ("declaration", "readonly", "defaultLibrary")

OF_SYMBOL = {
    "service": "namespace",
    "record": "class",
    "task": "class",
    "family": "class",
    "world": "class",
    "plan": "class",
    "enum": "enum",
    "value": "enumMember",
    "field": "property",
    "fact": "property",
    "store": "variable",
    "truth": "variable",
    "variable": "variable",
    "contract": "variable",
    "parameter": "parameter",
    "tool": "function",
    "event": "event",
    "record id": "macro",
    "file": "string",
}
OF_WORD = {"LITERAL": "number", "STRING": "string", "INTERPOLATED": "string", "REF": "macro"}


@frozen
class Colour:
    """A stretch of one line; `kind` is one of the `KINDS`, `modifiers` some of the `MODIFIERS`."""

    start: int
    end: int
    kind: str
    modifiers: tuple[str, ...] = ()


def colours(analysis: Analysis) -> list[Colour]:
    """The stretches of the text that have a colour, in order, none over another."""
    found = [*_coloured_words(analysis), *_coloured_comments(analysis)]
    lines = (line for colour in found for line in _by_line(analysis, colour))
    return sorted(lines, key=lambda colour: colour.start)


def _coloured_comments(analysis: Analysis) -> Iterator[Colour]:
    for comment in comments(analysis.source.text, analysis.words):
        yield Colour(comment.start(), comment.end(), "comment")


def _coloured_words(analysis: Analysis) -> Iterator[Colour]:
    readable = analysis.readable
    named = {each.span.start: each for each in readable.occurrences}
    starts = sorted(named)
    keywords = _keywords(readable)
    for index, word in enumerate(analysis.words):
        if word.kind == "INTERPOLATED":
            inner = [named[start] for start in starts if word.start < start < word.end]
            yield from _interpolated(word, inner)
        elif (occurrence := named.get(word.start)) is not None and word.kind in ("WORD", "REF", "STRING"):
            yield _of_symbol(occurrence)
        elif word.kind == "WORD":
            following = analysis.words[index + 1].text if index + 1 < len(analysis.words) else ""
            yield _of_plain_word(word, following, keywords)
        elif word.kind in OF_WORD:
            yield Colour(word.start, word.end, OF_WORD[word.kind])


def _of_symbol(occurrence: Occurrence) -> Colour:
    symbol = occurrence.symbol
    modifiers = [
        name
        for name, holds in (
            ("declaration", occurrence.declares),
            ("readonly", symbol.kind in ("truth", "value", "record id")),
            ("defaultLibrary", symbol.place.source.name.startswith("stdlib/")),
        )
        if holds
    ]
    return Colour(occurrence.span.start, occurrence.span.end, OF_SYMBOL[symbol.kind], tuple(modifiers))


def _of_plain_word(word: Word, following: str, keywords: Mapping[int, bool]) -> Colour:
    if keywords.get(word.start, word.text in _written()):
        return Colour(word.start, word.end, "keyword")
    if word.text in BUILTINS and following == "(":
        return Colour(word.start, word.end, "function", ("defaultLibrary",))
    if word.text in SCALARS and following != ":":
        return Colour(word.start, word.end, "type", ("defaultLibrary",))
    return Colour(word.start, word.end, "property" if following == ":" else "variable")


def _interpolated(word: Word, inner: list[Occurrence]) -> Iterator[Colour]:
    """A text, interrupted by the names in its braces."""
    position = word.start
    for occurrence in inner:
        if occurrence.span.start > position:
            yield Colour(position, occurrence.span.start, "string")
        yield _of_symbol(occurrence)
        position = occurrence.span.end
    yield Colour(position, word.end, "string")


def _by_line(analysis: Analysis, colour: Colour) -> Iterator[Colour]:
    text, start = analysis.source.text, colour.start
    while start < colour.end:
        line_end = text.find("\n", start, colour.end)
        end = colour.end if line_end < 0 else line_end
        if end > start:
            yield Colour(start, end, colour.kind, colour.modifiers)
        start = end + 1


def _written() -> Mapping[str, str]:
    """Every word of the language, with the name of its terminal."""
    return {each.pattern.value: each.name for each in grammar().terminals if isinstance(each.pattern, PatternStr)}


def _keywords(analysis: Analysis) -> dict[int, bool]:
    """By its offset, whether the parser takes a word as a keyword; as far as the items can be read."""
    text = analysis.source.text
    found = {word.start: True for word in analysis.words[:1] if word.text == "cwk"}
    for piece in pieces(text, 0):
        if not piece.word:
            continue
        parser = grammar().parse_interactive(Slice(text, piece.start, piece.end), start="declaration")
        try:
            for token in parser.iter_parse():
                found[start_of(token)] = token.type not in ("NAME", "LITERAL", "STRING", "INTERPOLATED", "REF")
        except UnexpectedToken:
            continue
    return found
