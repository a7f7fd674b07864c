"""Reading tables and json out of a text: `csv(text, {column: type})`, `json(text)`, `lines(text)`."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from coworkdsl.text import read_number
from coworkdsl.values import Type, WireError, argument_reader

_LARGEST_EXPONENT = 400


def text_lines(text: Any) -> tuple[str, ...] | None:
    return tuple(text.splitlines()) if isinstance(text, str) else None


def read_csv(text: Any, columns: Mapping[str, Type]) -> tuple[dict[str, Any], ...] | None:
    """The rows below the header row, with these columns; null where a column is missing or a cell cannot be read.

    Null as a whole when the text is no table.
    """
    if not isinstance(text, str):
        return None
    try:
        rows = [row for row in csv.reader(text.lstrip("\ufeff").splitlines(keepends=True)) if row]
    except csv.Error:
        return None
    if not rows:
        return ()
    places = {name.strip(): place for place, name in enumerate(rows[0])}
    wanted = [(name, type, places.get(name, -1)) for name, type in columns.items()]
    return tuple({name: _cell(row, place, type) for name, type, place in wanted} for row in rows[1:])


def _cell(row: list[str], place: int, type: Type) -> Any:
    if not 0 <= place < len(row):
        return None
    cell = row[place].strip()
    kind = type["optional"] if isinstance(type, dict) and "optional" in type else type
    if kind in ("int", "decimal"):
        number = read_number(cell)
        whole = number is not None and number.denominator == 1
        return int(number) if number is not None and kind == "int" and whole else number if kind == "decimal" else None
    if kind == "bool":
        return {"true": True, "false": False}.get(cell.casefold())
    try:
        return argument_reader(kind)(cell)
    except WireError:
        return None


def read_json(text: Any) -> Any:
    """The value that the text spells: objects as dicts, arrays as tuples, decimals as Fractions; else null."""
    if not isinstance(text, str):
        return None
    try:
        return _frozen(json.loads(text, parse_float=_decimal, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return None


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value


def _decimal(digits: str) -> Fraction:
    exponent = digits.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:  # a Fraction would hold all of its digits
        raise ValueError("a number out of range")
    return Fraction(digits)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")
