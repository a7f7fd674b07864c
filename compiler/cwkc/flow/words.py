"""Whether a value stands in a text, in one of the ways in which people write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from coworkdsl.text import mentions_any, normalise, numbers_in, read_number
from coworkdsl.values import decimal_text
from cwkc.meaning.calendar import dates_in
from cwkc.meaning.types import EMAIL, EnumType, ListOf, Optional, Reference, Type
from cwkc.source import Span

FEWEST_CHARACTERS = 5
FEWEST_DIGITS = 3
"""Of texts and of numbers that are told: shorter ones stand in many a text by chance."""


def has_handle(text: str, handle: str) -> bool:
    """Whether an id or an address stands in a normalised text, and not within a longer one."""
    wanted = normalise(handle)
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _continues(text[max(start - 2, 0) : start][::-1]) and not _continues(text[end : end + 2]):
            return True
        start = text.find(wanted, start + 1)
    return False


def _continues(beside: str) -> bool:
    """Whether an id or an address goes on in the characters next to it, the nearest one first."""
    return bool(beside) and (beside[0].isalnum() or beside[0] in "_@+-" or (beside[0] == "." and beside[1:].isalnum()))


def digits(number: int | Fraction) -> int:
    return sum(character.isdigit() for character in decimal_text(Fraction(number)))


def telling(value: Any, type: Type) -> Iterator[tuple[Any, Type]]:
    """The parts of a value that tell something to whoever reads them in a text: ids, addresses, days, long numbers,
    long texts."""
    if isinstance(type, Optional):
        yield from telling(value, type.item)
    elif isinstance(type, ListOf):
        for item in value or ():
            yield from telling(item, type.item)
    elif isinstance(value, datetime):
        yield value.date(), type
    elif isinstance(value, date):
        yield value, type
    elif isinstance(value, int | Fraction) and not isinstance(value, bool):
        if digits(value) >= FEWEST_DIGITS:
            yield value, type
    elif isinstance(value, str) and not isinstance(type, EnumType) and _tells(value, type):
        yield value, type


def _tells(text: str, type: Type) -> bool:
    return isinstance(type, Reference) or type == EMAIL or len(text.strip()) >= FEWEST_CHARACTERS


def spelling(value: Any, type: Type, text: str, now: datetime) -> str | None:
    """The words with which a telling value stands in a text; None where it does not."""
    if isinstance(value, date):
        return next((words for words, day in _dates(text, now) if day == value), None)
    if isinstance(value, int | Fraction):
        if value not in numbers_in(text):
            return None
        written = re.findall(r"\d[\d,]*(?:\.\d+)?", text)
        return next((words for words in written if read_number(words) == abs(value)), decimal_text(Fraction(value)))
    if isinstance(type, Reference) or type == EMAIL:
        return value if has_handle(normalise(text), value) else None
    return value if normalise(value) in normalise(text) and mentions_any(text, (value,)) else None


@lru_cache(maxsize=1024)
def _dates(text: str, now: datetime) -> tuple[tuple[str, date], ...]:
    return tuple(dates_in(text, now))


def place(span: Span, words: str) -> Span:
    """Where words stand in the source; the whole span where they are not written as they are read."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", span.text, re.IGNORECASE) if pattern else None
    return span if found is None else Span(span.source, span.start + found.start(), span.start + found.end())


def written(value: Any, type: Type) -> str:
    """A value as an author writes it in a file."""
    if isinstance(type, Reference):
        return f"@{value}" if re.fullmatch(r"[\w-]+", value) else f'@"{value}"'
    if isinstance(value, str) and not isinstance(type, EnumType):
        return f'"{value}"'
    if isinstance(value, date):
        return value.isoformat()
    return decimal_text(Fraction(value)) if isinstance(value, int | Fraction) else str(value)
