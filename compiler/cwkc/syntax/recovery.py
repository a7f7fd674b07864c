"""A file that cannot be read as a whole: its items one by one, one diagnostic for each that is broken."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from lark import UnexpectedToken

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.builder import Use, declaration
from cwkc.syntax.expectations import close_word, ends_early, shown, unexpected
from cwkc.syntax.grammar import grammar
from cwkc.syntax.mistakes import Mistake, at, mistake
from cwkc.syntax.outline import CLOSING, PAIRS, Piece, pieces, unbalanced
from cwkc.syntax.reading import Branch, Reading, Unreadable
from cwkc.syntax.refusals import LIKELY, SURE, refusal
from cwkc.syntax.scanner import DEEP, NESTING, Slice
from cwkc.syntax.vocabulary import ITEMS, KINDS

# How many mistakes of one file are shown.
SHOWN = 20


@define
class Recovered:
    """What could be read of a file, and what is wrong with the rest."""

    uses: list[Use] = field(factory=list)
    items: list[tree.Item] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    mistakes: int = 0


ReadPiece = Callable[[Source, Piece, Recovered], None]


def recover(source: Source, start: int, read: ReadPiece | None = None) -> Recovered:
    """Read the items from `start` on, each by itself; `read` may remember those that it has read before."""
    read = read or read_piece
    recovered = Recovered()
    for piece in pieces(source.text, start):
        if recovered.mistakes == SHOWN:
            place = Span(source, piece.start, piece.start + max(1, len(piece.word)))
            recovered.diagnostics.append(report("E109", place, limit=SHOWN))
            break
        if piece.word:
            read(source, piece, recovered)
        else:
            _stray(source, piece, recovered)
    return recovered


def build(reading: Reading, part: Branch, recovered: Recovered) -> None:
    """Add what one declaration says."""
    try:
        uses, items = declaration(reading, part)
    except Unreadable as unreadable:
        recovered.diagnostics.append(unreadable.diagnostic)
    else:
        recovered.uses.extend(uses)
        recovered.items.extend(items)
        recovered.diagnostics.extend(reading.diagnostics)


def read_piece(source: Source, piece: Piece, recovered: Recovered) -> None:
    """Add what an item says, or the one diagnostic of one that is broken."""
    part = Slice(source.text, piece.start, piece.end)
    try:
        read = grammar().parse(part, start="declaration")
    except UnexpectedToken as error:
        recovered.mistakes += 1
        recovered.diagnostics.append(_diagnosis(source, piece, error))
    else:
        build(Reading(source), read.children[0], recovered)


def _diagnosis(source: Source, piece: Piece, error: UnexpectedToken) -> Diagnostic:
    """The one diagnostic of a broken item: what is surest first."""
    found = mistake(source, Slice(source.text, piece.start, piece.end), error)
    if error.token.type == DEEP:
        return found.report("E108", limit=NESTING)
    return refusal(found, SURE) or _brackets(source, piece) or refusal(found, LIKELY) or unexpected(found)


def _brackets(source: Source, piece: Piece) -> Diagnostic | None:
    offset = unbalanced(source.text, piece)
    if offset is None:
        return None
    bracket, place = source.text[offset], Span(source, offset, offset + 1)
    if bracket in PAIRS:
        return report("E103", place, bracket=bracket, closing=PAIRS[bracket])
    return report("E104", place, bracket=bracket)


def _stray(source: Source, piece: Piece, recovered: Recovered) -> None:
    """Text between items. When a bracket closes nothing there, the item before ended too early and is not kept."""
    recovered.mistakes += 1
    offset = unbalanced(source.text, piece)
    if offset is not None and source.text[offset] in CLOSING:
        if source.text[piece.start : offset].strip() and recovered.items:
            recovered.items.pop()
        recovered.diagnostics.append(report("E104", Span(source, offset, offset + 1), bracket=source.text[offset]))
        return
    found = at(source, Slice(source.text, piece.start, piece.end), piece.start, ITEMS)
    recovered.diagnostics.append(refusal(found, SURE + LIKELY) or _in_no_item(found))


def _in_no_item(found: Mistake) -> Diagnostic:
    if found.found.text in ITEMS:
        return ends_early(found, found.found, KINDS["NAME"])
    meant = close_word(found)
    help = f"perhaps `{meant}` is meant" if meant else None
    return report("E105", found.span(), help=help, found=shown(found.found))
