"""From documents to lines: which of the places for a break are taken.

A document is laid out in one of three ways. `AUTHOR` breaks, in what does not fit on a line, where the author broke;
`FILL` puts as much on each line as it holds; `LONG` does too, and gives the items of brackets lines further in. What
fits on a line is on one in all of them.
"""

from __future__ import annotations

from enum import Enum

from attrs import define, field, frozen

from cwkc.syntax.documents import (
    STEP,
    WIDTH,
    Align,
    Bracket,
    Break,
    Comment,
    Concat,
    Document,
    Group,
    Hang,
    Kind,
    Line,
    LongText,
    Nest,
    Space,
    Text,
    align,
    columns,
    concat,
    hard,
    nest,
    space,
)


class Way(Enum):
    AUTHOR = "author"
    FILL = "fill"
    LONG = "long"


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
