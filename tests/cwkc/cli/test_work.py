"""The options of how work is done: they change what is kept, never what is said."""

from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command

EXAMPLE = Path(__file__).parents[3] / "examples" / "support" / "thank_reporter.cwk"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task with something to say about it."""
    path = tmp_path / "task.cwk"
    path.write_text(EXAMPLE.read_text(encoding="utf-8").replace("check 1.0", "check 0.9"), encoding="utf-8")
    return path


def test_a_folder_is_named_by_option_or_environment(
    cwkc: Command, task: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CWKC_CACHE", str(tmp_path / "usual"))
    without = cwkc("check", task, "--verbose", "--no-cache")
    assert (without.status, "E406" in without.out) == (1, True)
    assert not (tmp_path / "usual").exists()
    for folder, arguments in (("usual", []), ("named", ["--cache", tmp_path / "named"])):
        assert [cwkc("check", task, "--verbose", *arguments) for _ in range(2)] == [without, without]
        assert (tmp_path / folder).is_dir()


def test_what_is_remembered_is_shown_in_any_format(cwkc: Command, task: Path) -> None:
    for format in ("json", "github", "sarif", "junit"):
        without = cwkc("check", task, "--format", format, "--no-cache")
        assert cwkc("check", task, "--format", format) == without


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
def test_a_number_of_processes_is_one_or_more(cwkc: Command, task: Path, number: str) -> None:
    shown = cwkc("check", task, "--jobs", number)
    assert (shown.status, "is no number of processes" in shown.err) == (2, True)


def test_auto_is_a_number_of_processes(cwkc: Command, task: Path) -> None:
    assert cwkc("check", task, "--jobs", "auto", "--no-cache") == cwkc("check", task, "--no-cache")
