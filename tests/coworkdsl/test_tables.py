"""Reading tables and json."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl.tables import read_csv, read_json, text_lines


def test_csv_cells_are_converted() -> None:
    table = '\ufeffregion , amount,day,ok,extra\nnorth,"1,240.50",2026-03-14,TRUE,x\n\nsouth,-,soon,maybe\n'
    columns: dict[str, Any] = {
        "region": "text",
        "amount": "decimal",
        "day": {"optional": "date"},
        "ok": "bool",
        "gone": "int",
    }
    assert read_csv(table, columns) == (
        {"region": "north", "amount": Fraction(2481, 2), "day": date(2026, 3, 14), "ok": True, "gone": None},
        {"region": "south", "amount": None, "day": None, "ok": None, "gone": None},
    )


@pytest.mark.parametrize(
    ("cell", "value"), [("12", 12), ("1,200", 1200), ("-3", -3), ("2.0", 2), ("2.5", None), ("", None)]
)
def test_whole_numbers(cell: str, value: int | None) -> None:
    assert read_csv(f'n\n"{cell}"', {"n": "int"}) == ({"n": value},)


def test_csv_of_nothing() -> None:
    assert read_csv("", {"a": "text"}) == ()
    assert read_csv(None, {"a": "text"}) is None


@given(st.text())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    read_csv(text, {"a": "int", "b": "email"})
    read_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.50, null, true]}', {"a": (1, Fraction(5, 2), None, True)}),
        ("1e3", Fraction(1000)),
        ("NaN", None),
        ("1e999999999", None),
        ("[" * 100_000, None),
        ("9" * 5000, None),
        ("{", None),
        (None, None),
    ],
)
def test_json(text: Any, value: Any) -> None:
    assert read_json(text) == value


def test_lines() -> None:
    assert text_lines("a\nb\r\n") == ("a", "b")
    assert text_lines(None) is None
