"""Spreadsheets as texts: an .xlsx workbook stands in a text file as base64 of its bytes.

This is the one part of the runtime that needs a package, openpyxl. It is imported where a workbook is read or written,
so that everything else runs without it.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from fractions import Fraction
from functools import lru_cache
from io import BytesIO
from math import isfinite
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from coworkdsl.values import in_words

MOST_UNPACKED = 20_000_000
"""So many bytes may all parts of a workbook have together: a few kilobytes can unpack to gigabytes."""

MOST_CELLS = 200_000
"""So many cells may the first sheet have, gaps included: a far-off cell makes a sheet of billions."""

_LARGEST_EXACT = 2**53
_FIRST_DAY = date(1901, 1, 1)
"""Spreadsheets count days from 1900 and take that for a leap year."""

_MOMENT = datetime(2000, 1, 1)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")

Row = tuple[Any, ...]

# ---------------------------------------------------------------------------- reading


@lru_cache(maxsize=32)
def read_sheet(text: str) -> tuple[Row, ...] | None:
    """The rows of the first sheet, without those that are empty; None when the text is no workbook of a sane size.

    A cell is a text, a bool, a number as an int or a Fraction, a date, a datetime in UTC, a timedelta or None; of a
    formula, the value that was stored with it. Raises ImportError where openpyxl is missing.
    """
    from openpyxl import load_workbook

    try:
        content = b64decode("".join(text.split()), validate=True)
        with ZipFile(BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                return None
        book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        return tuple(row for row in _rows(sheet.iter_rows(values_only=True)) if any(cell is not None for cell in row))
    except Exception:  # a damaged workbook makes the library fail in any way
        return None


def _rows(rows: Iterator[Sequence[Any]]) -> Iterator[Row]:
    """Raises ValueError when there are too many cells."""
    left = MOST_CELLS
    for row in rows:
        left -= 1 + len(row)
        if left < 0:
            raise ValueError("too many cells")
        yield tuple(map(_read, row))


def _read(cell: Any) -> Any:
    if isinstance(cell, float):
        return Fraction(repr(cell)) if isfinite(cell) else None
    if isinstance(cell, datetime):
        return cell.replace(tzinfo=UTC)
    return cell.isoformat() if isinstance(cell, time) else cell


# ---------------------------------------------------------------------------- writing


def workbook_text(rows: Sequence[Row]) -> str:
    """A workbook with these rows in its one sheet: the same bytes for the same rows.

    What no cell can hold exactly is written as a text. Raises ImportError where openpyxl is missing.
    """
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook()
    book.properties.created = _MOMENT
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            written = _written(value)
            cell = book.worksheets[0].cell(number, place)
            if isinstance(written, str):
                cell.value = ILLEGAL_CHARACTERS_RE.sub("", written)
                cell.data_type = "s"  # a text that begins with `=` is no formula
            else:
                cell.value = written
    packed = BytesIO()
    book.save(packed)
    return b64encode(_settled(packed)).decode()


def _written(value: Any) -> str | int | float | bool | date:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | Fraction):
        number = float(value) if -_LARGEST_EXACT <= value <= _LARGEST_EXACT else None
        if number is not None and Fraction(repr(number)) == value:
            return int(value) if value == int(value) else number
    if type(value) is date and value >= _FIRST_DAY:
        return value
    return in_words(value)


def _settled(packed: BytesIO) -> bytes:
    """The archive without the time at which it was written."""
    settled = BytesIO()
    with ZipFile(packed) as before, ZipFile(settled, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            part = _MODIFIED.sub(rb"\g<1>2000-01-01T00:00:00Z", before.read(name))
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3
            after.writestr(entry, part)
    return settled.getvalue()


__all__ = ["MOST_CELLS", "MOST_UNPACKED", "read_sheet", "workbook_text"]
