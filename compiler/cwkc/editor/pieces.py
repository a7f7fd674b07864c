"""The items of a file, read again only where their text has changed; the others are moved to their new places."""

from __future__ import annotations

from typing import Any

import attrs

from cwkc.diagnostics import Diagnostic, Label
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.outline import Piece
from cwkc.syntax.recovery import Recovered, read_piece


class PieceReader:
    """Reads the items of one file's versions, one version after the other."""

    def __init__(self) -> None:
        self.before: dict[str, tuple[int, Recovered]] = {}
        self.now: dict[str, tuple[int, Recovered]] = {}

    def next_version(self) -> None:
        """What the last version did not have is forgotten."""
        self.before, self.now = self.now, {}

    def __call__(self, source: Source, piece: Piece, recovered: Recovered) -> None:
        """Add what an item says."""
        text = source.text[piece.start : piece.end]
        kept = self.before.get(text)
        if kept is None:
            read = Recovered()
            read_piece(source, piece, read)
        else:
            start, known = kept
            read = _moved_whole(known, source, piece.start - start)
        self.now[text] = piece.start, read
        recovered.uses += read.uses
        recovered.items += read.items
        recovered.diagnostics += read.diagnostics
        recovered.mistakes += read.mistakes


def _moved_whole(known: Recovered, source: Source, distance: int) -> Recovered:
    return Recovered(
        [moved(use, source, distance) for use in known.uses],
        [moved(item, source, distance) for item in known.items],
        [moved(diagnostic, source, distance) for diagnostic in known.diagnostics],
        known.mistakes,
    )


def moved(value: Any, source: Source, distance: int) -> Any:
    """A part of a tree, or a diagnostic, with every span so many characters further on in another source."""
    kind = type(value)
    if kind is Span:
        return Span(source, value.start + distance, value.end + distance)
    if kind is tuple:
        return tuple([moved(each, source, distance) for each in value])
    names = _PARTS.get(kind)
    if names is None:
        names = _PARTS[kind] = _parts(kind)
    if not names:
        return value
    return kind(**{name: moved(getattr(value, name), source, distance) for name in names})


_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(kind: type) -> tuple[str, ...]:
    """The attributes of what has places; nothing for other values."""
    return tuple(each.name for each in attrs.fields(kind)) if issubclass(kind, tree.Node | Diagnostic | Label) else ()
