"""The corpus: files with mistakes and what is said of them, and files without.

`pytest --update` rewrites the expected output; read every change of it.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cwkc import driver
from cwkc.diagnostics import CATALOGUE, Diagnostic
from cwkc.diagnostics.terminal import Page, render

CORPUS = Path(__file__).parent / "corpus"
BAD = sorted((CORPUS / "bad").iterdir())
MALFORMED = sorted((CORPUS / "malformed").iterdir())
GOOD = sorted((CORPUS / "good").glob("*.cwk"))
Findings = Callable[[Path], Sequence[Diagnostic]]


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Findings:
    """What is said of a folder's files, `input.cwk` being one of them, or of those that its `make.py` makes."""

    def find(folder: Path) -> Sequence[Diagnostic]:
        program = folder / "make.py"
        monkeypatch.chdir(tmp_path if program.exists() else folder)
        if program.exists():
            exec(compile(program.read_text(encoding="utf-8"), program, "exec"), {})
        return driver.build(sorted({Path("input.cwk"), *Path().glob("*.cwk")})).diagnostics

    return find


def compare(folder: Path, found: Sequence[Diagnostic], update: bool) -> None:
    shown = render(found, Page()) + "\n"
    expected = folder / "expected.txt"
    if update:
        expected.write_text(shown, encoding="utf-8")
    assert expected.read_text(encoding="utf-8") == shown


def mistakes(folder: Path) -> int:
    """How many the file says it has (`# 3 mistakes`); one when it says nothing."""
    path = next(path for path in (folder / "make.py", folder / "input.cwk") if path.exists())
    said = re.search(r"^# (\d+) mistakes$", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    return int(said[1]) if said else 1


@pytest.mark.parametrize("folder", BAD, ids=lambda folder: folder.name)
def test_bad_files_get_their_code(folder: Path, findings: Findings, update: bool) -> None:
    found = findings(folder)
    assert folder.name.split("-")[0] in {each.code for each in found}
    assert len(found) == mistakes(folder)
    compare(folder, found, update)


@pytest.mark.parametrize("folder", MALFORMED, ids=lambda folder: folder.name)
def test_malformed_files_get_one_message_per_mistake(folder: Path, findings: Findings, update: bool) -> None:
    found = findings(folder)
    assert len([each for each in found if each.is_error]) == mistakes(folder)
    compare(folder, found, update)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_files_are_clean(path: Path) -> None:
    found = driver.build([path]).diagnostics
    assert not found, render(found, Page())


DEFECTS = {"E008", "E013", "E439", "E441", "E601", "E602", "W601"}
"""Codes of what only a defect of the compiler, or a process that is lost, or an import, brings about."""


def test_every_code_has_a_bad_file() -> None:
    assert set(CATALOGUE) - DEFECTS - {folder.name.split("-")[0] for folder in BAD} == set()


def several(text: str, folder: Path) -> str:
    """What is said of a generated file, once it has been checked to be one short error."""
    path = folder / "input.cwk"
    path.write_text(text, encoding="utf-8")
    found = driver.build([path]).diagnostics
    assert [each.is_error for each in found] == [True]
    shown = render(found, Page())
    assert len(shown) < 2000
    return shown


def test_five_megabytes_of_garbage_are_one_error(tmp_path: Path) -> None:
    several("\x00{[(\ufffd\x1b" * 1_000_000, tmp_path)


def test_five_megabytes_without_a_line_end_are_one_error(tmp_path: Path) -> None:
    several("cwk 1\ntask x { request " + "a " * 2_500_000, tmp_path)


@pytest.mark.parametrize("pair", ["()", "[]", "{}"])
def test_nesting_a_thousand_deep_is_one_error(pair: str, tmp_path: Path) -> None:
    several(f"cwk 1\n\ntask x {{\n  let a = {pair[0] * 1000}1{pair[1] * 1000}\n}}\n", tmp_path)
