"""Values as Python text, and the values that a module names once and for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from attrs import frozen

from coworkdsl.values import to_stored
from cwkc.emit.names import Names
from cwkc.emit.printer import NOTHING, Choice, Document, Group, Indent, bracketed, joined, listed, printed

_LONGEST_PART = 96
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """A text literal, in double quotes unless that takes more escapes; what cannot be seen is escaped."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    written = "".join(map(_escaped, text)).replace(quote, f"\\{quote}")
    return f"{quote}{written}{quote}"


def _text(text: str) -> Document:
    """A text literal, in several parts where it does not fit a line."""
    parts = [""]
    for word in re.split(r"(?<=\s)(?=\S)", text):
        if parts[-1] and len(quoted(parts[-1] + word)) > _LONGEST_PART:
            parts.append("")
        parts[-1] += word
    if len(parts) == 1:
        return quoted(text)
    pieces = joined([Choice(quoted(part), "") for part in parts], NOTHING)
    return Group((Choice("(", quoted(text)), Indent((NOTHING, pieces)), NOTHING, Choice(")", "")))


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@frozen(eq=False)
class Hole:
    """A value that is another one in each member of a family, in the place of a value. `value`: that of the first."""

    name: str
    value: Any


def literal(value: Any) -> Document:
    """Any value of the language as an expression over `rt`."""
    match value:
        case Hole():
            return f"HOLES[{quoted(value.name)}]"
        case str():
            return _text(value)
        case Fraction(denominator=1):
            return str(value.numerator)
        case Fraction():
            return f"rt.Fraction({value.numerator}, {value.denominator})"
        case datetime():
            return f'rt.parse_datetime("{to_stored(value)}")'
        case date():
            return f'rt.parse_date("{to_stored(value)}")'
        case timedelta():
            return f'rt.parse_duration("{to_stored(value)}")'
        case tuple():
            return tuple_display(tuple(map(literal, value)))
        case Mapping():
            return dict_display({key: literal(item) for key, item in value.items()})
        case _:
            return repr(value)


def tuple_display(items: tuple[Document, ...]) -> Document:
    """A tuple; one of a single item keeps its comma."""
    return bracketed("(", (items[0], ","), ")") if len(items) == 1 else listed("(", items, ")")


def dict_display(items: Mapping[str, Document]) -> Document:
    return listed("{", ((f"{quoted(key)}: ", value) for key, value in items.items()), "}")


class Constants:
    """The moments and durations of a module: parsed once, at import, under names that say them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._named: dict[str, str] = {}

    def of(self, value: Any) -> Document:
        """The value in an expression: by its name if it has one, or else as a literal."""
        if not isinstance(value, date | timedelta):
            return literal(value)
        text = printed(literal(value))
        if text not in self._named:
            self._named[text] = self._names.take(_name(text))
        return self._named[text]

    def lines(self) -> list[str]:
        """The assignments that the module needs, in the order of first use."""
        return [f"{name} = {text}" for text, name in self._named.items()]


def _name(text: str) -> str:
    """`PT48H` for a duration, `ON_2026_03_14` for a date, `AT_2026_03_14T09_00_00Z` for a moment."""
    written = text.split('"')[1]
    prefix = "" if "duration" in text else "AT_" if "T" in written else "ON_"
    words = written.replace("-P", "MINUS_P").replace("+", "_PLUS_")
    return prefix + re.sub(r"[^A-Za-z0-9]+", "_", words)
