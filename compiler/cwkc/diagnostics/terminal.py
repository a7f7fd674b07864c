"""Diagnostics for people: what is wrong, the lines to blame with marks under them, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from cwkc.diagnostics.display import clip, printable, width, wrap
from cwkc.diagnostics.model import Diagnostic, Severity
from cwkc.source import Source, Span

LONGEST_LINE = 160
NARROWEST = 40
ROOM_BESIDE = 24
"""Columns that a text needs to be wrapped beside its mark, and not below."""
STYLES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33"}
FRAME, RELATED, STRONG = "1;34", "1;36", "1"


@frozen
class Mark:
    """A range to underline, and what to say of it; `style` colours both."""

    span: Span
    sign: str
    text: str
    style: str


@frozen
class Page:
    """What the frames are drawn on: the columns there are (None: as many as it takes), and whether it has colours."""

    columns: int | None = None
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour and text else text

    def beside(self, taken: int) -> int | None:
        """The columns left for prose beside so many that are taken."""
        return None if self.columns is None else max(self.columns - taken, NARROWEST - taken, 20)


@frozen
class Window:
    """What is seen of a line: at most `room` columns from its character `left` on. `begin` is the line's offset."""

    line: str
    begin: int
    left: int
    room: int

    @property
    def text(self) -> str:
        whole = printable(self.line[self.left : self.left + self.room + 1])
        clipped = clip(whole, self.room - 2)
        return ("…" if self.left else "") + clipped + ("…" if clipped != whole else "")

    def before(self, mark: Mark) -> int:
        """The columns left of a mark."""
        return width(printable(self.line[self.left : mark.span.start - self.begin])) + (1 if self.left else 0)

    def length(self, mark: Mark, before: int) -> int:
        """The columns of a mark that has so many columns on its left, as far as it is seen."""
        start = mark.span.start - self.begin
        end = min(mark.span.end - self.begin, len(self.line), start + self.room)
        return max(1, min(width(printable(self.line[start:end])), self.room - before))


def render(diagnostics: Sequence[Diagnostic], page: Page) -> str:
    """Each diagnostic with its frame, and a line that counts them; the empty text when there are none."""
    if not diagnostics:
        return ""
    shown = [_diagnostic(diagnostic, page) for diagnostic in diagnostics]
    return "\n\n".join([*shown, summary(diagnostics)])


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`"""
    found = [diagnostic.entry.severity for diagnostic in diagnostics]
    counts = [(found.count(severity), severity.value) for severity in Severity]
    return ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count)


def _diagnostic(diagnostic: Diagnostic, page: Page) -> str:
    style = STYLES[diagnostic.entry.severity]
    head = f"{diagnostic.entry.severity.value}[{diagnostic.code}]"
    title = wrap(printable(diagnostic.message), page.beside(len(head) + 2))
    lines = [f"{page.paint(head, style)}{page.paint(': ' + title[0], STRONG)}"]
    lines += [" " * (len(head) + 2) + page.paint(line, STRONG) for line in title[1:]]
    marks = _marks(diagnostic, style)
    margin = len(str(max(mark.span.line for mark in marks)))
    for index, (source, group) in enumerate(_by_source(marks)):
        lines += _frame(source, group, "-->" if index == 0 else ":::", margin, page)
    if diagnostic.help:
        lines += _help(diagnostic.help, margin, page)
    return "\n".join(lines)


def _marks(diagnostic: Diagnostic, style: str) -> list[Mark]:
    """The place, with the text of the label that is about the very same place, and the other labels."""
    span = diagnostic.span
    related = [Mark(label.span, "-", printable(label.text), RELATED) for label in diagnostic.related]
    same = next((mark for mark in related if (mark.span.start, mark.span.end) == (span.start, span.end)), None)
    if same is None or same.span.source is not span.source:
        return [Mark(span, "^", "", style), *related]
    return [Mark(span, "^", same.text, style), *(mark for mark in related if mark is not same)]


def _by_source(marks: Sequence[Mark]) -> list[tuple[Source, list[Mark]]]:
    """The marks of each source, the source of the first mark first."""
    groups: dict[str, tuple[Source, list[Mark]]] = {}
    for mark in marks:
        groups.setdefault(mark.span.source.name, (mark.span.source, []))[1].append(mark)
    return list(groups.values())


def _frame(source: Source, marks: Sequence[Mark], arrow: str, margin: int, page: Page) -> Iterator[str]:
    """The marked lines of one source in their order, `...` where some between them are left out."""
    first = marks[0].span
    place = f"{printable(source.name)}:{first.line}:{first.column}"
    yield f"{' ' * margin}{page.paint(arrow, FRAME)} {place}"
    yield _gutter("", margin, page)
    room = max(page.columns or LONGEST_LINE, NARROWEST) - margin - 3
    shown = 0
    for number in sorted({mark.span.line for mark in marks}):
        if shown and number > shown + 1:
            yield page.paint("...", FRAME)
        for window, seen in _windows(source, number, [mark for mark in marks if mark.span.line == number], room):
            yield from _seen(window, seen, number, margin, page)
        shown = number


def _windows(source: Source, number: int, marks: Sequence[Mark], room: int) -> Iterator[tuple[Window, Sequence[Mark]]]:
    """A line as often as it takes to show where every mark begins, each time with the marks that are seen then."""
    line, begin = source.line(number), source.line_starts[number - 1]
    left_over = sorted(marks, key=lambda mark: mark.span.start)
    while left_over:
        window = Window(line, begin, _left(line, [mark.span.start - begin for mark in left_over], room), room)
        count = sum(window.before(mark) < room - 3 for mark in left_over) or 1
        yield window, left_over[:count]
        left_over = left_over[count:]


def _left(line: str, starts: Sequence[int], room: int) -> int:
    """Where to begin showing a line so that its first mark is seen: at its beginning when every mark is near it."""
    last = starts[-1]
    near = last < room and width(printable(line[:last])) <= room * 3 // 4
    return 0 if near else max(0, starts[0] - room // 4)


def _seen(window: Window, marks: Sequence[Mark], number: int, margin: int, page: Page) -> Iterator[str]:
    """A window on a line, and its marks below it, the rightmost first."""
    yield _gutter(window.text, margin, page, number)
    for mark in reversed(marks):
        before = window.before(mark)
        yield from _underline(mark, before, window.length(mark, before), margin, page)


def _underline(mark: Mark, before: int, length: int, margin: int, page: Page) -> Iterator[str]:
    """The signs under a range, with its text beside them, or below when there is little room."""
    signs = " " * before + page.paint(mark.sign * length, mark.style)
    room = None if page.columns is None else max(page.columns, NARROWEST) - (margin + 4 + before + length)
    if room is not None and room < min(width(mark.text), ROOM_BESIDE):
        yield _gutter(signs, margin, page)
        for part in wrap(mark.text, page.beside(margin + 3)):
            yield _gutter(page.paint(part, mark.style), margin, page)
        return
    first, *others = wrap(mark.text, room)
    yield _gutter(f"{signs} {page.paint(first, mark.style)}", margin, page)
    for part in others:
        yield _gutter(" " * (before + length + 1) + page.paint(part, mark.style), margin, page)


def _gutter(text: str, margin: int, page: Page, number: int | None = None) -> str:
    label = str(number) if number else ""
    return f"{page.paint(f'{label:>{margin}} |', FRAME)} {text}".rstrip()


def _help(text: str, margin: int, page: Page) -> Iterator[str]:
    lead = f"{' ' * margin} = "
    for index, line in enumerate(wrap(printable(text), page.beside(len(lead) + 6))):
        yield (
            f"{page.paint(lead, FRAME)}{page.paint('help:', STRONG)} {line}"
            if index == 0
            else f"{' ' * len(lead)}      {line}"
        )
