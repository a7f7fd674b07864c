"""Values and names in emitted code."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl import runtime as rt
from cwkc.emit.literals import Constants, literal, quoted
from cwkc.emit.names import Names, slug
from cwkc.emit.printer import WIDTH, printed

ZONES = st.sampled_from([UTC, timezone(timedelta(hours=2)), timezone(-timedelta(hours=9, minutes=30))])
MOMENTS = st.builds(
    lambda moment, zone: moment.replace(microsecond=0, tzinfo=zone), st.datetimes(datetime(1900, 1, 1)), ZONES
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.fractions()
    | st.dates()
    | MOMENTS
    | st.integers(-(10**9), 10**9).map(lambda seconds: timedelta(seconds=seconds)),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES)
def test_a_literal_is_its_value(value: Any) -> None:
    assert eval(printed(literal(value)), {"rt": rt}) == value


@given(st.text())
def test_a_quoted_text_shows_everything_that_it_holds(text: str) -> None:
    written = quoted(text)
    assert written.isprintable()
    assert eval(written) == text


@given(st.lists(st.text("abc\"'\\ü", min_size=1, max_size=20), min_size=30, max_size=60).map(" ".join))
def test_a_long_text_is_broken_between_words(text: str) -> None:
    written = printed(("x = ", literal(text)), 8)
    assert max(map(len, written.splitlines())) <= WIDTH
    assert eval(written.removeprefix("x = ")) == text


def test_a_module_names_a_moment_once() -> None:
    constants = Constants(Names())
    durations = [timedelta(hours=48), timedelta(hours=-1), timedelta(hours=48)]
    assert [constants.of(each) for each in durations] == ["PT48H", "MINUS_PT1H", "PT48H"]
    assert (
        constants.of(datetime(2026, 3, 14, 9, tzinfo=timezone(timedelta(hours=2))))
        == "AT_2026_03_14T09_00_00_PLUS_02_00"
    )
    assert constants.of(datetime(2026, 3, 14).date()) == "ON_2026_03_14"
    assert constants.of(Fraction(1, 3)) == "rt.Fraction(1, 3)"
    assert constants.lines()[0] == 'PT48H = rt.parse_duration("PT48H")'
    assert len(constants.lines()) == 4


@pytest.mark.parametrize(
    ("wanted", "expected"), [("from", "from_"), ("id", "id_"), ("rt", "rt_2"), ("ticket", "ticket"), ("_", "__")]
)
def test_names_give_way_to_python_and_to_each_other(wanted: str, expected: str) -> None:
    assert Names(["rt"]).take(wanted) == expected


def test_a_name_is_handed_out_once() -> None:
    names = Names()
    assert [names.take("from"), names.take("from"), names.take("from_")] == ["from_", "from_2", "from__2"]


@pytest.mark.parametrize(
    ("label", "expected"),
    [("Reads the ticket's title!", "reads_the_ticket_s_title"), ("日本語", ""), ("word " * 30, "word_" * 8 + "word")],
)
def test_a_label_becomes_part_of_a_name(label: str, expected: str) -> None:
    assert slug(label) == expected
