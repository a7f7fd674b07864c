"""What the operators and functions of the language mean: one definition, for the evaluator and for emitted code.

Every operation is total. A null operand makes arithmetic null and an ordering false; so does an operand of a kind that
the operation does not know, which only values read by `json(…)` can bring. Raised is `Undefined` alone: a division by
zero, or a result beyond what a pack may hold.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from coworkdsl.values import duration_of, in_words, round_half_away

LONGEST_TEXT = 1_000_000
LONGEST_LIST = 100_000
LARGEST_NUMBER_BITS = 4096

_NUMBERS = frozenset((int, Fraction))  # asked for `type(x)`: `isinstance(x, Fraction)` is twenty times slower


class Undefined(ArithmeticError):
    """An operation has no result. `code` is the error that a tool answers with."""

    code = "undefined"


class DivisionByZero(Undefined):
    code = "division_by_zero"

    def __init__(self) -> None:
        super().__init__("division by zero")


class OutOfRange(Undefined):
    code = "out_of_range"


# ---------------------------------------------------------------------------- comparison


def eq(a: Any, b: Any) -> bool:
    """Total equality: null equals null alone, and a bool never equals a number."""
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def ne(a: Any, b: Any) -> bool:
    return not eq(a, b)


def fold_case(value: Any) -> Any:
    """A text in the form in which addresses are compared; other values as they are."""
    if isinstance(value, str):
        return value.casefold()
    if isinstance(value, tuple):
        return tuple(fold_case(item) for item in value)
    return value


def eq_ignoring_case(a: Any, b: Any) -> bool:
    return eq(fold_case(a), fold_case(b))


def ne_ignoring_case(a: Any, b: Any) -> bool:
    return not eq_ignoring_case(a, b)


def member(x: Any, xs: Any) -> bool:
    return any(eq(x, y) for y in elements(xs))


def member_ignoring_case(x: Any, xs: Any) -> bool:
    return member(fold_case(x), fold_case(xs))


def _compare(test: Callable[[Any, Any], Any], a: Any, b: Any) -> bool:
    if a is None or b is None:
        return False
    try:
        return bool(test(a, b))
    except TypeError:  # values of kinds that have no order
        return False


def lt(a: Any, b: Any) -> bool:
    return _compare(operator.lt, a, b)


def le(a: Any, b: Any) -> bool:
    return _compare(operator.le, a, b)


def gt(a: Any, b: Any) -> bool:
    return _compare(operator.gt, a, b)


def ge(a: Any, b: Any) -> bool:
    return _compare(operator.ge, a, b)


def truthy(x: Any) -> bool:
    """Whether a condition holds: null counts as false."""
    return x is True


# ---------------------------------------------------------------------------- arithmetic


def _bounded(result: Any) -> Any:
    """The result, unless it is longer or larger than a pack may hold."""
    if type(result) in _NUMBERS:
        bits = max(result.numerator.bit_length(), result.denominator.bit_length())
        if bits > LARGEST_NUMBER_BITS:
            raise OutOfRange(f"a number of more than {LARGEST_NUMBER_BITS} bits")
    elif isinstance(result, str) and len(result) > LONGEST_TEXT:
        raise OutOfRange(f"a text of more than {LONGEST_TEXT} characters")
    elif isinstance(result, tuple) and len(result) > LONGEST_LIST:
        raise OutOfRange(f"a list of more than {LONGEST_LIST} items")
    return result


def _compute(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if a is None or b is None:
        return None
    try:
        return _bounded(operation(a, b))
    except TypeError:  # values of kinds that do not go together
        return None
    except OverflowError:
        raise OutOfRange("a date or duration out of range") from None


def add(a: Any, b: Any) -> Any:
    """Numbers, durations, texts, lists, and a date or datetime with a duration."""
    return _compute(_add, a, b)


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, timedelta) and isinstance(b, date):
        return b + a
    return a + b


def sub(a: Any, b: Any) -> Any:
    """Numbers, durations, dates, datetimes; on lists the members of `a` that are not in `b`."""
    return _compute(_subtract, a, b)


def _subtract(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return tuple(x for x in a if not member(x, b))
    if isinstance(b, timedelta):  # of a date: the day that holds the moment reached from midnight
        return a + -b
    return a - b


def mul(a: Any, b: Any) -> Any:
    """Numbers, and a number with a duration (rounded to whole seconds)."""
    return _compute(_multiply, a, b)


def _multiply(a: Any, b: Any) -> Any:
    if isinstance(a, timedelta):
        a, b = b, a
    if isinstance(b, timedelta):
        return duration_of(_number(a) * int(b.total_seconds()))
    return _number(a) * _number(b)


def div(a: Any, b: Any) -> Any:
    """Exact: numbers give a Fraction, durations their ratio, a duration and a number a duration of whole seconds.

    Raises DivisionByZero.
    """
    return _compute(_divide, a, b)


def _divide(a: Any, b: Any) -> Any:
    whole = isinstance(a, timedelta) and not isinstance(b, timedelta)
    dividend, divisor = _magnitude(a), _number(b) if whole else _magnitude(b)
    if isinstance(b, timedelta) and not isinstance(a, timedelta):
        raise TypeError("a number has no ratio to a duration")
    if divisor == 0:
        raise DivisionByZero
    quotient = Fraction(dividend) / divisor
    return duration_of(quotient) if whole else quotient


def _magnitude(value: Any) -> int | Fraction:
    return int(value.total_seconds()) if isinstance(value, timedelta) else _number(value)


def _number(value: Any) -> int | Fraction:
    if type(value) is int or type(value) is Fraction:
        return value
    raise TypeError("not a number")


def neg(a: Any) -> Any:
    return -a if type(a) in _NUMBERS or isinstance(a, timedelta) else None


def absolute(a: Any) -> Any:
    return abs(a) if type(a) in _NUMBERS or isinstance(a, timedelta) else None


def rounded(x: Any, digits: Any = 0) -> Any:
    """`x` to so many decimal digits, exactly; a half goes away from zero."""
    if type(x) not in _NUMBERS or not isinstance(digits, int):
        return None
    if abs(digits) > LARGEST_NUMBER_BITS // 4:
        raise OutOfRange(f"rounding to {digits} digits")
    scale = Fraction(10) ** digits
    result = round_half_away(x * scale) / scale
    return result.numerator if result.denominator == 1 else result


# ---------------------------------------------------------------------------- lists


def elements(xs: Any) -> Any:
    """What to iterate over: null has no elements, nor has a json value that is no list."""
    return xs if hasattr(xs, "__iter__") and not isinstance(xs, str | dict) else ()


def only(xs: Iterable[Any]) -> Any:
    """The one member; null when there are none or several."""
    found = tuple(xs)
    return found[0] if len(found) == 1 else None


def first(xs: Iterable[Any], n: Any) -> tuple[Any, ...]:
    """At most `n` members, from the start; none when `n` is null or negative."""
    return tuple(xs)[: max(n, 0)] if isinstance(n, int) else ()


def ordered(xs: Iterable[Any], key: Callable[[Any], Any], descending: bool = False) -> tuple[Any, ...]:
    """Sorted by `key`, stably in both directions; members whose key is null come last.

    Keys of kinds that have no order leave the members as they come."""
    members = tuple(xs)
    try:
        return tuple(sorted(members, key=key, reverse=descending))
    except TypeError:  # some keys are null, or of kinds that have no order
        return _ordered_with_nulls(members, key, descending)


def _ordered_with_nulls(members: tuple[Any, ...], key: Callable[[Any], Any], descending: bool) -> tuple[Any, ...]:
    present = [x for x in members if key(x) is not None]
    with suppress(TypeError):
        present.sort(key=key, reverse=descending)
    return (*present, *(x for x in members if key(x) is None))


def share(conditions: Iterable[Any]) -> Fraction:
    """The share of the conditions that hold; 0 of none."""
    held = [condition is True for condition in conditions]
    return Fraction(sum(held), len(held)) if held else Fraction(0)


def length(x: Any) -> int | None:
    return len(x) if isinstance(x, str | tuple | dict) else None


def total(xs: Any) -> Any:
    """The sum without the nulls; 0 of nothing."""
    present = [x for x in elements(xs) if x is not None]
    result = present[0] if present else 0
    for x in present[1:]:
        result = add(result, x)
    return result


def _present(values: tuple[Any, ...]) -> list[Any]:
    candidates = elements(values[0]) if len(values) == 1 else values
    return [x for x in candidates if x is not None]


def least(*values: Any) -> Any:
    """The least of a list, or of several values, without the nulls; null of nothing."""
    return _extreme(min, values)


def greatest(*values: Any) -> Any:
    return _extreme(max, values)


def _extreme(choose: Callable[[list[Any]], Any], values: tuple[Any, ...]) -> Any:
    present = _present(values)
    try:
        return choose(present) if present else None
    except TypeError:  # values of kinds that have no order
        return None


def column(row: Any, name: str) -> Any:
    """A column of a row or a key of a json object; null where it is missing."""
    return row.get(name) if isinstance(row, dict) else None


# ---------------------------------------------------------------------------- texts and time


def interpolate(*parts: Any) -> str:
    """The parts joined, each as a reader writes it; null is empty."""
    joined = "".join(map(in_words, parts))
    _bounded(joined)
    return joined


def lower_case(text: Any) -> str | None:
    return text.lower() if isinstance(text, str) else None


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def date_of(moment: Any) -> date | None:
    """The local date of a datetime; a date is its own."""
    if isinstance(moment, datetime):
        return moment.date()
    return moment if isinstance(moment, date) else None


def weekday(day: Any) -> str | None:
    return WEEKDAYS[day.weekday()] if isinstance(day, date) else None


def business_days(day: Any, n: Any) -> Any:
    """The day that lies `n` weekdays (Monday to Friday) after `day`, or before it when `n` is negative.

    Raises OutOfRange.
    """
    if not isinstance(day, date) or not isinstance(n, int):
        return None
    step = 1 if n >= 0 else -1
    weeks, rest = divmod(abs(n), 5)
    if weeks and not rest:  # the last step lands on a weekday, also from a weekend
        weeks, rest = weeks - 1, 5
    try:
        day += timedelta(weeks=weeks * step)
        while rest:
            day += timedelta(days=step)
            rest -= day.weekday() < 5
    except OverflowError:
        raise OutOfRange("a date out of range") from None
    return day
