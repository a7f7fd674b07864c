"""The verdict on drafts: what is refused before the compiler is asked, and what a draft may open."""

from __future__ import annotations

from pathlib import Path

import pytest

from cwkc.generate.checking import Checker
from cwkc.generate.owners import Owner
from cwkc.generate.slots import Slot, read_plan
from tests.cwkc.generate.authors import HALVES, STALE, plan

TASK, GRADE = HALVES[STALE]


@pytest.fixture
def slot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slot:
    monkeypatch.chdir(tmp_path)
    Path("plan.cwk").write_text(plan(STALE), encoding="utf-8")
    read, _ = read_plan(Path("plan.cwk"), Path("out"))
    assert read is not None
    return read.slots[0]


def names(slot: Slot, task: str, grade: str | None = None) -> list[tuple[str, str]]:
    checker = Checker(Path("out"), {})
    verdict = checker.task_alone(slot, task) if grade is None else checker.whole(slot, task, grade)
    return [(each.owner.value, each.name) for each in verdict.faults]


def test_right_halves_are_right(slot: Slot) -> None:
    assert names(slot, TASK) == names(slot, TASK, GRADE) == []


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (f"task {STALE}", "task other", "wrong-items"),
        ("task ", "enum E { a }\ntask ", "wrong-items"),
        ("limit 20 turns", 'limit 20 turns check 1.0 "x" answer contains "y"', "grading-in-task"),
        ("limit 20 turns", "limit 20 turns let x = 3", "grading-in-task"),
        ("limit 20 turns", 'limit 20 turns allow W441 "why"', "allow-in-task"),
        ("limit 20 turns", 'limit 20 turns asset "plan.cwk" { a: 1 }', "asset-in-task"),
        ("2026-03-14T09:00:00Z", "2026-03-15T09:00:00Z", "unlike-slot"),
        ("workflow", "support", "unlike-slot"),
        ("tools crm, ", "tools ", "unlike-slot"),
        ("use crm", 'use "plan.cwk", crm', "E227"),
        ("limit 20 turns", "limit 20 turns {", "E103"),
        ("request", "requst", "E101"),
    ],
)
def test_a_task_that_is_not_as_it_must_be_is_its_writers_fault(slot: Slot, old: str, new: str, name: str) -> None:
    assert old in TASK
    assert ("writer", name) in names(slot, TASK.replace(old, new, 1))


@pytest.mark.parametrize(
    ("grade", "name"),
    [
        ("cwk 1", "wrong-items"),
        ('cwk 1 grade other { check 1.0 "x" answer contains "y" }', "wrong-items"),
        (f"{GRADE}\ntask more {{ }}", "wrong-items"),
        (f'cwk 1 grade {STALE} {{ forbid "x" tried helpdesk.close_ticket }}', "nothing-checked"),
        (GRADE.replace("target", "taget", 1), "E201"),
        (GRADE.replace("0.20", "0.30"), "E406"),
        (GRADE.rstrip().removesuffix("}"), "E103"),
    ],
)
def test_a_grading_that_is_not_as_it_must_be_is_its_verifiers_fault(slot: Slot, grade: str, name: str) -> None:
    found = names(slot, TASK, grade)
    assert ("verifier", name) in found
    assert {owner for owner, _ in found} == {"verifier"}


def test_an_answer_that_is_given_away_is_the_writers_fault(slot: Slot) -> None:
    leaking = TASK.replace("Don't close anything.", "It is TK-301.")
    assert names(slot, leaking, GRADE) == [(Owner.WRITER.value, "E411")]


def test_a_draft_opens_no_file_but_those_of_its_slot(slot: Slot, tmp_path: Path) -> None:
    secret = tmp_path / "secret.cwk"
    secret.write_text("cwk 1\nenum Secret { hunter2 }", encoding="utf-8")
    verdict = Checker(Path("out"), {}).task_alone(slot, TASK.replace("use crm", f'use "{secret}", crm'))
    assert [each.name for each in verdict.faults] == ["E227"]
    assert "hunter2" not in repr(verdict)
    allowed = Checker(Path("out"), {secret.as_posix(): secret.read_text(encoding="utf-8")})
    assert not allowed.task_alone(slot, TASK.replace("use crm", f'use "{secret}", crm')).faults
