"""A source text and places in it."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import Factory, field, frozen


@frozen(slots=False, eq=False)
class Source:
    """The text of one file, with the name that diagnostics show for it.

    `identity` is its name in what is emitted: the same wherever the compiler is started and however the user wrote
    the path, so that the same sources give the same bytes.
    """

    name: str
    text: str = field(repr=False)
    identity: str = field(default=Factory(lambda self: self.name, takes_self=True))

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which lines begin; the first is 0."""
        return (0, *(i + 1 for i, character in enumerate(self.text) if character == "\n"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in code points."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1) without its end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@frozen(eq=False)
class Span:
    """A half-open range of code points in a source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """`file:line`, as emitted code and evidence write it."""
        return f"{self.source.identity}:{self.line}"

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another in the same source."""
        return Span(self.source, self.start, other.end)
