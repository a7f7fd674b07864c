"""Reading and writing values."""

from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from coworkdsl.values import (
    LARGEST_INTEGER,
    WireError,
    argument_reader,
    decimal_text,
    from_wire,
    in_words,
    parse_datetime,
    round_half_away,
    stored_reader,
    to_stored,
    to_wire,
)

zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
texts = st.text(st.characters(exclude_categories=["Cs"]))
decimals = st.fractions()
whole_seconds = st.integers(-(10**9), 10**9).map(lambda n: timedelta(seconds=n))
moments = st.datetimes(timezones=zones).map(lambda moment: moment.replace(microsecond=0))
typed_values = st.one_of(
    st.tuples(st.just("text"), texts),
    st.tuples(st.just("int"), st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)),
    st.tuples(st.just("bool"), st.booleans()),
    st.tuples(st.just("date"), st.dates()),
    st.tuples(st.just("datetime"), moments),
    st.tuples(st.just("duration"), whole_seconds),
    st.tuples(st.just({"optional": "int"}), st.none()),
    st.tuples(st.just({"list": "date"}), st.lists(st.dates()).map(tuple)),
    st.tuples(st.just({"list": {"list": "text"}}), st.lists(st.lists(texts).map(tuple)).map(tuple)),
)


@given(typed_values)
def test_what_is_written_is_read_back(typed: tuple[Any, Any]) -> None:
    type, value = typed
    assert from_wire(type, to_wire(value)) == value
    assert stored_reader(type)(to_stored(value)) == value


@given(decimals)
def test_stored_decimals_are_exact(value: Fraction) -> None:
    assert stored_reader("decimal")(to_stored(value)) == value


@given(st.floats(-1e12, 1e12, allow_nan=False))
def test_a_number_is_read_as_the_decimal_that_it_spells(value: float) -> None:
    assert float(from_wire("decimal", value)) == value


@given(moments)
def test_offsets_are_kept(value: datetime) -> None:
    assert parse_datetime(to_wire(value)).utcoffset() == value.utcoffset()


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        (Fraction(25, 2), 12.5),
        (Fraction(4, 2), 2),
        (date(2026, 3, 14), "2026-03-14"),
        (datetime(2026, 3, 14, 9, tzinfo=UTC), "2026-03-14T09:00:00Z"),
        (datetime(2026, 3, 14, 9, tzinfo=timezone(timedelta(hours=2))), "2026-03-14T09:00:00+02:00"),
        (timedelta(hours=48), "PT48H"),
        (timedelta(seconds=-5400), "-PT1H30M"),
        (timedelta(0), "PT0S"),
        (("a", None, Fraction(1, 4)), ["a", None, 0.25]),
        ({"a": date(2026, 3, 14)}, {"a": "2026-03-14"}),
        pytest.param(Fraction(10**400) + Fraction(1, 2), 10**400 + 1, id="beyond floats"),
    ],
)
def test_wire_forms(value: Any, wire: Any) -> None:
    assert to_wire(value) == wire


@pytest.mark.parametrize(
    ("type", "wire", "value"),
    [
        ("int", 3.0, 3),
        ("decimal", 3, Fraction(3)),
        ("decimal", 0.1, Fraction(1, 10)),
        ("datetime", "2026-03-14t09:00:00.000z", datetime(2026, 3, 14, 9, tzinfo=UTC)),
        ("datetime", "2026-03-14T09:00:00-00:00", datetime(2026, 3, 14, 9, tzinfo=UTC)),
        ("duration", "P2DT3H", timedelta(days=2, hours=3)),
        ("duration", "P2W", timedelta(weeks=2)),
        ("email", "Zoë.o'Neil+x@mail.ourco.test", "Zoë.o'Neil+x@mail.ourco.test"),
        ("url", "https://ourco.test/a?b=c#d", "https://ourco.test/a?b=c#d"),
        ({"optional": {"enum": ["low"]}}, "low", "low"),
        ({"ref": "helpdesk.Ticket"}, "TK-1", "TK-1"),
    ],
)
def test_accepted(type: Any, wire: Any, value: Any) -> None:
    assert from_wire(type, wire) == value


@pytest.mark.parametrize(
    ("type", "wire", "message"),
    [
        ("int", True, "must be a whole number; got true"),
        ("int", 3.5, "must be a whole number; got 3.5"),
        ("int", "3", 'must be a whole number; got "3"'),
        ("int", float("nan"), "must be a whole number; got nan"),
        pytest.param(
            "int",
            10**5000,
            "must lie between -9007199254740991 and 9007199254740991; got a number of many digits",
            id="huge",
        ),
        ("decimal", float("inf"), "must be a finite number"),
        ("decimal", False, "must be a number; got false"),
        ("decimal", 1e300, "must lie between -9007199254740991 and 9007199254740991; got 1e+300"),
        ("text", None, "must be a text; got null"),
        pytest.param("text", "x" * 100_001, "must have at most 100000 characters; got 100001", id="long text"),
        ("text", "\ud800", "must be Unicode text; it holds half of a surrogate pair"),
        ("bool", 1, "must be true or false; got 1"),
        ("date", "2026-02-30", 'must be a date like "2026-03-14"; got "2026-02-30"'),
        ("date", "20260314", 'must be a date like "2026-03-14"; got "20260314"'),
        (
            "datetime",
            "2026-03-14T09:00:00",
            'must be a date and time with a zone, in whole seconds, like "2026-03-14T09:00:00Z"; '
            'got "2026-03-14T09:00:00"',
        ),
        ("duration", "P1Y", 'must be an ISO 8601 duration like "PT48H"; got "P1Y"'),
        ("email", "Dana", 'must be an email address; got "Dana"'),
        ("url", "ourco.test", 'must be a URL like "https://example.com/page"; got "ourco.test"'),
        ({"enum": ["low", "high"]}, "urgent", 'must be one of low, high; got "urgent"'),
        ({"enum": ["low", "high"]}, ["low"], "must be one of low, high; got an array"),
        ({"list": "text"}, {"a": 1}, "must be an array; got an object"),
        ({"list": "int"}, [0] * 10_001, "must have at most 10000 items; got 10001"),
    ],
)
def test_refused(type: Any, wire: Any, message: str) -> None:
    with pytest.raises(WireError) as caught:
        from_wire(type, wire)
    assert caught.value.reason == message


@pytest.mark.parametrize(
    "moment", ["2026-03-14T09:00:00.5Z", "2026-03-14 09:00:00Z", "2026-13-01T00:00:00Z", "２026-03-14T09:00:00Z"]
)
def test_moments_refused(moment: str) -> None:
    with pytest.raises(WireError):
        from_wire("datetime", moment)


@pytest.mark.parametrize(
    "address", ["a@b@c", "@b.test", "a@", "a b@c.test", "a..b@c.test", "a@-b.test", "a@b..test", "<a@b.test>"]
)
def test_addresses_refused(address: str) -> None:
    with pytest.raises(WireError):
        from_wire("email", address)


def test_an_error_leads_into_lists() -> None:
    with pytest.raises(WireError) as caught:
        from_wire({"list": {"list": "int"}}, [[1], [2, "x"]])
    assert caught.value.path == "[1][1]"


@pytest.mark.parametrize(
    "type", ["float", {}, {"enum": 3}, {"enum": [[]]}, {"list": "float"}, {"ref": "a", "list": "text"}, None]
)
def test_what_is_no_type_descriptor(type: Any) -> None:
    with pytest.raises(ValueError, match="is no type descriptor"):
        argument_reader(type)


SCHEMAS: list[tuple[Any, dict[str, Any]]] = [
    ("int", {"type": "integer", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER}),
    ("decimal", {"type": "number", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER}),
    ("bool", {"type": "boolean"}),
    ("text", {"type": "string"}),
    ({"enum": ["low", "high"]}, {"enum": ["low", "high"]}),
    ({"list": "int"}, {"type": "array", "items": {"type": "integer"}}),
    ({"optional": "text"}, {"type": ["string", "null"]}),
]
scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.sampled_from(["low", "", "3"])
json_values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.just("a"), scalars)


@given(st.sampled_from(SCHEMAS), json_values)
def test_readers_agree_with_json_schema(typed: tuple[Any, dict[str, Any]], value: Any) -> None:
    type, schema = typed
    try:
        from_wire(type, value)
        accepted = True
    except WireError:
        accepted = False
    assert accepted == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("value", "text"), [("12.50", "12.5"), ("1/3", "1/3"), ("-0.05", "-0.05"), ("100", "100"), ("1/8", "0.125")]
)
def test_decimal_text(value: str, text: str) -> None:
    assert decimal_text(Fraction(value)) == text


def test_in_words() -> None:
    assert in_words(("a", Fraction(5, 2), None, True, date(2026, 3, 14))) == "a, 2.5, , true, 2026-03-14"


@given(st.fractions())
def test_rounding_is_symmetric_and_near(value: Fraction) -> None:
    assert round_half_away(-value) == -round_half_away(value)
    assert abs(round_half_away(value) - value) <= Fraction(1, 2)
