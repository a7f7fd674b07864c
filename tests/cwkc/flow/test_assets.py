"""Files that go with a task: what they tell, and what they do not."""

from __future__ import annotations

import pytest
from attrs import evolve

from cwkc.flow import follow
from cwkc.meaning.check import check_program
from cwkc.source import Source

from ..meaning.support import library

TASK = """cwk 1

use ocr, files

task receipt "Read a receipt" {{
  now: 2026-04-02T08:30:00Z
  request "Say what is asked for."
  asset "receipt.png" {{ total: 43.70 number: "QX-40871" day: 2024-11-05 }}
  tools ocr.extract_text, files.{{list_files, read_file}}
  data ocr.images {{ @"receipt.png" {{ text: "TOTAL 43.70", caption: "A torn slip of paper" }} }}
{body}
}}
"""
READS = '"reads it" answer states total within 0 and answer contains number and answer contains $"{day}"'


def said(body: str) -> list[tuple[str, str]]:
    """The codes that the flow of information reports, and the words that they are about."""
    files = evolve(library({}), read_file={"receipt.png": b"PNG"}.get)
    program, diagnostics = check_program([Source("receipt.cwk", TASK.format(body=body))], files)
    assert diagnostics == ()
    (task,) = program.tasks
    found = (diagnostic for established in follow(task) for diagnostic in established.diagnostics)
    return [(each.code, each.span.text) for each in found]


def test_what_a_file_tells_is_known_from_the_start() -> None:
    assert said(f"check 1 {READS}") == []


def test_so_is_what_is_worked_out_from_it() -> None:
    assert said(f'check 0.5 "doubles it" answer states total * 2 within 0 check 0.5 {READS}') == []


def test_the_name_of_a_file_is_told_and_what_a_tool_shows_of_it_found() -> None:
    read = 'let seen = @"receipt.png".text\n check 0.5 "says" answer contains seen\n'
    assert said(f"{read} check 0.5 {READS}") == []


def test_what_neither_the_file_nor_a_tool_tells_is_unreachable() -> None:
    read = 'let seen = @"receipt.png".caption\n check 0.5 "says" answer contains seen\n'
    assert said(f"{read} check 0.5 {READS}") == [("E410", "seen")]


@pytest.mark.parametrize(
    ("body", "unread"),
    [
        ('check 1 "says" answer states total within 0', ["number", "day"]),
        ('let key = number\n check 1 "says" answer contains key', ["total", "day"]),
        (
            'check 0.8 "says" answer states total within 0\n judge 0.2 "is kind" $"Is {number} of {day} named kindly?"',
            [],
        ),
    ],
)
def test_a_fact_that_nothing_reads_is_idle(body: str, unread: list[str]) -> None:
    assert said(body) == [("W286", name) for name in unread]
