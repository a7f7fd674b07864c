"""Renaming, where it is safe: the edits are tried, and refused when anything but the name would change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from cwkc.diagnostics import Diagnostic
from cwkc.editor.analysis import Analysis
from cwkc.editor.navigation import references
from cwkc.editor.project import Project
from cwkc.editor.symbols import Occurrence, Symbol
from cwkc.editor.words import words
from cwkc.source import Span
from cwkc.syntax.vocabulary import STATEMENTS, VALUES

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")
RESERVED = STATEMENTS | {word for word in VALUES if word.isalpha() and word.islower()}


class RefusedError(Exception):
    """The renaming would not be safe; the message says why, for the author."""


@frozen(eq=False)
class Edit:
    """What to write in the place of a span."""

    span: Span
    text: str


def renamable(analysis: Analysis, offset: int) -> Occurrence:
    """What would be renamed at an offset.

    Raises:
        RefusedError: there is nothing that has a name of the author's.
    """
    found = analysis.readable.at(offset)
    if found is None or found.symbol.kind == "file":
        raise RefusedError("nothing that can be renamed stands here")
    if found.symbol.place.source.name.startswith("stdlib/"):
        raise RefusedError(f"`{found.symbol.name}` belongs to a standard service")
    return found


def rename(analysis: Analysis, offset: int, name: str, project: Project, others: Sequence[Analysis]) -> list[Edit]:
    """The edits in this text and in `others`, those that may name the same thing.

    Raises:
        RefusedError: the new name would mean something else somewhere, or the old one may stand where nobody looked.
    """
    symbol = renamable(analysis, offset).symbol
    analyses = [analysis, *others]
    _refuse_spelling(symbol, name)
    _refuse_unreadable(symbol, analyses)
    edits = [_edit(each, symbol, name) for each in references(symbol, analyses)]
    _refuse_changes(symbol, name, analyses, edits, project)
    return edits


def _refuse_spelling(symbol: Symbol, name: str) -> None:
    if symbol.kind == "record id":
        if not name or '"' in name or "\n" in name:
            raise RefusedError(f"`{name}` cannot be the id of a record")
    elif not NAME.fullmatch(name):
        raise RefusedError(f"`{name}` is not a name: names are made of letters, digits and `_`")
    elif name in RESERVED:
        raise RefusedError(f"`{name}` is a word of the language")


def _refuse_unreadable(symbol: Symbol, analyses: Sequence[Analysis]) -> None:
    for analysis in analyses:
        if not analysis.is_readable:
            raise RefusedError(f"`{analysis.source.name}` cannot be read as a whole, so a place may be missed")
        for word in words(analysis.source.text) if symbol.kind == "record id" else ():
            if word.kind in ("STRING", "INTERPOLATED") and _mentions(word.text, symbol.name):
                line = analysis.source.position(word.start)[0]
                raise RefusedError(f"the text in line {line} says `{symbol.name}` too")


def _mentions(text: str, id: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", text) is not None


def _edit(occurrence: Occurrence, symbol: Symbol, name: str) -> Edit:
    written = occurrence.span.text
    if symbol.kind == "record id":
        return Edit(occurrence.span, f"@{name}" if PLAIN_ID.fullmatch(name) else f'@"{name}"')
    if written != symbol.name:
        raise RefusedError(f"`{symbol.name}` is called `{written}` in line {occurrence.span.line}")
    return Edit(occurrence.span, name)


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits made."""
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _refuse_changes(
    symbol: Symbol, name: str, analyses: Sequence[Analysis], edits: Sequence[Edit], project: Project
) -> None:
    """Everything is found again after the edits, and nothing new is wrong."""
    texts = {
        each.source.name: applied(
            each.source.text, [edit for edit in edits if edit.span.source.name == each.source.name]
        )
        for each in analyses
    }
    trial = Project({**project.open_texts, **texts})
    for before in analyses:
        after = trial.analyse(before.source.name, texts[before.source.name])
        new = _codes(after.diagnostics) - _codes(before.diagnostics)
        if new:
            complaint = next(each for each in after.diagnostics if each.code in new)
            raise RefusedError(f"with `{name}`, {complaint.message}")
        if _shape(before) != _shape(after):
            raise RefusedError(f"`{name}` has another meaning where `{symbol.name}` stands")


def _codes(diagnostics: Sequence[Diagnostic]) -> Counter[str]:
    return Counter(each.code for each in diagnostics)


def _shape(analysis: Analysis) -> list[tuple[str, int]]:
    """Which occurrences name the same thing, whatever its name and its place."""
    numbers: dict[tuple[str, int], int] = {}
    return [(each.symbol.kind, numbers.setdefault(each.symbol.key, len(numbers))) for each in analysis.occurrences]


def edits_by_file(edits: Sequence[Edit]) -> Mapping[str, list[Edit]]:
    """The edits, by the name of the file that they are made in."""
    files: dict[str, list[Edit]] = {}
    for edit in edits:
        files.setdefault(edit.span.source.name, []).append(edit)
    return files
