"""Folding: brackets, texts and comments that take several lines."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cwkc.editor.analysis import Analysis
from cwkc.editor.words import OPENING, comments
from cwkc.syntax.outline import CLOSING


@frozen
class Fold:
    """Lines from 0, the first of which stays; `kind` is `region` or `comment`."""

    first: int
    last: int
    kind: str = "region"


def folds(analysis: Analysis) -> tuple[Fold, ...]:
    """What can be folded, in order; of several that begin in one line, the largest."""
    largest: dict[int, Fold] = {}
    for fold in (*_brackets(analysis), *_texts(analysis), *_comments(analysis)):
        kept = largest.get(fold.first)
        if fold.last > fold.first and (kept is None or kept.last < fold.last):
            largest[fold.first] = fold
    return tuple(largest[line] for line in sorted(largest))


def _line(analysis: Analysis, offset: int) -> int:
    return analysis.lines.place(offset)[0]


def _brackets(analysis: Analysis) -> Iterator[Fold]:
    """The line of the closing bracket stays, too."""
    is_open: list[int] = []
    for word in analysis.words:
        if word.kind != "SIGN":
            continue
        if word.text in OPENING:
            is_open.append(word.start)
        elif word.text in CLOSING and is_open:
            yield Fold(_line(analysis, is_open.pop()), _line(analysis, word.start) - 1)


def _texts(analysis: Analysis) -> Iterator[Fold]:
    for word in analysis.words:
        if word.kind in ("STRING", "INTERPOLATED"):
            yield Fold(_line(analysis, word.start), _line(analysis, word.end))


def _comments(analysis: Analysis) -> Iterator[Fold]:
    """Comments in lines of their own that follow one another."""
    text, first, last = analysis.source.text, -2, -2
    for comment in comments(text, analysis.words):
        line = _line(analysis, comment.start())
        if text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()].strip():
            continue
        if line != last + 1:
            yield Fold(first, last, "comment")
            first = line
        last = line
    yield Fold(first, last, "comment")
