"""`cwkc fmt`: which files it writes, and what it says of them."""

import io
import os
import sys
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command

RIGHT = "cwk 1\n\nenum Size { small, large }\n"
WRONG = "cwk 1\r\n\r\nenum Size{small,large}"
BROKEN = "cwk 1\nenum Size {\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a file to change, one to leave and, further down, one with a mistake."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    for name, text in {"wrong.cwk": WRONG, "right.cwk": RIGHT, "deep/broken.cwk": BROKEN, "other.txt": WRONG}.items():
        Path(name).write_bytes(text.encode())
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in folder.rglob("*") if path.is_file()
    }


def test_files_are_laid_out_and_those_with_mistakes_are_left(cwkc: Command, folder: Path) -> None:
    shown = cwkc("fmt", ".")
    assert shown.status == 1
    assert shown.out == "changed wrong.cwk\n"
    assert "error[E103]" in shown.err
    assert contents(folder) == {"wrong.cwk": RIGHT, "right.cwk": RIGHT, "deep/broken.cwk": BROKEN, "other.txt": WRONG}
    assert cwkc("fmt", "wrong.cwk").out == ""


@pytest.mark.parametrize("options", [("--check",), ("--diff",), ("--check", "--diff")])
def test_looking_changes_nothing(options: tuple[str, ...], cwkc: Command, folder: Path) -> None:
    before = contents(folder)
    shown = cwkc("fmt", *options, "wrong.cwk", "right.cwk")
    assert contents(folder) == before
    assert shown.status == (1 if "--check" in options else 0)
    assert ("would change wrong.cwk" in shown.out + shown.err) == ("--check" in options)
    assert ("-enum Size{small,large}" in shown.out) == ("--diff" in options)
    assert "right.cwk" not in shown.out + shown.err


def test_check_is_content_with_what_is_right(cwkc: Command, folder: Path) -> None:
    shown = cwkc("fmt", "--check", "right.cwk")
    assert (shown.status, shown.out, shown.err) == (0, "", "")


def test_standard_input_goes_to_standard_output(cwkc: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, status, out in ((WRONG, 0, RIGHT), (RIGHT, 0, RIGHT), (BROKEN, 1, "")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        shown = cwkc("fmt", "-")
        assert (shown.status, shown.out) == (status, out)
        assert ("error[E103]: " in shown.err) == bool(status)
    assert cwkc("fmt", "-", "right.cwk").status == 2


def test_a_link_and_the_rights_of_a_file_stay(cwkc: Command, folder: Path) -> None:
    Path("wrong.cwk").chmod(0o640)
    Path("link.cwk").symlink_to("wrong.cwk")
    assert cwkc("fmt", "link.cwk").status == 0
    assert Path("link.cwk").is_symlink()
    assert Path("wrong.cwk").read_text(encoding="utf-8") == RIGHT
    assert Path("wrong.cwk").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("failure", "status"), [(OSError(28, "No space left"), 2), (KeyboardInterrupt(), 130)])
def test_a_file_is_not_lost_when_it_cannot_be_written(
    failure: BaseException, status: int, cwkc: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise failure

    before = contents(folder)
    monkeypatch.setattr(os, "fsync", fail)
    assert cwkc("fmt", "wrong.cwk").status == status
    assert contents(folder) == before
