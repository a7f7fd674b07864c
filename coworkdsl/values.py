"""Values, and their three written forms.

Inside: `str int Fraction bool date datetime timedelta None`, tuples for lists, dicts for rows. On the wire, what an
agent reads and writes: JSON. Stored, in a pack's files: the wire form with decimals as strings, which are exact. What
a value may be is said by a type descriptor: a scalar's name, or `{"enum": […]}`, `{"ref": record}`, `{"list": T}`,
`{"optional": T}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

Type = str | dict[str, Any]
Reader = Callable[[Any], Any]

LONGEST_ARGUMENT = 100_000
LONGEST_ARGUMENT_LIST = 10_000
LARGEST_INTEGER = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exact."""


class WireError(ValueError):
    """A value is not of its type. `reason` goes on after the value's name; `path` leads into it, as in `[2]`."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path


# ---------------------------------------------------------------------------- writing

_AS_IT_IS = frozenset((str, int, bool, type(None)))


def to_wire(value: Any) -> Any:
    """The JSON form of a value: fresh lists and objects, nothing shared."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is datetime:
        return datetime_text(value)
    if kind is Fraction:
        return _json_number(value)
    if isinstance(value, tuple):
        return [to_wire(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_wire(item) for key, item in value.items()}
    return time_text(value)


def to_stored(value: Any) -> Any:
    """The form in a pack's files: as on the wire, with decimals as strings."""
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, tuple):
        return [to_stored(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_stored(item) for key, item in value.items()}
    return to_wire(value)


def in_words(value: Any) -> str:
    """A value within a sentence; null is empty."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Fraction):
        return decimal_text(Fraction(value))
    if isinstance(value, tuple):
        return ", ".join(map(in_words, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {in_words(item)}" for key, item in value.items())
    return time_text(value)


def _json_number(value: Fraction) -> int | float:
    if value.denominator == 1:
        return value.numerator
    try:
        return float(value)
    except OverflowError:
        return round_half_away(value)


def decimal_text(value: Fraction) -> str:
    """`12.5`, or `1/3` where the digits have no end."""
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def time_text(value: date | timedelta) -> str:
    """A date, a datetime (in UTC with `Z`, else with its offset) or a duration."""
    if isinstance(value, timedelta):
        return duration_text(value)
    return datetime_text(value) if isinstance(value, datetime) else date_text(value)


def date_text(value: date) -> str:
    """`2026-03-14`"""
    return value.isoformat()


def datetime_text(value: datetime) -> str:
    """RFC 3339: `2026-03-14T09:00:00Z`, or with the offset that it has."""
    return _datetime_text(value, value.tzinfo)


@lru_cache(maxsize=4096)
def _datetime_text(value: datetime, _: tzinfo | None) -> str:
    """Kept, as the clock is written often; by zone, as equal moments are written differently in different zones."""
    text = value.isoformat()
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def duration_text(value: timedelta) -> str:
    """ISO 8601 in hours, minutes and seconds: `PT48H`, `-PT1H30M`, `PT0S`."""
    seconds = int(value.total_seconds())
    minutes, second = divmod(abs(seconds), 60)
    hour, minute = divmod(minutes, 60)
    parts = [f"{n}{unit}" for n, unit in ((hour, "H"), (minute, "M"), (second, "S")) if n]
    return ("-" if seconds < 0 else "") + "PT" + ("".join(parts) or "0S")


# ---------------------------------------------------------------------------- numbers


def round_half_away(x: int | Fraction) -> int:
    """The nearest whole number; a half goes away from zero."""
    size = abs(Fraction(x))
    whole = (2 * size.numerator + size.denominator) // (2 * size.denominator)
    return whole if x >= 0 else -whole


def duration_of(seconds: int | Fraction) -> timedelta:
    """A duration of whole seconds. Raises OverflowError."""
    return timedelta(seconds=round_half_away(seconds))


# ---------------------------------------------------------------------------- reading scalars

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATETIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.0+)?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII,
)
_DURATION = re.compile(
    r"(-)?P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})S)?)?",
    re.ASCII,
)
_EMAIL = re.compile(
    r"[^\s@.\"(),:;<>\[\]\\]+(?:\.[^\s@.\"(),:;<>\[\]\\]+)*@[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)*"
)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#]+[^\s]*")
_DECIMAL = re.compile(r"-?\d{1,1000}(?:\.\d{1,1000}|/\d{1,1000})?", re.ASCII)


def parse_date(text: str) -> date:
    """`2026-03-14`. Raises ValueError."""
    if not _DATE.fullmatch(text):
        raise ValueError("not a date")
    return date.fromisoformat(text)


def parse_datetime(text: str) -> datetime:
    """RFC 3339, whole seconds: `2026-03-14T09:00:00Z`. Raises ValueError."""
    found = _DATETIME.fullmatch(text)
    if not found:
        raise ValueError("not a date and time with a zone")
    day, time, zone = found.groups()
    moment = datetime.fromisoformat(f"{day}T{time}{'+00:00' if zone in 'Zz' else zone}")
    return moment.replace(tzinfo=UTC) if not moment.utcoffset() else moment


def parse_duration(text: str) -> timedelta:
    """ISO 8601 in weeks to seconds: `PT48H`, `P3D`. Raises ValueError."""
    found = _DURATION.fullmatch(text)
    if not found:
        raise ValueError("not a duration")
    sign, weeks, days, hours, minutes, seconds = found.groups(default="0")
    try:
        length = timedelta(
            weeks=int(weeks), days=int(days), hours=int(hours), minutes=int(minutes), seconds=int(seconds)
        )
    except OverflowError:
        raise ValueError("a duration out of range") from None
    return -length if sign == "-" else length


def parse_decimal(text: str) -> Fraction:
    """The stored form of a decimal: `12.50` or `1/3`. Raises ValueError."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError("not a decimal")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("a decimal over zero") from None


def parse_email(text: str) -> str:
    """An address as `name@host`. Raises ValueError."""
    if len(text) > 254 or not _EMAIL.fullmatch(text):
        raise ValueError("not an email address")
    return text


def parse_url(text: str) -> str:
    """An address with a scheme and a host. Raises ValueError."""
    if len(text) > 8_000 or not _URL.fullmatch(text):
        raise ValueError("not a URL")
    return text


def shown(value: Any) -> str:
    """A wire value for a message, short whatever it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        cut = value if len(value) <= 40 else value[:40] + "…"
        return '"' + cut.encode("utf-8", "replace").decode("utf-8") + '"'
    if isinstance(value, int):
        return str(int(value)) if value.bit_length() <= 128 else "a number of many digits"
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list | tuple) else f"a value of type {type(value).__name__}"


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise WireError(f"must be a text; got {shown(value)}")
    if len(value) > LONGEST_ARGUMENT:
        raise WireError(f"must have at most {LONGEST_ARGUMENT} characters; got {len(value)}")
    _refuse_surrogates(value)
    return value


def _read_stored_text(value: Any) -> str:
    if not isinstance(value, str):
        raise WireError(f"must be a text; got {shown(value)}")
    _refuse_surrogates(value)
    return value


def _refuse_surrogates(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WireError("must be Unicode text; it holds half of a surrogate pair") from None


def _read_int(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise WireError(f"must be a whole number; got {shown(value)}")
    if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        raise WireError(f"must lie between -{LARGEST_INTEGER} and {LARGEST_INTEGER}; got {shown(value)}")
    return int(value)


def _read_decimal(value: Any) -> Fraction:
    """A JSON number, as the decimal that it spells."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WireError(f"must be a number; got {shown(value)}")
    if isinstance(value, float) and not isfinite(value):
        raise WireError("must be a finite number")
    if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        raise WireError(f"must lie between -{LARGEST_INTEGER} and {LARGEST_INTEGER}; got {shown(value)}")
    return Fraction(value) if isinstance(value, int) else Fraction(repr(float(value)))


def _read_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WireError(f"must be true or false; got {shown(value)}")
    return value


def _read_parsed(parse: Callable[[str], Any], expectation: str) -> Reader:
    def read(value: Any) -> Any:
        try:
            return parse(_read_stored_text(value))
        except ValueError:
            raise WireError(f"must be {expectation}; got {shown(value)}") from None

    return read


_read_date = _read_parsed(parse_date, 'a date like "2026-03-14"')
_read_duration = _read_parsed(parse_duration, 'an ISO 8601 duration like "PT48H"')
_read_email = _read_parsed(parse_email, "an email address")
_read_url = _read_parsed(parse_url, 'a URL like "https://example.com/page"')
_read_moment = _read_parsed(
    parse_datetime, 'a date and time with a zone, in whole seconds, like "2026-03-14T09:00:00Z"'
)
_read_stored_decimal = _read_parsed(parse_decimal, 'a decimal as a text like "12.50"')

_ARGUMENT_SCALARS: dict[str, Reader] = {
    "text": _read_text,
    "int": _read_int,
    "decimal": _read_decimal,
    "bool": _read_bool,
    "date": _read_date,
    "datetime": _read_moment,
    "duration": _read_duration,
    "email": _read_email,
    "url": _read_url,
}
_STORED_SCALARS: dict[str, Reader] = {**_ARGUMENT_SCALARS, "text": _read_stored_text, "decimal": _read_stored_decimal}


# ---------------------------------------------------------------------------- readers of a type


def from_wire(type: Type, value: Any) -> Any:
    """The value that a JSON value spells. Raises WireError, or ValueError for what is no type descriptor."""
    return argument_reader(type)(value)


def argument_reader(type: Type) -> Reader:
    """What reads an agent's value of the type; it raises WireError. A reference is read as its id.

    Raises ValueError for what is no type descriptor.
    """
    return _reader(type, _ARGUMENT_SCALARS)


def stored_reader(type: Type) -> Reader:
    """What reads a value of the type out of a pack's file; it raises WireError. Raises ValueError likewise."""
    return _reader(type, _STORED_SCALARS)


def _reader(type: Type, scalars: dict[str, Reader]) -> Reader:
    if isinstance(type, str) and type in scalars:
        return scalars[type]
    if isinstance(type, dict) and len(type) == 1:
        ((form, inner),) = type.items()
        if form == "enum" and isinstance(inner, list | tuple) and all(isinstance(name, str) for name in inner):
            return _enum_reader(tuple(inner))
        if form == "ref" and isinstance(inner, str):
            return scalars["text"]
        if form == "list":
            return _list_reader(_reader(inner, scalars))
        if form == "optional":
            return _optional_reader(_reader(inner, scalars))
    raise ValueError(f"`{type}` is no type descriptor")


def _enum_reader(names: tuple[str, ...]) -> Reader:
    allowed = {name: name for name in names}
    expectation = f"must be one of {', '.join(names)}"

    def read(value: Any) -> str:
        found = allowed.get(value) if isinstance(value, str) else None
        if found is None:
            raise WireError(f"{expectation}; got {shown(value)}")
        return found

    return read


def _list_reader(read_item: Reader) -> Reader:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise WireError(f"must be an array; got {shown(value)}")
        if len(value) > LONGEST_ARGUMENT_LIST:
            raise WireError(f"must have at most {LONGEST_ARGUMENT_LIST} items; got {len(value)}")
        items = []
        for index, item in enumerate(value):
            try:
                items.append(read_item(item))
            except WireError as invalid:
                raise WireError(invalid.reason, f"[{index}]{invalid.path}") from None
        return tuple(items)

    return read


def _optional_reader(read_present: Reader) -> Reader:
    def read(value: Any) -> Any:
        return None if value is None else read_present(value)

    return read
