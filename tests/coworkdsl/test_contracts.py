"""Contracts: what a text says of what is to be delivered."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl.contracts import Contract, delivered_share, delivers, delivery, written

FORMATS = ("json", "csv", "xlsx", "text")
ONE = (("total", "decimal"), ("day", "date"), ("open", "bool"), ("city", "text"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text("abc xyzÅß", min_size=1).filter(str.strip),
    "int": st.integers(-(10**9), 10**9),
    "decimal": st.integers(-(10**6), 10**6).map(lambda cents: Fraction(cents, 100)),
    "bool": st.booleans(),
    "date": st.dates(date(2000, 1, 1)),
    "datetime": st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1)).map(
        lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
    ),
    "duration": st.integers(0, 10**6).map(lambda seconds: timedelta(seconds=seconds)),
    "enum": st.sampled_from(["open", "closed"]),
}


def one(format: str) -> Contract:
    return Contract(format, ONE, ((Fraction(2481, 2), date(2026, 3, 14), True, "Köln"),))


def rows(format: str) -> Contract:
    columns = (("id", "text"), ("pieces", "int"), ("status", "enum"))
    return Contract(format, columns, (("A-1", 10, "open"), ("A-2", 25, "closed")), "id")


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    types = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    columns = tuple((f"c{number}", type) for number, type in enumerate(types))
    keys = draw(st.none() | st.lists(st.from_regex(r"[A-Z]-[0-9]{3}", fullmatch=True), min_size=1, unique=True))
    table = tuple(tuple(draw(VALUES[type]) for type in types) for _ in keys or (None,))
    format = draw(st.sampled_from(FORMATS))
    if keys is None:
        return Contract(format, columns, table)
    keyed = tuple((key, *row) for key, row in zip(keys, table, strict=True))
    return Contract(format, (("id", "text"), *columns), keyed, "id")


@given(contracts())
def test_what_is_written_delivers(contract: Contract) -> None:
    assert delivers(written(contract), contract)
    assert delivery(written(contract), contract) == ()


@given(contracts(), st.randoms())
def test_the_order_of_rows_is_free(contract: Contract, random: Any) -> None:
    shuffled = list(contract.rows)
    random.shuffle(shuffled)
    assert delivers(written(replace(contract, rows=tuple(shuffled))), contract)


@given(contracts(), st.text() | st.none() | st.sampled_from(['[{"id": {}}]', '{"c0": [null]}', "id,id\n,", "[" * 9999]))
def test_any_text_has_a_share(contract: Contract, text: Any) -> None:
    assert 0 <= delivered_share(text, contract) <= 1
    delivery(text, contract)


@given(contracts())
def test_a_row_too_many_costs(contract: Contract) -> None:
    if contract.key is not None:
        more = replace(contract, rows=(*contract.rows, ("other", *contract.rows[0][1:])))
        assert 0 < delivered_share(written(more), contract) < 1
        assert delivery(written(more), contract) == (("rows too many", 1),)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", '{"city": " KÖLN ", "total": "1,240.50", "day": "2026-03-14", "open": "true", "more": [1]}'),
        ("json", '\n{ "total": 1.2405e3, "day": "2026-03-14", "open": true, "city": "Köln" }'),
        ("csv", 'city,total,open,day\r\nköln,"1,240.5",TRUE,2026-03-14\r\n'),
        ("text", "Here you are:\n- **Total:** 1,240.50\n* `day`: 2026-03-14\nOPEN: True\n  city :  köln\nBye: now"),
        ("text", "total: 1240.5\ntotal: 1240.5\nday: 2026-03-14\nopen: true\ncity: Köln"),
    ],
)
def test_other_spellings_deliver(format: str, text: str) -> None:
    assert delivery(text, one(format)) == ()


@pytest.mark.parametrize(
    ("format", "text", "share"),
    [
        ("json", '{"total": 1240.5, "day": "2026-03-15", "open": true, "city": "Köln"}', Fraction(3, 4)),
        ("json", '{"total": true, "day": 20260314, "open": 1, "city": null}', Fraction(0)),
        ("json", '[{"total": 1240.5}]', Fraction(0)),
        ("json", "no json", Fraction(0)),
        ("csv", "total,city\n1240.5,Köln\n1240.5,Bonn\n", Fraction(2, 8)),
        ("text", "total: 1240.5\ntotal: 1241\ntotal: 1240.5\ncity: Köln", Fraction(1, 4)),
        ("text", "the total is 1240.5", Fraction(0)),
    ],
)
def test_the_share_of_one_row(format: str, text: str, share: Fraction) -> None:
    assert delivered_share(text, one(format)) == share


@pytest.mark.parametrize(
    ("format", "text", "share"),
    [
        ("json", '[{"id": "a-2", "pieces": 25, "status": "Closed"}]', Fraction(1, 2)),
        ("csv", "id,pieces,status\nA-1,10,open\nA-1,11,open\nA-2,25,open\n", Fraction(3, 6)),
        ("text", "id: A-1; pieces: 10; status: open\nid: A-2; status: closed", Fraction(3, 4)),
        ("text", "A-1 has 10 and is open", Fraction(0)),
    ],
)
def test_the_share_of_rows(format: str, text: str, share: Fraction) -> None:
    assert delivered_share(text, rows(format)) == share


def test_what_is_wrong_is_said() -> None:
    text = "id: A-1; pieces: 11; status: open\nid: A-3; pieces: 1; status: open"
    assert delivery(text, rows("text")) == (
        ("A-1: pieces", "wanted 10, found 11"),
        ("A-2: pieces", "wanted 25, found nothing"),
        ("A-2: status", "wanted closed, found nothing"),
        ("rows too many", 1),
    )
