"""Fixes: made and offered where they were seen to work, and only there."""

import json
from pathlib import Path

import pytest

from cwkc import driver
from cwkc.diagnostics import CATALOGUE
from cwkc.diagnostics.pages import examples
from tests.cwkc.cli.conftest import Command, cwkc
from tests.cwkc.cli.test_packs import TASK

__all__ = ["cwkc"]
BAD = sorted((Path(__file__).parents[1] / "corpus" / "bad").glob("*/input.cwk"))
FILE = Path("task.cwk")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def mended(text: str) -> str:
    """The file's text once it has been mended; as it is when it was not."""
    FILE.write_text(text, encoding="utf-8")
    return driver.mend([FILE]).get(FILE, text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("stale.priority ==", "stale.prority =="),
        ("== critical", '== "critical"'),
        ("== critical", "== critcal"),
        ("stale.priority == critical", "stale.priority = critical"),
        ("helpdesk.{list_tickets, update_ticket}", "helpdesk.{list_ticket, update_tickets}"),
        ("now: ", "nwo: "),
        ("use helpdesk", "use helpdsk"),
        ("  request ", "  request: "),
        ('"Scanner offline"', "'Scanner offline'"),
        ('"Scanner offline"', "“Scanner offline”"),
        ("08:00:00Z }\n  }", "08:00:00Z };\n  }"),
        ("title:", '"title":'),
        ("cwk 1\n\n", ""),
        ("only t in helpdesk.tickets", "only t\u00a0in helpdesk.tickets"),
    ],
)
def test_a_mistake_with_one_certain_repair_is_mended(right: str, wrong: str) -> None:
    text = TASK.replace(right, wrong)
    assert text != TASK
    assert mended(text) == TASK


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("// which it is\n", "# which it is\n"),
        ("let old = all t in helpdesk.tickets where now - t.created_at > 2hours\n", "> 2h\n"),
        ("let scanner = stale is not null\n", "stale != null\n"),
        ('let scanner = f"{stale.title}"\n', '$"{stale.title}"'),
    ],
)
def test_a_line_with_one_certain_repair_is_mended(wrong: str, right: str) -> None:
    after = mended(TASK.replace("  check", f"  {wrong}  check"))
    FILE.write_text(after, encoding="utf-8")
    assert right in after
    assert not driver.understand([FILE])[1]


def test_mistakes_behind_one_another_are_mended_together() -> None:
    wrong = TASK.replace('contains "scanner"', "contains 'scanner' && t.title is not null && t.statu = \"open\"")
    assert 'contains "scanner" and t.title != null and t.status == open' in mended(wrong)


def test_what_would_leave_another_mistake_is_left_alone() -> None:
    wrong = TASK.replace("stale.priority == critical", 'stale.priority = "urgently" ')
    assert mended(wrong) == wrong


def test_a_mistake_that_is_left_does_not_hold_up_the_same_one_elsewhere() -> None:
    first = TASK.replace('contains "scanner"', 'contains "scanner" && t.price > 3')
    second = TASK.partition("use helpdesk")[2].replace("raise_stale", "raise_it")
    wrong = first + second.replace('contains "scanner"', 'contains "scanner" && t.title != ""')
    assert mended(wrong) == first + second.replace('contains "scanner"', 'contains "scanner" and t.title != ""')


def test_files_that_were_not_named_are_left_alone() -> None:
    Path("types.cwk").write_text('cwk 1\n\nenum Mood { good, bad }\n\nrecord Day { mood: Mood = "good" }\n')
    FILE.write_text('cwk 1\n\nuse "types.cwk"\n')
    assert driver.understand([FILE])[1] != ()
    assert driver.mend([FILE]) == {}
    assert list(driver.mend([FILE, Path("types.cwk")])) == [Path("types.cwk")]


@pytest.mark.parametrize("code", [code for code, entry in CATALOGUE.items() if entry.fix is not None])
def test_a_code_with_a_fix_has_an_example_that_it_mends(code: str) -> None:
    (bad,) = (example.text for example in examples(code) if example.kind == "bad")
    after = mended(bad)
    FILE.write_text(after, encoding="utf-8")
    assert after != bad
    assert code not in {each.code for each in driver.understand([FILE])[1]}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.parent.name)
def test_mending_never_brings_a_mistake(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    file = Path("input.cwk")
    before = driver.understand([file])[1]
    texts = {each.as_posix(): text for each, text in driver.mend([file]).items()}
    after = driver.understand([file], driver.reader_of(texts))[1]
    assert {each.code for each in after} <= {each.code for each in before}
    assert len(after) < len(before) or not texts


def test_offered_are_those_that_work() -> None:
    FILE.write_text(TASK.replace("stale.priority == critical", 'stale.prority = "critical"'))
    found = driver.understand([FILE])[1]
    assert [(each.code, each.fix) for each in found] == [("E130", "==")]
    assert [each.fix for each in driver.offer_fixes([FILE], found)] == [None]
    FILE.write_text(TASK.replace("stale.priority == critical", "stale.priority = critical"))
    found = driver.understand([FILE])[1]
    assert [each.fix for each in driver.offer_fixes([FILE], found)] == ["=="]


def test_the_command_shows_what_it_mends_and_what_is_left(cwkc: Command) -> None:
    wrong = TASK.replace("stale.priority ==", "stale.prority ==").replace("check 1", "check 0.5")
    FILE.write_text(wrong)
    shown = cwkc("check", FILE, "--fix", "--diff")
    assert shown.status == 1
    assert '+  check 0.5 "sets it to critical" stale.priority == critical' in shown.out.splitlines()
    assert [line[:11] for line in shown.out.splitlines() if line.startswith("error[")] == ["error[E406]"]
    assert FILE.read_text() == wrong
    again = cwkc("check", FILE, "--fix")
    assert (again.status, again.out) == (1, shown.out)
    assert FILE.read_text() == wrong.replace("prority", "priority")


def test_documents_stay_documents_beside_a_difference(cwkc: Command) -> None:
    FILE.write_text(TASK.replace("stale.priority ==", "stale.prority =="))
    shown = cwkc("check", FILE, "--fix", "--format", "json")
    assert (shown.status, json.loads(shown.out)) == (0, [])
    assert "+  check 1" in shown.err


@pytest.mark.parametrize("options", [("--diff",), ("--fix", "--watch")])
def test_options_that_do_not_go_together_are_wrong_use(options: tuple[str, ...], cwkc: Command) -> None:
    FILE.write_text(TASK)
    assert cwkc("check", FILE, *options).status == 2


def test_a_file_that_cannot_be_written_is_wrong_use(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    FILE.write_text(TASK.replace("stale.priority ==", "stale.prority =="))
    monkeypatch.setattr("os.replace", refuse)
    shown = cwkc("check", FILE, "--fix")
    assert shown.status == 2
    assert "cannot write `task.cwk`: Permission denied" in shown.err
