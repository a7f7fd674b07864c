"""Values of any type as JSON that says of itself what they are: for values whose type no descriptor names.

A text, a whole number, true, false and null stand for themselves, and an array for a list. What else there is stands in
an object of one member that names its type: `{"decimal": "1/3"}`, `{"date": "2026-03-14"}`, `{"datetime": …}`,
`{"duration": "PT48H"}`, and `{"row": {…}}` for a row of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from coworkdsl.values import parse_date, parse_datetime, parse_decimal, parse_duration, to_stored

_READERS: dict[str, Callable[[str], Any]] = {
    "decimal": parse_decimal,
    "date": parse_date,
    "datetime": parse_datetime,
    "duration": parse_duration,
}


def to_tagged(value: Any) -> Any:
    """The JSON of a value."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, tuple):
        return [to_tagged(item) for item in value]
    if isinstance(value, dict):
        return {"row": {str(key): to_tagged(item) for key, item in value.items()}}
    return {_kind(value): to_stored(value)}


def _kind(value: Any) -> str:
    if isinstance(value, Fraction):
        return "decimal"
    if isinstance(value, datetime):
        return "datetime"
    return "date" if isinstance(value, date) else "duration"


def from_tagged(document: Any) -> Any:
    """The value that such JSON stands for. Raises ValueError when it is none."""
    if document is None or isinstance(document, str | bool | int):
        return document
    if isinstance(document, list):
        return tuple(from_tagged(item) for item in document)
    if not isinstance(document, dict) or len(document) != 1:
        raise ValueError(f"`{document}` is no value with its type")
    ((kind, written),) = document.items()
    if kind == "row" and isinstance(written, dict):
        return {key: from_tagged(item) for key, item in written.items()}
    if kind not in _READERS or not isinstance(written, str):
        raise ValueError(f"`{document}` is no value with its type")
    return _READERS[kind](written)
