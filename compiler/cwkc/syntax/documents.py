"""Documents: text with places where a line may be broken, and the choice of which of them are.

A document is laid out in one of three ways. `AUTHOR` breaks, in what does not fit on a line, where the author broke;
`FILL` puts as much on each line as it holds; `LONG` does too, and gives the items of brackets lines further in. What
fits on a line is on one in all of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from attrs import define, field, frozen

# The longest line, in columns, comments beside it left out.
WIDTH = 120
# What the author broke is joined only to a line of this length.
JOINED = 90
# How much further in a part stands than what it belongs to.
STEP = 2


class Way(Enum):
    AUTHOR = "author"
    FILL = "fill"
    LONG = "long"


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


# ---------------------------------------------------------------------------- layout


@frozen
class Written:
    """A line of the result: its words with what stands before them, and the comment beside them."""

    words: str
    comment: Comment | None = None

    @property
    def excess(self) -> int:
        """By how much it is too long."""
        return max(0, columns(self.words) - WIDTH)


def lay_out(document: Document, indentation: int) -> list[Written]:
    """The lines of a document that begins at a column: on one line, else in the way that keeps within the width."""
    if document.fits(indentation):
        return _Layout(Way.AUTHOR, is_flat=True).run(document, indentation)
    best: list[Written] = []
    least = -1
    for way in Way:
        lines = _Layout(way).run(document, indentation)
        excess = sum(each.excess for each in lines)
        if least < 0 or excess < least:
            best, least = lines, excess
        if not least:
            break
    return best


def by_author(document: Document, indentation: int) -> list[Written]:
    """The lines of a document with the author's breaks, however long they are."""
    return _Layout(Way.AUTHOR).run(document, indentation)


Waiting = tuple[int, bool, Document]


@define
class _Layout:
    """A document on its way to lines. `ended`: the column of what comes next, where a comment has ended the line."""

    way: Way
    is_flat: bool = False
    lines: list[Written] = field(factory=list)
    words: list[str] = field(factory=list)
    column: int = 0
    is_blank: bool = True
    beside: Comment | None = None
    ended: int | None = None
    waiting: list[Waiting] = field(factory=list)

    def run(self, document: Document, indentation: int) -> list[Written]:
        self._begin(indentation)
        self.waiting.append((indentation, self.is_flat, document))
        while self.waiting:
            self._step(*self.waiting.pop())
        self._flush()
        return self.lines

    def _step(self, indentation: int, is_flat: bool, document: Document) -> None:
        match document:
            case Text():
                self._write(document.text, document.lead, indentation)
            case Space():
                if not self.is_blank and self.ended is None:
                    self._write(" " * document.lead, document.lead, indentation)
            case Concat():
                self.waiting.extend((indentation, is_flat, part) for part in reversed(document.parts))
            case Line():
                self._line(indentation, is_flat, document)
            case Break():
                self._newline(indentation)
                if document.blank:
                    self.lines.append(Written(""))
            case Group():
                self.waiting.append((indentation, is_flat or self._fits(document), document.body))
            case Align():
                self._settle(indentation)
                self.waiting.append((self.column, is_flat, document.body))
            case Nest():
                self.waiting.append((indentation + STEP, is_flat, document.body))
            case Hang():
                breaks = self._line(indentation, is_flat, document.line)
                self.waiting.append((indentation + STEP if breaks else indentation, is_flat, document.body))
            case Bracket():
                self._bracket(indentation, is_flat, document)
            case LongText():
                self._long_text(indentation, document)
            case Comment():
                self._comment(indentation, document)

    # ------------------------------------------------------------------------ lines

    def _begin(self, column: int) -> None:
        self.words, self.column, self.is_blank, self.beside, self.ended = [" " * column], column, True, None, None

    def _flush(self) -> None:
        words = "".join(self.words)
        self.lines.append(Written("" if self.is_blank else words.rstrip(" "), self.beside))

    def _newline(self, column: int) -> None:
        self._flush()
        self._begin(column)

    def _settle(self, indentation: int) -> None:
        """End the line if a comment wants it."""
        if self.ended is not None:
            self._newline(self.ended)

    def _write(self, words: str, width: int, indentation: int) -> None:
        self._settle(indentation)
        self.words.append(words)
        self.column += width
        self.is_blank = False

    def _comment(self, indentation: int, document: Comment) -> None:
        if document.beside and self.ended is None and not self.is_blank:
            self.beside, self.ended = document, indentation + STEP
            return
        if self.ended is not None:
            self._newline(self.ended)
        elif not self.is_blank:
            self._newline(indentation + STEP)
        column = self.column
        self._write(document.text, 0, indentation)
        self.ended = column

    def _long_text(self, indentation: int, document: LongText) -> None:
        first, *middle, last = document.lines
        self._write(first, document.lead, indentation)
        margin = " " * (indentation + STEP) if document.indented else ""
        self._flush_literal([margin + each if each else "" for each in middle])
        self._begin(0)
        inner = "" if not document.indented else " " * indentation if last.startswith('"""') else margin
        self._write(inner + last, columns(inner + last), indentation)

    def _flush_literal(self, lines: list[str]) -> None:
        self.lines.append(Written("".join(self.words)))
        self.lines.extend(Written(each) for each in lines)

    # ------------------------------------------------------------------------ choices

    def _line(self, indentation: int, is_flat: bool, document: Line) -> bool:
        """Whether the line is broken."""
        breaks = self.ended is not None or (not is_flat and self._breaks(document))
        if breaks:
            self._newline(indentation + document.offset)
        elif document.lead and not self.is_blank:
            self._write(" " * document.lead, document.lead, indentation)
        return breaks

    def _breaks(self, document: Line) -> bool:
        if document.kind is Kind.ALL or document.width is None:
            return True
        if self.way is Way.AUTHOR:
            return document.by_author
        return document.kind is Kind.OWN or not self._has_room(document.lead)

    def _has_room(self, used: int) -> bool:
        """Whether what comes next fits on this line, up to the next place for a break."""
        return self.column + used + self._ahead() <= WIDTH

    def _fits(self, document: Document) -> bool:
        limit = None if self.way is Way.AUTHOR else WIDTH
        return document.width is not None and document.fits(self.column + self._ahead(), limit)

    def _ahead(self) -> int:
        """The width of what is waiting, up to the next place where the line will or may be broken."""
        total = 0
        ahead: list[Waiting] = []
        index = len(self.waiting)
        while total <= WIDTH:
            if not ahead:
                if not index:
                    break
                index -= 1
                ahead.append(self.waiting[index])
            _, is_flat, document = ahead.pop()
            match document:
                case Concat():
                    ahead.extend((0, is_flat, part) for part in reversed(document.parts))
                case Align() | Nest():
                    ahead.append((0, is_flat, document.body))
                case Hang():
                    ahead += [(0, is_flat, document.body), (0, is_flat, document.line)]
                case Line() if not is_flat and self._may_break(document):
                    break
                case Comment():
                    break
                case _:
                    total += document.lead
                    if document.width is None:
                        break
        return total

    def _may_break(self, document: Line) -> bool:
        return document.by_author or document.kind is Kind.ALL or self.way is not Way.AUTHOR

    def _bracket(self, indentation: int, is_flat: bool, document: Bracket) -> None:
        is_flat = is_flat or self._fits(document)
        if (document.further_in or self.way is Way.LONG) and not is_flat:
            parts = [nest(concat((hard(), document.body))), hard()]
        else:
            parts = [space(document.pad), align(document.body), space(document.pad)]
        parts = [document.opening, *parts, document.closing]
        self.waiting.extend((indentation, is_flat, part) for part in reversed(parts))
