"""The parser: from a source to its syntax tree and what is wrong with it."""

from __future__ import annotations

from attrs import frozen
from lark import Tree, UnexpectedToken

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.grammar import grammar
from cwkc.syntax.mistakes import at
from cwkc.syntax.reading import Branch, Reading
from cwkc.syntax.recovery import ReadPiece, Recovered, build, recover
from cwkc.syntax.scanner import Slice
from cwkc.syntax.vocabulary import ITEMS

VERSION = 1


def parse(source: Source, read_piece: ReadPiece | None = None) -> tuple[tree.Module, tuple[Diagnostic, ...]]:
    """The syntax tree of a file. Never raises for what the file says: broken items are reported and left out.

    With `read_piece` every item is read by itself, whether the file is whole or not; the tree is the same.
    """
    return module(source, concrete(source) if read_piece is None else None, read_piece)


def concrete(source: Source) -> Branch | None:
    """The file as the grammar reads it, with every word; None when it cannot be read in one go."""
    try:
        return grammar().parse(Slice(source.text, 0, len(source.text)), start="start")
    except UnexpectedToken:
        return None


def module(
    source: Source, whole: Branch | None, read_piece: ReadPiece | None = None
) -> tuple[tree.Module, tuple[Diagnostic, ...]]:
    """The syntax tree of a file of which `concrete` has made `whole`."""
    header = _header(source)
    read = _built(source, whole) if header.is_whole and whole is not None else None
    read = read or recover(source, header.end, read_piece)
    if not header.is_whole and not (read.uses or read.items):
        # Nothing in it is of the language: that the version is missing says enough.
        read.diagnostics.clear()
    built = tree.Module(header.version, tuple(read.uses), tuple(read.items), span=Span(source, 0, len(source.text)))
    return built, (*header.diagnostics, *read.diagnostics)


@frozen
class Header:
    """The line `cwk 1`; `is_whole` when it has its two words, `end` where the rest of the file begins."""

    version: int | None
    is_whole: bool
    end: int
    diagnostics: tuple[Diagnostic, ...] = ()


def _header(source: Source) -> Header:
    """Look at the first words of the file."""
    start = at(source, Slice(source.text, 0, len(source.text)), 0, ())
    first, second = start.found, start.next
    if first.text == "cwk" and second.kind == "LITERAL":
        if second.text == str(VERSION):
            return Header(VERSION, True, second.end)
        unknown = report("E107", start.span(second, second), found=second.text, known=VERSION)
        return Header(None, True, second.end, (unknown,))
    missing = (report("E106", start.span(), known=VERSION, first=start.span().text),)
    if first.text.lower() != "cwk":
        return Header(None, False, 0, missing)
    line_end = source.text.find("\n", first.end)
    is_alone = second.text in ITEMS or second.kind == "END" or second.start > line_end >= 0
    end = first.end if is_alone else line_end
    return Header(None, False, end if end >= 0 else len(source.text), missing)


def _built(source: Source, whole: Branch) -> Recovered:
    read = Recovered()
    for part in whole.children:
        if isinstance(part, Tree):
            build(Reading(source), part, read)
    return read
