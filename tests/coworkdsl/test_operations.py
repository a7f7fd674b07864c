"""What the operators and functions mean."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl import operations as op

numbers = st.integers(-1000, 1000) | st.fractions(-1000, 1000, max_denominator=50)
durations = st.integers(-(10**6), 10**6).map(lambda n: timedelta(seconds=n))
anything = (
    st.none()
    | st.booleans()
    | numbers
    | durations
    | st.text(max_size=3)
    | st.dates()
    | st.datetimes(timezones=st.just(UTC))
    | st.lists(st.integers(0, 3), max_size=3).map(tuple)
    | st.dictionaries(st.text(max_size=1), st.integers(), max_size=2)
)
DAY = date(2026, 3, 14)
MOMENT = datetime(2026, 3, 14, 9, tzinfo=UTC)


@given(anything, anything)
def test_operations_are_total(a: Any, b: Any) -> None:
    for operation in (op.eq, op.ne, op.lt, op.le, op.gt, op.ge, op.eq_ignoring_case):
        assert operation(a, b) in (True, False)
    for arithmetic in (op.add, op.sub, op.mul, op.div):
        with suppress(op.DivisionByZero, op.OutOfRange):
            arithmetic(a, b)


@given(anything)
def test_null(a: Any) -> None:
    assert op.eq(a, None) == (a is None)
    assert not any(test(a, None) or test(None, a) for test in (op.lt, op.le, op.gt, op.ge))
    assert all(f(a, None) is None and f(None, a) is None for f in (op.add, op.sub, op.mul, op.div))


@given(numbers, numbers, numbers)
def test_arithmetic_is_exact(a: Any, b: Any, c: Any) -> None:
    assert op.sub(op.add(a, b), b) == a
    assert op.mul(op.add(a, b), c) == op.add(op.mul(a, c), op.mul(b, c))
    if b:
        assert op.mul(op.div(a, b), b) == a


def test_a_bool_is_no_number() -> None:
    assert not op.eq(True, 1)
    assert not op.member(False, (0, 1))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (op.add("a", "b"), "ab"),
        (op.add((1,), (2,)), (1, 2)),
        (op.sub((1, 2, 1, 3), (1,)), (2, 3)),
        (op.sub(DAY, date(2026, 3, 1)), timedelta(days=13)),
        (op.add(timedelta(days=1), DAY), date(2026, 3, 15)),
        (op.add(DAY, timedelta(hours=36)), date(2026, 3, 15)),
        (op.sub(DAY, timedelta(hours=36)), date(2026, 3, 12)),
        (op.sub(MOMENT, timedelta(hours=48)), datetime(2026, 3, 12, 9, tzinfo=UTC)),
        (op.mul(Fraction(1, 2), timedelta(hours=1)), timedelta(minutes=30)),
        (op.mul(timedelta(seconds=1), Fraction(1, 2)), timedelta(seconds=1)),
        (op.div(timedelta(hours=1), 2), timedelta(minutes=30)),
        (op.div(timedelta(hours=1), timedelta(minutes=40)), Fraction(3, 2)),
        (op.div(1, timedelta(hours=1)), None),
        (op.div(4, 2), Fraction(2)),
        (op.add("a", 1), None),
        (op.lt("a", 1), False),
        (op.neg(timedelta(hours=1)), timedelta(hours=-1)),
        (op.absolute(Fraction(-1, 2)), Fraction(1, 2)),
        (op.rounded(Fraction(5, 2)), 3),
        (op.rounded(Fraction(-5, 2)), -3),
        (op.rounded(Fraction(1005, 1000), 2), Fraction(101, 100)),
        (op.rounded(1250, -2), 1300),
        (op.eq_ignoring_case("Ines@OurCo.test", "ines@ourco.TEST"), True),
        (op.member_ignoring_case("A@b.test", ("x@b.test", "a@B.test")), True),
        (op.member(1, None), False),
        (op.total((1, None, Fraction(1, 2))), Fraction(3, 2)),
        (op.total(()), 0),
        (op.total((timedelta(hours=1), timedelta(hours=2))), timedelta(hours=3)),
        (op.least((3, None, 1)), 1),
        (op.greatest(3, 4, None), 4),
        (op.least(()), None),
        (op.only((1,)), 1),
        (op.only((1, 2)), None),
        (op.first((1, 2, 3), 2), (1, 2)),
        (op.first((1, 2, 3), -1), ()),
        (op.first((1, 2, 3), None), ()),
        (op.share((True, None, False, True)), Fraction(1, 2)),
        (op.share(()), Fraction(0)),
        (op.length((1, 2)), 2),
        (op.length(None), None),
        (op.interpolate("n = ", Fraction(5, 2), ", ", None, timedelta(hours=1)), "n = 2.5, PT1H"),
        (op.column({"a": 1}, "b"), None),
        (op.column(None, "b"), None),
        (op.date_of(MOMENT), DAY),
        (op.weekday(DAY), "saturday"),
        (op.business_days(DAY, 1), date(2026, 3, 16)),
        (op.business_days(date(2026, 3, 13), 5), date(2026, 3, 20)),
        (op.business_days(date(2026, 3, 13), -5), date(2026, 3, 6)),
        (op.business_days(DAY, 0), DAY),
    ],
)
def test_results(result: Any, expected: Any) -> None:
    assert result == expected
    assert isinstance(result, bool) == isinstance(expected, bool)


@given(st.dates(date(2000, 1, 1), date(2030, 1, 1)), st.integers(1, 40))
def test_business_days_counts_weekdays(day: date, n: int) -> None:
    after = op.business_days(day, n)
    between = [day + timedelta(days=i) for i in range(1, (after - day).days + 1)]
    assert sum(d.weekday() < 5 for d in between) == n
    assert after.weekday() < 5


@pytest.mark.parametrize(
    "operation",
    [
        lambda: op.add(MOMENT, timedelta(days=4_000_000)),
        lambda: op.mul(10**15, timedelta(days=1)),
        lambda: op.business_days(DAY, 10**12),
        lambda: op.rounded(1, 10**9),
        lambda: op.mul(10**800, 10**800),
        lambda: op.add("x" * 600_000, "x" * 600_000),
        lambda: op.interpolate("x" * 600_000, "x" * 600_000),
    ],
)
def test_out_of_range(operation: Any) -> None:
    with pytest.raises(op.OutOfRange):
        operation()


@pytest.mark.parametrize("zero", [0, Fraction(0), timedelta(0)])
def test_division_by_zero(zero: Any) -> None:
    with pytest.raises(op.DivisionByZero):
        op.div(timedelta(hours=1), zero)


@given(st.lists(st.tuples(st.none() | st.integers(0, 3), st.integers())), st.booleans())
def test_sorting_is_stable_with_nulls_last(pairs: list[tuple[int | None, int]], descending: bool) -> None:
    result = op.ordered(enumerate(pairs), key=lambda pair: pair[1][0], descending=descending)
    keys = [pair[0] for _, pair in result]
    present = [key for key in keys if key is not None]
    assert keys == sorted(present, reverse=descending) + [None] * (len(keys) - len(present))
    for key in set(keys):
        places = [place for place, pair in result if pair[0] == key]
        assert places == sorted(places)
