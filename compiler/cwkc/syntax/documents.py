"""Documents: text with the places where a line may be broken, and what is known of their widths."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from attrs import frozen

# The longest line, in columns, comments beside it left out.
WIDTH = 120
# What the author broke is joined only to a line of this length.
JOINED = 90
# How much further in a part stands than what it belongs to.
STEP = 2


class Kind(Enum):
    """When a line of a broken group is broken: with all of them, with all of them unless the author says where, or
    when what follows does not fit."""

    ALL = "all"
    OWN = "own"
    FILL = "fill"


@frozen(kw_only=True)
class Document:
    """`width` is that on one line, None where there must be several; `lead` that of what is sure to stand on the first.

    `opens` and `closes`: a comment is the first or the last thing in it, after which the line must end. `broken`: the
    author broke a line in it.
    """

    width: int | None = 0
    lead: int = 0
    opens: bool = False
    closes: bool = False
    broken: bool = False

    def fits(self, column: int, limit: int | None = None) -> bool:
        """Whether it fits on a line from a column on, up to a limit; the usual one depends on what the author did."""
        if self.width is None:
            return False
        return column + self.width <= (limit or (JOINED if self.broken else WIDTH))


@frozen
class Text(Document):
    text: str


@frozen
class LongText(Document):
    """A text literal of several lines. With `indented`, the lines between the first and the last stand further in."""

    lines: tuple[str, ...]
    indented: bool


@frozen
class Space(Document):
    """Blanks between two things on a line; nothing where the line was ended between them."""


@frozen
class Line(Document):
    """A place for a line break: `width` blanks where there is none; `offset` further in where there is one.

    `by_author`: there was one in the source. Without a `width`, there must be one.
    """

    kind: Kind
    offset: int
    by_author: bool


@frozen
class Break(Document):
    """A line break; with `blank`, and an empty line."""

    blank: bool


@frozen
class Comment(Document):
    """`beside`: on the line of what stands before it; `column` is then its place on the line, from the first word."""

    text: str
    beside: bool
    column: int


@frozen
class Concat(Document):
    parts: tuple[Document, ...]


@frozen
class Group(Document):
    """On one line, if that fits."""

    body: Document


@frozen
class Align(Document):
    """What is broken in it goes on below its first column."""

    body: Document


@frozen
class Nest(Document):
    """What is broken in it goes on further in."""

    body: Document


@frozen
class Hang(Document):
    """A line, and what is further in when it is broken."""

    line: Line
    body: Document


@frozen
class Bracket(Document):
    """Something in brackets that may be on one line, with `pad` blanks inside of them.

    Else it goes on below its first word or, with `further_in` and in the way `LONG`, on lines of its own.
    """

    opening: Document
    body: Document
    closing: Document
    pad: int
    further_in: bool


# ---------------------------------------------------------------------------- constructors


def columns(text: str) -> int:
    """How wide a text is on a screen."""
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(each) in "WF" else 0 if unicodedata.combining(each) else 1 for each in text
    )


@lru_cache(maxsize=1024)
def text(value: str) -> Text:
    return Text(value, width=(wide := columns(value)), lead=wide)


def long_text(lines: tuple[str, ...], indented: bool) -> LongText:
    return LongText(lines, indented, width=None, lead=columns(lines[0]))


@lru_cache(maxsize=256)
def space(count: int = 1) -> Space:
    return Space(width=count, lead=count)


def line(kind: Kind, by_author: bool, *, offset: int = 0, flat: int | None = 1) -> Line:
    return Line(kind, offset, by_author, width=flat, lead=flat or 0, broken=by_author)


def hard(blank: bool = False) -> Break:
    return Break(blank, width=None)


def comment(value: str, beside: bool, column: int) -> Comment:
    return Comment(value, beside, column, width=0, opens=not beside, closes=True)


NOTHING = Concat(())


def concat(parts: Iterable[Document]) -> Document:
    kept = [part for part in parts if part is not NOTHING]
    if len(kept) < 2:
        return kept[0] if kept else NOTHING
    return Concat(tuple(kept), **_measures(kept))


Measures = dict[str, Any]


def _measures(parts: Sequence[Document]) -> Measures:
    width: int | None = 0
    lead, is_first_line, broken, closes = 0, True, False, False
    for index, part in enumerate(parts):
        if index and (closes or part.opens):
            width, is_first_line = None, False
        if is_first_line:
            lead += part.lead
            is_first_line = part.width is not None
        width = None if width is None or part.width is None else width + part.width
        broken, closes = broken or part.broken, part.closes
    return {"width": width, "lead": lead, "opens": parts[0].opens, "closes": closes, "broken": broken}


def _like(body: Document) -> Measures:
    return {name: getattr(body, name) for name in ("width", "lead", "opens", "closes", "broken")}


def group(body: Document) -> Document:
    return Group(body, **_like(body))


def align(body: Document) -> Document:
    return Align(body, **_like(body))


def nest(body: Document) -> Document:
    return Nest(body, **_like(body))


def hang(before: Line, body: Document) -> Document:
    return Hang(before, body, **_measures((before, body)))


def bracket(opening: Document, body: Document, closing: Document, pad: int = 0, further_in: bool = False) -> Document:
    between = space(pad)
    measures = _measures((opening, between, body, between, closing))
    return Bracket(opening, body, closing, pad, further_in, **measures)
