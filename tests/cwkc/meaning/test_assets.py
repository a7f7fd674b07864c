"""Assets: the file, and the facts that can be named."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from attrs import evolve

from cwkc.diagnostics import Diagnostic
from cwkc.meaning.check import Program, check_program
from cwkc.source import Source

from .support import library, task, the_task

CONTENTS = {"tasks/bill.png": b"\x89PNG", "shared/bill.png": b"other", "empty.bin": b""}
FACTS = 'total: 43.70 number: "40871" lines: 3 paid: true day: 2026-03-01 payers: ["Ana", "Bo"] ticket: @T-1'


def checked(body: str, check: str = 'check 1 "closes" @T-1.status == closed') -> tuple[Program, tuple[Diagnostic, ...]]:
    """A program in the folder `tasks`, beside its files."""
    files = evolve(library({}), read_file=CONTENTS.get)
    return check_program([Source("tasks/main.cwk", task(body, check))], files)


def codes(body: str, check: str = 'check 1 "closes" @T-1.status == closed') -> list[str]:
    return [diagnostic.code for diagnostic in checked(body, check)[1]]


def test_a_file_is_taken_from_the_folder_of_its_task() -> None:
    program, diagnostics = checked('asset "bill.png" { total: 1 } asset "../empty.bin" {}')
    assert diagnostics == ()
    assert [(each.name, each.content, each.facts) for each in the_task(program).assets] == [
        ("bill.png", b"\x89PNG", ("total",)),
        ("empty.bin", b"", ()),
    ]


def test_facts_are_of_the_type_of_what_is_written() -> None:
    program, diagnostics = checked(f'asset "bill.png" {{ {FACTS} }}')
    assert diagnostics == ()
    truths = the_task(program).truths
    assert {name: (str(truths[name].expr.type), truths[name].value) for name in truths} == {
        "total": ("decimal", Fraction("43.7")),
        "number": ("text", "40871"),
        "lines": ("int", 3),
        "paid": ("bool", True),
        "day": ("date", date(2026, 3, 1)),
        "payers": ("[text]", ("Ana", "Bo")),
        "ticket": ("desk.Ticket", "T-1"),
    }


def test_facts_are_named_like_truths() -> None:
    body = f'asset "bill.png" {{ {FACTS} }} let open_total = total - lines'
    check = 'check 1 "says" answer states open_total within 0 and answer contains number and ticket.status == closed'
    program, diagnostics = checked(body, check)
    assert diagnostics == ()
    assert the_task(program).truths["open_total"].value == Fraction("40.7")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('asset "bil.png" { total: 1 }', ["E287"]),
        ('asset "" { total: 1 }', ["E287"]),
        ('asset "bill.png" { total: 1 } asset "bill.png" { number: 1 }', ["E262"]),
        ('asset "bill.png" { total: 1 } asset "../shared/bill.png" { number: 1 }', ["E262"]),
        ('asset "bill.png" { total: 1 total: 2 }', ["E262"]),
        ('asset "bill.png" { total: 1 } asset "../empty.bin" { total: 1 }', ["E262"]),
        ('asset "bill.png" { total: 1 } let total = 2', ["E262"]),
        ('asset "bill.png" { total: null }', ["E289"]),
        ('asset "bill.png" { total: 1 / 0 }', ["E230"]),
        ('asset "bill.png" { total: totl }', ["E201"]),
        ('asset "bill.png" { net: 1 total: net + 1 }', ["E201"]),
        ('asset "bill.png" { ticket: @T-9 }', ["E214"]),
        ('asset "bill.png" { total: 1 when answer contains "x" }', ["E288"]),
        ('asset "bill.png" { titel: @T-1.title }', ["E290"]),
        ('asset "bill.png" { total: count(desk.tickets) }', ["E290"]),
    ],
)
def test_what_an_asset_may_say(body: str, expected: list[str]) -> None:
    assert codes(body) == expected


def test_what_is_computed_from_a_broken_fact_is_said_once() -> None:
    assert codes('asset "bill.png" { total: null }', 'check 1 "says" answer states total + 1 within 0') == ["E289"]
