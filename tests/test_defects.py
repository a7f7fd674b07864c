"""Every real defect is caught at the right lines, and no repaired twin is blamed."""

from pathlib import Path
from shutil import copy, copytree

import pytest
from attrs import evolve

from scripts.defects import Case, cases, examine

ROWS = [
    *(f"A{row}" for row in (1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 26, 27, 28, 30, 31)),
    *(f"A{row}" for row in (32, 33, 34, 35, 37, 38, 39, 41, 43, 44, 45, 47, 48, 50, 51, 52, 53, 54, 55, 57, 58, 60)),
    *(f"B{row}" for row in (1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 17, 18, 20, 21, 22, 23)),
]
"""A: faults that were published of benchmarks and environments; B: faults that were measured in some."""


def test_every_row_has_one_case() -> None:
    assert [case.row for case in cases()] == ROWS


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.folder.name)
def test_defects_are_caught(case: Case) -> None:
    assert examine(case).misses == ()


# ---------------------------------------------------------------------------- the runner itself


@pytest.fixture
def case() -> Case:
    return next(case for case in cases() if case.row == "B10")


def test_another_line_than_the_faulty_one_is_a_miss(case: Case) -> None:
    assert examine(evolve(case, lines=(1, *case.lines))).misses == ("E405 points at [21], not at [1]",)


def test_another_code_is_a_miss(case: Case) -> None:
    assert examine(evolve(case, codes=("E401",))).misses == ("nothing says E401",)


def test_a_blamed_twin_is_a_false_alarm(case: Case, tmp_path: Path) -> None:
    folder = copytree(case.folder, tmp_path / case.folder.name)
    copy(folder / "faulty.cwk", folder / "repaired.cwk")
    (miss,) = examine(evolve(case, folder=folder)).misses
    assert miss.startswith("false alarm E405 at repaired.cwk:21")


def test_a_row_that_cannot_be_written_has_no_files(case: Case) -> None:
    assert examine(evolve(case, verdict="harness", reason="it lies elsewhere")).misses == (
        "its files are not those of a row that is harness",
    )
