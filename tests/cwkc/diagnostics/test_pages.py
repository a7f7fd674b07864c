"""Each code has a page, and the page is true."""

from pathlib import Path

import pytest

from cwkc import driver
from cwkc.diagnostics import CATALOGUE, Diagnostic, has_errors
from cwkc.diagnostics.pages import FOLDER, Example, examples, page
from cwkc.diagnostics.terminal import Page, render

DEFECTS = {"E008", "E013", "E439", "E441", "E601", "E602", "W601"}
"""Codes of what only a defect of the compiler, a process that is lost, or an import brings about: no file shows it."""

WITH_EXAMPLES = sorted(set(CATALOGUE) - DEFECTS)


def findings(example: Example) -> tuple[Diagnostic, ...]:
    """What is said of an example, made in the current folder."""
    if example.language == "python":
        exec(example.text, {})
    else:
        Path("example.cwk").write_text(example.text, encoding="utf-8")
    return driver.build(sorted({Path("example.cwk"), *Path().glob("*.cwk")})).diagnostics


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CATALOGUE)


@pytest.mark.parametrize("code", CATALOGUE)
def test_the_title_is_the_code_and_its_name(code: str) -> None:
    assert page(code).splitlines()[0] == f"# {code} {CATALOGUE[code].name}"


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_the_examples_do_as_the_page_says(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for example in examples(code):
        folder = tmp_path / example.kind
        folder.mkdir()
        monkeypatch.chdir(folder)
        found = findings(example)
        if example.kind == "bad":
            assert code in {diagnostic.code for diagnostic in found}, render(found, Page())
        else:
            assert not has_errors(found), render(found, Page())


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_a_page_has_an_example_of_either_kind(code: str) -> None:
    assert [example.kind for example in examples(code)] == ["bad", "good"]


def test_no_two_codes_share_a_name() -> None:
    names = [entry.name for entry in CATALOGUE.values()]
    assert sorted(names) == sorted(set(names))
