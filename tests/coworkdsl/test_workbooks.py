"""Spreadsheets: what of a workbook is read, and that nothing in one does harm."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from coworkdsl.contracts import Contract, delivered_share, delivers, delivery, written
from coworkdsl.workbooks import MOST_UNPACKED, read_sheet, workbook_text

ROOT = Path(__file__).parents[2]
COLUMNS = (
    ("id", "text"),
    ("total", "decimal"),
    ("day", "date"),
    ("at", "datetime"),
    ("late", "duration"),
    ("ok", "bool"),
)
ROWS = (
    ("7", Fraction(2481, 2), date(2026, 3, 14), datetime(2026, 3, 14, 9, tzinfo=UTC), timedelta(hours=30), True),
    ("8", Fraction(0), date(2026, 3, 15), datetime(2026, 3, 15, tzinfo=UTC), timedelta(0), False),
)
CONTRACT = Contract("xlsx", COLUMNS, ROWS, "id")
NAMES = [name for name, _ in COLUMNS]


def workbook(*rows: Any, book: Workbook | None = None) -> str:
    book = book or Workbook()
    for row in rows:
        book.worksheets[0].append(list(row))
    content = BytesIO()
    book.save(content)
    return b64encode(content.getvalue()).decode()


def archive(text: str, **replaced: bytes) -> str:
    """The workbook with the parts of these names, dots left out, replaced."""
    content = BytesIO()
    with ZipFile(BytesIO(b64decode(text))) as before, ZipFile(content, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            after.writestr(name, replaced.get(Path(name).stem, before.read(name)))
    return b64encode(content.getvalue()).decode()


def test_cells_may_hold_values() -> None:
    first = (7, 1240.5, date(2026, 3, 14), datetime(2026, 3, 14, 9), timedelta(hours=30), True)
    second = (8.0, 0, datetime(2026, 3, 15), datetime(2026, 3, 15), timedelta(0), False)
    assert delivery(workbook(NAMES, second, first), CONTRACT) == ()


def test_cells_may_hold_texts_that_say_the_same() -> None:
    first = (" 7 ", "1,240.50", "2026-03-14", "2026-03-14T10:00:00+01:00", "PT30H", "TRUE")
    second = ("8", "0.0", "2026-03-15", "2026-03-15T00:00:00Z", "PT0S", "false")
    assert delivery(workbook(NAMES, first, (), second), CONTRACT) == ()


def test_the_text_may_be_broken_into_lines() -> None:
    text = written(CONTRACT)
    assert delivers("\n".join(text[place : place + 76] for place in range(0, len(text), 76)) + "\n", CONTRACT)


def test_the_first_sheet_counts_and_other_columns_do_not() -> None:
    book = Workbook()
    book.create_sheet("more").append(["id", "n"])
    text = workbook((), ("note", " n ", "id"), ("x", 3, "A"), (None, 4, "B", "stray"), book=book)
    assert delivers(text, Contract("xlsx", (("id", "text"), ("n", "int")), (("A", 3), ("B", 4)), "id"))


@pytest.mark.parametrize(
    ("cell", "type", "wanted"),
    [
        (1, "bool", True),
        (True, "int", 1),
        (datetime(2026, 3, 14, 9), "date", date(2026, 3, 14)),
        (date(2026, 3, 14), "datetime", datetime(2026, 3, 14, 9, tzinfo=UTC)),
        (46095, "date", date(2026, 3, 14)),
        ("=1+1", "int", 2),
        (None, "text", "x"),
        (datetime(2026, 3, 14, 9).time(), "duration", timedelta(hours=9)),
    ],
)
def test_what_says_something_else_is_wrong(cell: Any, type: str, wanted: Any) -> None:
    assert delivered_share(workbook(["v"], [cell]), Contract("xlsx", (("v", type),), ((wanted,),))) == 0


def test_equal_contracts_give_equal_bytes_that_no_clock_is_in() -> None:
    rows = (("a", "b"), (1, Fraction(1, 2)))
    text = workbook_text(rows)
    assert workbook_text(rows) == text
    with ZipFile(BytesIO(b64decode(text))) as packed:
        assert {part.date_time for part in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert packed.read("docProps/core.xml").count(b"2000-01-01T00:00:00Z") == 2


def test_what_is_written_is_a_workbook_with_native_cells() -> None:
    sheet = load_workbook(BytesIO(b64decode(written(CONTRACT)))).worksheets[0]
    assert [[cell.value for cell in row] for row in sheet.iter_rows(max_col=3)] == [
        ["id", "total", "day"],
        ["7", 1240.5, datetime(2026, 3, 14)],
        ["8", 0, datetime(2026, 3, 15)],
    ]


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
numbers = st.integers() | st.integers(-(10**12), 10**12).map(lambda millionths: Fraction(millionths, 10**6))


@settings(max_examples=20)
@given(st.lists(texts, min_size=1, max_size=30))
def test_texts_are_kept(column: list[str]) -> None:
    rows = tuple((text,) for text in (*column, "=1+1", "#N/A", "_x0041_", "007"))
    assert read_sheet(workbook_text(rows)) == rows


@settings(max_examples=20)
@given(st.lists(numbers, min_size=1, max_size=30))
def test_numbers_are_exact(row: list[Any]) -> None:
    columns = tuple((f"c{place}", "decimal") for place in range(len(row)))
    contract = Contract("xlsx", columns, (tuple(row),))
    assert delivery(written(contract), contract) == ()


# ---------------------------------------------------------------------------- damage and harm

BOMB = b"<worksheet>" + b" " * (MOST_UNPACKED + 1)
FAR = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>v</t></is></c></row>'
    b'<row r="%d"><c r="%s"><v>1</v></c></row></sheetData></worksheet>'
)
LAUGHS = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b']><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>&j;</t></is></c></row></sheetData></worksheet>'
)
GOOD = workbook(["v"], [1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v\n1",
        GOOD[:-40],
        GOOD + "!",
        b64encode(b"PK\x03\x04" + b"x" * 50).decode(),
        archive(GOOD, sheet1=b"<worksheet"),
        archive(GOOD, workbook=b"<x/>"),
        archive(GOOD, sheet1=BOMB),
        archive(GOOD, sheet1=LAUGHS),
        archive(GOOD, sheet1=FAR % (10**12, b"A1000000000000")),
        archive(GOOD, sheet1=FAR % (2, b"A" * 5000 + b"2")),
        archive(GOOD, sheet1=(FAR % (2, b"A2")).replace(b"<v>1</v>", b"<v>" + b"9" * 9999 + b"</v>")),
    ],
    ids=range(12),
)
def test_what_is_no_workbook_of_a_sane_size_is_a_wrong_delivery(text: str) -> None:
    assert read_sheet(text) is None
    assert delivered_share(text, Contract("xlsx", (("v", "int"),), ((1,),))) == 0


def test_a_sheet_without_rows_has_nothing() -> None:
    assert delivered_share(workbook(), CONTRACT) == 0


def test_a_size_that_the_sheet_only_claims_hides_nothing() -> None:
    claimed = FAR.replace(b"<sheetData>", b'<dimension ref="A1:A1"/><sheetData>') % (2, b"A2")
    assert read_sheet(archive(GOOD, sheet1=claimed)) == (("v",), (1,))


def test_the_runtime_needs_openpyxl_for_workbooks_alone() -> None:
    program = """
import sys
sys.modules["openpyxl"] = None
from coworkdsl.runtime import Contract, delivers
assert delivers("v\\n1", Contract("csv", (("v", "int"),), ((1,),)))
assert not delivers(None, Contract("xlsx", (("v", "int"),), ((1,),)))
try:
    delivers("v", Contract("xlsx", (("v", "int"),), ((1,),)))
except ImportError:
    print("missing")
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == "missing\n"
