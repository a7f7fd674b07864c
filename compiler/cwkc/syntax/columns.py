"""Columns: further blanks that align what consecutive lines say.

Metas, truths, stores, enums and the conditions beside labels are always aligned. The entries of rows and the parts of
fields are aligned where the author has aligned them: where they begin in one column of the source, after more than one
blank in some line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise, takewhile

from attrs import define, field
from lark import Token, Tree

from cwkc.syntax.comments import first_word, start
from cwkc.syntax.layout import by_author
from cwkc.syntax.printing import Printer, without_comma
from cwkc.syntax.reading import Branch, Children, operands

Cell = tuple[int, Branch, int | None]
"""What may be aligned: which of its line it is, what begins with it, and the width of what stands between the cell
before and this one, with one blank; None where that is no single line."""


@define
class Row:
    """A line of cells: their first words and widths. `end`: the column in which the last one placed begins."""

    item: Branch
    cells: dict[int, tuple[Token, int]] = field(factory=dict)
    end: int = 0


def align_columns(printer: Printer, items: Children, indentation: int) -> None:
    """Set the blanks before the words of items that stand below each other."""
    for rule, cells in ALWAYS.items():
        for run in _runs(printer, items, rule):
            for part in _as_the_author_has_them(printer, [_row(printer, item, cells(printer, item)) for item in run]):
                _align(printer, part, max((kind for row in part for kind in row.cells), default=-1))
    for rule, cells in WHERE_WANTED.items():
        rows = [_first_line(printer, _row(printer, item, cells(printer, item))) for item in items if _is(item, rule)]
        _align_where_wanted(printer, rows, indentation)


def _is(item: Branch, rule: str) -> bool:
    return isinstance(item, Tree) and item.data == rule


def _row(printer: Printer, item: Branch, cells: Iterable[Cell]) -> Row:
    """The cells of an item, up to the first that cannot be on its first line."""
    row = Row(item)
    for kind, part, width in cells:
        if width is None or printer.words.before(first_word(part)).has_comments:
            break
        row.cells[kind] = (first_word(part), width)
    return row


def _place(printer: Printer, row: Row, kind: int) -> int:
    """The column of a cell in the source, from the first word of the line."""
    return printer.words.column(row.cells[kind][0]) - printer.words.column(first_word(row.item))


def _breaks(printer: Printer, row: Row, kind: int) -> bool:
    """Whether a cell stands on another line of the source than what is before it."""
    return printer.words.before(row.cells[kind][0]).breaks


# ---------------------------------------------------------------------------- always


def _runs(printer: Printer, items: Children, rule: str) -> Iterator[list[Branch]]:
    """Items of a kind with nothing between them."""
    run: list[Branch] = []
    for item in items:
        gap = printer.gap(item)
        if run and (not _is(item, rule) or gap.apart or gap.remarks):
            yield run
            run = []
        if _is(item, rule):
            run.append(item)
    yield run


def _as_the_author_has_them(printer: Printer, rows: list[Row]) -> list[list[Row]]:
    """The rows in the parts into which the author's columns divide them, if none of these is a single line."""
    if any(_breaks(printer, row, kind) for row in rows for kind in row.cells):
        return [rows]
    parts = [list(part) for _, part in groupby(rows, lambda row: _place(printer, row, 0) if row.cells else None)]
    return parts if all(len(part) > 1 for part in parts) else [rows]


def _align(printer: Printer, rows: list[Row], last: int) -> None:
    """Let each cell, up to the last, begin in one column."""
    for kind in range(last + 1):
        _align_cell(printer, [row for row in rows if kind in row.cells], kind)


def _align_cell(printer: Printer, rows: list[Row], kind: int) -> None:
    column = max((row.end + row.cells[kind][1] for row in rows), default=0)
    for row in rows:
        word, width = row.cells[kind]
        printer.pads[start(word)] = column - row.end - width
        row.end = column


# ---------------------------------------------------------------------------- where wanted


def _first_line(printer: Printer, row: Row) -> Row:
    """The row without the cells that are not on its first line of the source."""
    kept = takewhile(lambda kind: not _breaks(printer, row, kind), row.cells)
    return Row(row.item, {kind: row.cells[kind] for kind in kept})


def _align_where_wanted(printer: Printer, rows: list[Row], indentation: int) -> None:
    for kind in sorted({kind for row in rows for kind in row.cells}):
        places: dict[int, list[Row]] = {}
        for row in rows:
            if kind in row.cells:
                places.setdefault(_place(printer, row, kind), []).append(row)
        for found in places.values():
            wanted = len(found) > 1 and any(_is_apart(printer, row.cells[kind][0]) for row in found)
            for part in [found] if wanted else [[row] for row in found]:
                _align_cell(printer, part, kind)
    padded = [start(word) for row in rows for word, _ in row.cells.values() if printer.pads[start(word)]]
    if padded and any(line.excess for row in rows for line in by_author(printer(row.item), indentation)):
        printer.pads.update(dict.fromkeys(padded, 0))


def _is_apart(printer: Printer, word: Token) -> bool:
    """Whether there is more than one blank before a word."""
    return printer.words.text[max(0, start(word) - 2) : start(word)].endswith(("  ", "\t"))


# ---------------------------------------------------------------------------- cells


def _meta(printer: Printer, item: Branch) -> Iterator[Cell]:
    key, colon, value = item.children
    yield 0, value, _after(printer, key, colon)


def _let(printer: Printer, item: Branch) -> Iterator[Cell]:
    *head, sign, _ = item.children
    yield 0, sign, _after(printer, *head)


def _enum(printer: Printer, item: Branch) -> Iterator[Cell]:
    word, name, opening, *_ = item.children
    if printer(item).width is not None:
        yield 0, opening, _after(printer, word, name)


def _store(printer: Printer, item: Branch) -> Iterator[Cell]:
    word, name, colon, record, key, *rest = item.children
    yield 0, record, _after(printer, word, name, colon)
    yield 1, key, _after(printer, record)
    if rest[1:]:
        yield 2, rest[1], _after(printer, key, rest[0])


def _data_row(printer: Printer, item: Branch) -> Iterator[Cell]:
    id, shown = item.children
    opening, *inside, _ = shown.children
    yield 0, shown, _after(printer, id)
    if printer.is_long(inside, shown.children[-1]):
        return
    entries = list(operands(inside))
    before = [opening]
    for index, (entry, following) in enumerate(pairwise(entries), start=1):
        width = _after(printer, *before, entry)
        yield index, following, None if width is None else width + 1
        before = []


def _field(printer: Printer, item: Branch) -> Iterator[Cell]:
    before, _ = without_comma(item.children)
    name, colon, *rest = before
    width = _after(printer, name, colon)
    for part in rest:
        yield FIELD_PARTS.get(part.data if isinstance(part, Tree) else part.type, 0), part, width
        width = _after(printer, part)


def _after(printer: Printer, *parts: Branch) -> int | None:
    """The width of parts and a blank."""
    width = printer.row(parts).width
    return None if width is None else width + 1


FIELD_PARTS = {"type": 0, "SCHEDULED": 1, "default": 2, "when": 2, "STRING": 3}

Cells = Callable[[Printer, Branch], Iterator[Cell]]
ALWAYS: dict[str, Cells] = {"meta": _meta, "let": _let, "enum": _enum, "store": _store}
WHERE_WANTED: dict[str, Cells] = {"row": _data_row, "field": _field, "promised": _field, "fact": _field}
