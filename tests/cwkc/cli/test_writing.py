"""Beginning a file, describing one, and checking again and again."""

from pathlib import Path

import pytest

from coworkdsl import Pack
from cwkc import driver
from cwkc.diagnostics.terminal import Page, render
from cwkc.resources import standard_services, templates
from cwkc.source import Source
from cwkc.syntax.formatter import format_text
from tests.cwkc.cli.conftest import Command
from tests.cwkc.cli.test_packs import TASK
from tests.cwkc.test_families import RICH


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", templates())
def test_a_new_task_builds_without_a_warning_and_is_laid_out(kind: str, cwkc: Command) -> None:
    shown = cwkc("new", "my_task", "--template", kind)
    assert (shown.status, shown.out.splitlines()[0]) == (0, "wrote my_task.cwk; next:")
    built = driver.build([Path("my_task.cwk")])
    assert not built.diagnostics, render(built.diagnostics, Page())
    task = next(iter(Pack.from_files(built.files or {}).tasks.values()))
    assert shown.out.rstrip().splitlines()[-1].split()[:4] == ["cwkc", "run", "dist", task.id]
    assert (task.id.partition(".")[0], task.title) == ("my_task", "My task")
    text = Path("my_task.cwk").read_text(encoding="utf-8")
    assert format_text(Source("my_task.cwk", text)) == (text, ())


@pytest.mark.parametrize("kind", templates())
@pytest.mark.parametrize("name", ["if", "task", "null", "NAME"])
def test_a_keyword_may_name_a_new_task(name: str, kind: str, cwkc: Command) -> None:
    cwkc("new", name, "--template", kind)
    assert not driver.understand([Path(f"{name}.cwk")])[1]


def test_a_file_that_is_there_is_left_alone(cwkc: Command) -> None:
    Path("mine.cwk").write_text("cwk 1")
    assert cwkc("new", "mine").status == 2
    assert Path("mine.cwk").read_text() == "cwk 1"


@pytest.mark.parametrize("name", ["my-task", "a b", "../x", "1st", ""])
def test_what_is_no_name_names_no_task(name: str, cwkc: Command) -> None:
    assert cwkc("new", name).status == 2
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("service", standard_services())
def test_every_standard_service_is_described(service: str, cwkc: Command) -> None:
    shown = cwkc("doc", service)
    assert shown.status == 0
    assert shown.out.startswith(f"# Service `{service}`\n")


def test_a_service_is_described_for_who_calls_its_tools(cwkc: Command) -> None:
    lines = cwkc("doc", "helpdesk").out.splitlines()
    assert "- `Priority`: `low`, `medium`, `high`, `critical`" in lines
    assert '| `status` | `Status` | `"open"` |  |' in lines
    assert "| `tickets` | `Ticket` | `ticket_id` | `TK-1`, `TK-2`, … |" in lines
    assert "| `ticket_id` | `Ticket` | required | The ticket's id |" in lines
    assert "| `max_results` | `int` | `50` | At most this many |" in lines
    assert "- called as `helpdesk_update_ticket`; writes" in lines
    assert "- fails with `closed`: a closed ticket cannot be changed" in lines


def test_a_task_is_described_for_who_reviews_it(cwkc: Command) -> None:
    Path("task.cwk").write_text(TASK)
    lines = cwkc("doc", "task.cwk").out.splitlines()
    assert lines[0] == "# Task `raise_stale`: Raise the stale ticket"
    assert "> The scanner ticket has waited for days. Set its priority to critical." in lines
    definition = '`only t in helpdesk.tickets where t.title contains "scanner"`'
    assert f'| `stale` | `helpdesk.Ticket?` | `"TK-301"` | {definition} |' in lines
    assert "| 1 | sets it to critical | `stale.priority == critical` |" in lines
    assert "| 0 | `only changes stale.priority` |" in lines


def test_a_family_is_described_by_its_parameters_and_its_first_member(cwkc: Command) -> None:
    Path("family.cwk").write_text(RICH)
    lines = cwkc("doc", "family.cwk").out.splitlines()
    assert lines[0] == "# Family `rich`: Rich"
    assert '| `day` | `date` | 2, first `"2026-03-01"` |' in lines
    assert "8 members; what follows is the first, `rich.core-2.5-2026-03-01`." in lines
    assert "> Of our core customers: list the lines of cost.csv of at least 2.5, from 2026-03-01 on." in lines


def test_types_that_a_file_shares_are_described(cwkc: Command) -> None:
    Path("types.cwk").write_text("cwk 1\n\nenum Colour { red, green }\n\nrecord Paint { colour: Colour = red }\n")
    lines = cwkc("doc", "types.cwk").out.splitlines()
    assert "- `Colour`: `red`, `green`" in lines
    assert '| `colour` | `Colour` | `"red"` |  |' in lines


def test_a_file_with_mistakes_is_described_as_far_as_it_is_understood(cwkc: Command) -> None:
    Path("task.cwk").write_text(TASK.replace("stale.priority ==", "stale.prority =="))
    shown = cwkc("doc", "task.cwk")
    assert shown.status == 1
    assert "error[E205]" in shown.err


def test_what_is_neither_a_service_nor_a_file_is_wrong_use(cwkc: Command) -> None:
    shown = cwkc("doc", "helpdsk")
    assert shown.status == 2
    assert "did you mean `helpdesk`?" in shown.err


def test_a_file_is_checked_again_when_one_that_it_uses_changes(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks at the files, each of these happens in turn."""
    Path("shared").mkdir()
    Path("tasks").mkdir()
    shared = Path("shared/types.cwk")
    shared.write_text("cwk 1\n\nenum Colour { red }\n")
    Path("tasks/a.cwk").write_text('cwk 1\n\nuse "../shared/types.cwk"\n')
    happens = iter(
        [
            lambda: None,
            lambda: shared.write_text("cwk 1\n\nenum Colour { red, red }\n"),
            lambda: Path("tasks/b.cwk").write_text("cwk 1\n\nenum Size { small }\n"),
            lambda: shared.unlink(),
        ]
    )

    def sleep(seconds: float) -> None:
        following = next(happens, None)
        if following is None:
            raise KeyboardInterrupt
        following()

    monkeypatch.setattr("time.sleep", sleep)
    shown = cwkc("check", "tasks", "--watch")
    assert shown.status == 130
    assert [line for line in shown.err.splitlines() if line] == [
        "1 file, nothing found; waiting for a change",
        "1 file, 1 error; waiting for a change",
        "2 files, 1 error; waiting for a change",
        "2 files, 1 error; waiting for a change",
    ]
    assert "E227" in shown.out
