"""What a change does to tasks, as a reviewer is shown it."""

import json
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command, Outcome
from tests.cwkc.cli.test_packs import TASK
from tests.cwkc.test_families import RICH


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def compared(cwkc: Command, old: str, new: str, *options: str) -> Outcome:
    Path("old.cwk").write_text(old)
    Path("new.cwk").write_text(new)
    return cwkc("diff", "old.cwk", "new.cwk", *options)


@pytest.mark.parametrize(
    ("written", "instead", "lines"),
    [
        (
            "@TK-301",
            "@TK-399",
            [
                "@ records",
                "- helpdesk.tickets @TK-301",
                "- helpdesk.tickets @TK-301 title: Scanner offline",
                "- helpdesk.tickets @TK-301 created_at: 2026-03-11T08:00:00Z",
                "+ helpdesk.tickets @TK-399",
                "+ helpdesk.tickets @TK-399 title: Scanner offline",
                "+ helpdesk.tickets @TK-399 created_at: 2026-03-11T08:00:00Z",
                "@ truths",
                '- stale = "TK-301"',
                '+ stale = "TK-399"',
                "@ witness",
                '- helpdesk_update_ticket {"ticket_id": "TK-301", "priority": "critical"}',
                '+ helpdesk_update_ticket {"ticket_id": "TK-399", "priority": "critical"}',
            ],
        ),
        (
            'check 1 "sets it to critical" stale.priority == critical',
            'check 0.6 "sets it to critical" stale.priority == critical\n'
            '  check 0.4 "finds it" called helpdesk.list_tickets',
            [
                "@ checks",
                '- check 1 "sets it to critical" stale.priority == critical',
                '+ check 0.6 "sets it to critical" stale.priority == critical',
                '+ check 0.4 "finds it" called helpdesk.list_tickets',
                "@ witness",
                "+ helpdesk_list_tickets {}",
            ],
        ),
        (
            "has waited for days.",
            "waits.",
            [
                "@ request",
                "- The scanner ticket has waited for days. Set its priority to critical.",
                "+ The scanner ticket waits. Set its priority to critical.",
            ],
        ),
        (
            "  only changes",
            '  forbid "changes another" called helpdesk.update_ticket where ticket_id != stale else safety 0.5\n'
            "  only changes",
            [
                "@ forbids",
                '+ forbid "changes another" called helpdesk.update_ticket where ticket_id != stale else safety 0.5',
            ],
        ),
    ],
    ids=["record", "check", "request", "forbid"],
)
def test_what_is_different_is_told_by_parts(written: str, instead: str, lines: list[str], cwkc: Command) -> None:
    shown = compared(cwkc, TASK, TASK.replace(written, instead))
    assert shown.status == 1, shown.err
    assert shown.out.splitlines() == ["task raise_stale", *lines]


def test_layout_comments_and_moved_lines_are_no_difference(cwkc: Command) -> None:
    moved = TASK.replace("cwk 1\n", "cwk 1\n\n# A remark.\n\n").replace("  only changes", "\n\n\n  only changes")
    shown = compared(cwkc, TASK, moved)
    assert (shown.status, shown.out) == (0, "")


def test_a_pack_can_be_compared_with_the_file_that_it_comes_from(cwkc: Command) -> None:
    Path("task.cwk").write_text(TASK)
    assert cwkc("build", "task.cwk", "-o", "dist").status == 0
    assert cwkc("diff", "dist", "task.cwk").status == 0
    assert cwkc("diff", "dist", "dist").out == ""


def test_a_task_that_is_new_or_gone_is_named(cwkc: Command) -> None:
    shown = compared(cwkc, TASK, TASK.replace("task raise_stale", "task raise_it"))
    assert shown.out.splitlines() == ["- task raise_stale", "+ task raise_it"]


def test_a_family_is_told_as_its_first_member_and_how_many_there_are(cwkc: Command) -> None:
    few = RICH.replace("[2.5, 10]", "[2.5, 10, 20]")
    shown = compared(cwkc, RICH, few)
    assert shown.status == 1, shown.err
    assert shown.out.splitlines()[:6] == [
        "family rich",
        "@ parameters",
        "- least: decimal, 2 values",
        "+ least: decimal, 3 values",
        "@ members",
        "- built: 8 of 8",
    ]
    shown = compared(cwkc, RICH, RICH.replace("core, vip]", "core, enterprise]"))
    assert [line[0] for line in shown.out.splitlines()] == ["f", "@", "-", "+"]
    shown = compared(cwkc, RICH, RICH.replace("[2.5, 10]", "[2, 10]"))
    assert "+ helpdesk.tickets" not in shown.out
    assert "+ crm.customers @CUS-1 share: 0.5" in shown.out.splitlines()


def test_nothing_is_built_twice(cwkc: Command) -> None:
    compared(cwkc, TASK, TASK, "--cache", "cache")
    kept = {path: path.read_bytes() for path in Path("cache").rglob("*") if path.is_file()}
    assert kept
    assert compared(cwkc, TASK, TASK, "--cache", "cache").status == 0
    assert {path: path.read_bytes() for path in Path("cache").rglob("*") if path.is_file()} == kept


def test_changes_as_json(cwkc: Command) -> None:
    shown = compared(cwkc, TASK, TASK.replace("only changes stale.priority", "only changes stale"), "--format", "json")
    assert json.loads(shown.out)[0] == {
        "kind": "task",
        "task": "raise_stale",
        "part": "forbids",
        "name": "only changes stale.priority",
        "old": "only changes stale.priority",
        "new": None,
    }
    assert json.loads(compared(cwkc, TASK, TASK, "--format", "json").out) == []


def test_what_cannot_be_built_cannot_be_compared(cwkc: Command) -> None:
    shown = compared(cwkc, TASK, TASK.replace("check 1", "check 0.5"))
    assert (shown.status, shown.out) == (2, "")
    assert "error[" in shown.err


@pytest.mark.parametrize("damage", ["grader.py", "task.json", "proof.json"])
def test_a_damaged_pack_is_told_as_one(damage: str, cwkc: Command) -> None:
    Path("task.cwk").write_text(TASK)
    cwkc("build", "task.cwk", "-o", "dist")
    Path("dist/tasks/raise_stale", damage).write_text("{(")
    shown = cwkc("diff", "dist", "task.cwk")
    assert (shown.status, shown.out) == (2, "")
    assert "is not a pack that can be compared" in shown.err
