"""Contracts: what a file or an answer is to say, field by field, and how much of that a text says.

A file is `json` (one object, or a list of objects), `csv` (a header row, then the rows), `xlsx` (likewise, in the first
sheet of a workbook) or `text`, and an answer is a `text`.
A text has a line `field: value` for each field; with rows, a line `key: value; field: value` for each row. Other lines
do not count, nor do `- * •` and backticks around a name or a value; a field that is said twice is said the same way.

A workbook stands in a file as base64 of its bytes; its cells are numbers, dates and truth values, or texts that say the
same, and a time without a zone is in UTC.

Numbers are compared as numbers, dates and times as such, texts without differences of case, width and white space.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any

from coworkdsl.tables import read_csv, read_json
from coworkdsl.text import normalise, read_number
from coworkdsl.values import decimal_text, in_words, parse_date, parse_datetime, parse_duration, to_wire

Cells = Mapping[str, Any]

_AROUND_NAME = " \t-*•`"
_AROUND_VALUE = " \t*`"
_PARSERS: dict[str, Callable[[str], Any]] = {
    "date": parse_date,
    "datetime": parse_datetime,
    "duration": parse_duration,
    "int": read_number,
    "decimal": read_number,
    "bool": {"true": True, "false": False}.get,
}

_TEXTS = {"email", "enum", "text", "url"}

_SIMPLE = (bool, int, Fraction, date, timedelta)


@dataclass(frozen=True, slots=True)
class Contract:
    """`columns` are names and types, a type being a scalar's name or `enum`. `key` is the name of the first column
    where there may be any number of rows, told apart by it; None where there is one row."""

    format: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]
    key: str | None = None


def delivers(text: Any, contract: Contract) -> bool:
    """Whether a text says all that is to be said, and no row more."""
    return delivered_share(text, contract) == 1


def delivered_share(text: Any, contract: Contract) -> Fraction:
    """The share of the fields of all rows that are right; every row too many adds fields that are not."""
    found, extra = _matched(text, contract)
    right = [_value(cell, type) == _value(wanted, type) for _, type, wanted, cell in _fields(found, contract)]
    width = len(contract.columns) - (contract.key is not None)
    return Fraction(sum(right), len(right) + extra * width)


def delivery(text: Any, contract: Contract) -> tuple[tuple[str, Any], ...]:
    """What a text gets wrong: of each field what is wanted and what was found, and the number of rows too many."""
    found, extra = _matched(text, contract)
    wrong = [
        (name, f"wanted {in_words(wanted)}, found {'nothing' if cell is None else in_words(cell)}")
        for name, type, wanted, cell in _fields(found, contract)
        if _value(cell, type) != _value(wanted, type)
    ]
    return (*wrong, *((("rows too many", extra),) if extra else ()))


def _fields(found: Sequence[Cells], contract: Contract) -> Iterator[tuple[str, str, Any, Any]]:
    """The fields beside the key, of each row that is wanted: name, type, what is wanted, what was found."""
    for row, cells in zip(contract.rows, found, strict=True):
        prefix = f"{in_words(row[0])}: " if contract.key is not None else ""
        for (name, type), wanted in zip(contract.columns, row, strict=True):
            if name != contract.key:
                yield prefix + name, type, wanted, cells.get(name)


def _value(cell: Any, type: str) -> Any:
    """What a cell says, so that it equals every other way to say so; None where it is not of its type."""
    if type in _TEXTS:
        return None if cell is None else normalise(in_words(cell).strip(_AROUND_VALUE))
    parse = _PARSERS[type]
    if not isinstance(cell, str):
        return cell if isinstance(cell, _SIMPLE) and isinstance(cell, bool) == (type == "bool") else None
    try:
        return parse(cell.strip(_AROUND_VALUE).lower() if type == "bool" else cell.strip(_AROUND_VALUE))
    except ValueError:
        return None


# ---------------------------------------------------------------------------- reading


def _matched(text: Any, contract: Contract) -> tuple[tuple[Cells, ...], int]:
    """For each row that is wanted the cells that were found, and how many rows are left over."""
    found = list(_READERS[contract.format](text, contract)) if isinstance(text, str) else []
    if contract.key is None:
        return (found[0] if found else {},), max(0, len(found) - 1)
    name, type = contract.columns[0]
    by_key: dict[Any, Cells] = {}
    for cells in found:
        by_key.setdefault(_value(cells.get(name), type), cells)
    wanted = [_value(row[0], type) for row in contract.rows]
    return tuple(by_key.get(key, {}) for key in wanted), len(found) - sum(key in by_key for key in wanted)


def _json_rows(text: str, contract: Contract) -> Iterator[Cells]:
    document = read_json(text)
    for each in document if isinstance(document, tuple) and contract.key is not None else (document,):
        if isinstance(each, dict):
            yield each


def _csv_rows(text: str, contract: Contract) -> Iterator[Cells]:
    yield from read_csv(text, {name: "text" for name, _ in contract.columns}) or ()


def _xlsx_rows(text: str, contract: Contract) -> Iterator[Cells]:
    from coworkdsl.workbooks import read_sheet  # brings archives along, which few tasks need

    header, *rows = read_sheet(text) or ((),)
    types = dict(contract.columns)
    names = [in_words(cell).strip() for cell in header]
    for row in rows:
        yield {name: _dated(cell, types[name]) for name, cell in zip(names, row, strict=False) if name in types}


def _dated(cell: Any, type: str) -> Any:
    """A sheet tells no day from its midnight."""
    is_midnight = isinstance(cell, datetime) and cell.time() == time()
    return cell.date() if is_midnight and type != "datetime" else cell


def _lines(text: str, contract: Contract) -> Iterator[Cells]:
    """The rows that lines say; without a key, one row of what all lines say."""
    rows = [_said(line.split(";") if contract.key is not None else [line], contract) for line in text.splitlines()]
    if contract.key is None:
        yield _joined(rows)
    else:
        yield from (cells for cells in rows if contract.key in cells)


def _said(parts: Sequence[str], contract: Contract) -> Cells:
    """The fields that stand in the parts of a line."""
    names = {normalise(name): name for name, _ in contract.columns}
    return _joined(
        [
            {names[name]: value.strip(_AROUND_VALUE)}
            for part in parts
            for before, colon, value in (part.partition(":"),)
            if colon and (name := normalise(before.strip(_AROUND_NAME))) in names
        ]
    )


def _joined(rows: Sequence[Cells]) -> Cells:
    """One row of the cells of several; a field that is said in two ways is not said."""
    joined: dict[str, Any] = {}
    for cells in rows:
        for name, cell in cells.items():
            other = joined.get(name, cell)
            joined[name] = cell if None not in (cell, other) and normalise(cell) == normalise(other) else None
    return joined


_READERS: dict[str, Callable[[str, Contract], Iterator[Cells]]] = {
    "json": _json_rows,
    "csv": _csv_rows,
    "xlsx": _xlsx_rows,
    "text": _lines,
}


# ---------------------------------------------------------------------------- writing


def written(contract: Contract) -> str:
    """A text that says all that is to be said."""
    return _WRITERS[contract.format](contract)


def _json_text(contract: Contract) -> str:
    objects = [
        ", ".join(f"{json.dumps(name)}: {_json(cell)}" for (name, _), cell in zip(contract.columns, row, strict=True))
        for row in contract.rows
    ]
    braced = [f"{{{each}}}" for each in objects]
    return braced[0] if contract.key is None else f"[{', '.join(braced)}]"


def _json(value: Any) -> str:
    if isinstance(value, Fraction):
        return decimal_text(value)
    return json.dumps(to_wire(value), ensure_ascii=False)


def _csv_text(contract: Contract) -> str:
    names = tuple(name for name, _ in contract.columns)
    return "".join(",".join(map(_quoted, row)) + "\n" for row in (names, *contract.rows))


def _quoted(value: Any) -> str:
    text = in_words(value)
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') or text != text.strip() else text


@lru_cache(maxsize=32)
def _xlsx_text(contract: Contract) -> str:
    from coworkdsl.workbooks import workbook_text

    names = tuple(name for name, _ in contract.columns)
    return workbook_text((names, *contract.rows))


def _line_text(contract: Contract) -> str:
    between = "\n" if contract.key is None else "; "
    return "\n".join(
        between.join(f"{name}: {in_words(cell)}" for (name, _), cell in zip(contract.columns, row, strict=True))
        for row in contract.rows
    )


_WRITERS: dict[str, Callable[[Contract], str]] = {
    "json": _json_text,
    "csv": _csv_text,
    "xlsx": _xlsx_text,
    "text": _line_text,
}
