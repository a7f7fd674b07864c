"""Values that a field may take in place of another: near those that a condition compares with, and plausible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import product
from typing import Any

from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.types import BOOL, EnumType, ListOf, Optional, Reference, Type, is_numeric, is_textual, required
from cwkc.meaning.walk import walk

_SHARES = tuple(Fraction(n, 10) for n in (1, 3, 5, 7, 8, 9, 10, 11, 12, 15, 20, 30))
_STEPS = (timedelta(hours=1), timedelta(days=1), timedelta(days=3), timedelta(days=10), timedelta(days=40))


def candidates(
    field: typed.FieldDef, value: Any, condition: typed.Expr, elsewhere: Iterable[Any], scope: Scope
) -> list[Any]:
    """Other values for a field, each once: those that stand `elsewhere`, and those near what a condition compares with.

    None of them is later than the clock, unless the field is `scheduled`.
    """
    constants = tuple(_constants(condition, scope))
    found = [*elsewhere, *_near(field.type, constants, scope)]
    if isinstance(field.type, Optional):
        found.append(None)
    kept: list[Any] = []
    for each in found:
        if each != value and each not in kept and (field.scheduled or not _is_later(each, scope)):
            kept.append(each)
    return kept


def _constants(condition: typed.Expr, scope: Scope) -> Iterator[Any]:
    """The values that a condition compares with: what it says, and what truths say."""
    for part in walk(condition):
        if isinstance(part, typed.Constant):
            if not isinstance(required(part.type), EnumType):  # a field of an enum takes all of its values
                yield part.value
        elif isinstance(part, typed.Truth):
            yield scope.truths.get(part.name)
        elif isinstance(part, typed.FieldOf) and isinstance(part.base, typed.Truth):
            yield evaluate(part, scope)


def _near(kind: Type, constants: tuple[Any, ...], scope: Scope) -> Iterator[Any]:
    core = required(kind)
    if isinstance(core, EnumType):
        yield from core.values
    elif isinstance(core, ListOf):
        yield ()
        yield from ((each,) for each in _near(core.item, constants, scope))
    elif core == BOOL:
        yield from (True, False)
    elif is_numeric(core):
        yield from _numbers(constants, whole=str(core) == "int")
    elif is_textual(core):
        yield from (each for each in constants if isinstance(each, str))
    elif not isinstance(core, Reference):
        yield from _times(str(core), constants, scope)


def _numbers(constants: tuple[Any, ...], whole: bool) -> Iterator[Any]:
    for each in constants:
        if isinstance(each, int | Fraction) and not isinstance(each, bool):
            number = Fraction(each)
            near = [number + step for step in (0, 1, -1, 10, -10)] + [number * share for share in _SHARES]
            yield from ((round(value) if whole else Fraction(round(value, 2))) for value in near)


def _times(kind: str, constants: tuple[Any, ...], scope: Scope) -> Iterator[Any]:
    """Moments and days around those that are named, and as long before the clock as the durations that are named."""
    now: datetime = scope.now
    lengths = [each for each in constants if isinstance(each, timedelta)]
    moments = [each for each in constants if isinstance(each, datetime)]
    days = [each for each in constants if isinstance(each, date) and not isinstance(each, datetime)]
    steps = [sign * step for step in _STEPS for sign in (1, -1)]
    if kind == "duration":
        yield from (_whole(length * float(share)) for length in lengths for share in _SHARES)
    elif kind == "datetime":
        yield from _shifted((now,), (-_whole(length * float(share)) for length in lengths for share in _SHARES))
        yield from _shifted((*moments, now), steps)
        yield from _shifted((datetime.combine(day, now.timetz()) for day in days), (timedelta(), *steps))
    elif kind == "date":
        yield from _shifted((now.date(),), (-_whole(length * float(share)) for length in lengths for share in _SHARES))
        named = (*days, *(moment.date() for moment in moments), now.date())
        yield from _shifted(named, (step for step in (timedelta(), *steps) if step.days))


def _shifted(moments: Iterable[date], steps: Iterable[timedelta]) -> Iterator[date]:
    """Each moment moved by each step, as far as the calendar goes."""
    for moment, step in product(moments, steps):
        with suppress(OverflowError):
            yield moment + step


def _whole(length: timedelta) -> timedelta:
    """In whole minutes, as people say times."""
    return timedelta(minutes=round(length.total_seconds() / 60))


def _is_later(value: Any, scope: Scope) -> bool:
    if isinstance(value, datetime):
        return bool(value > scope.now)
    return isinstance(value, date) and value > scope.now.date()
