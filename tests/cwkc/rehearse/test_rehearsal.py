"""Executing runs in emitted environments, and the rehearsal of a finished pack."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from coworkdsl import Pack
from cwkc.diagnostics import has_errors
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.prove import CallOutcome, CallStep, SayStep, Step
from cwkc.rehearse import EmittedCodeError, execute, executor, rehearse

from ..generators import program, task_of

GRADING = """
  limit 4 turns
  check 0.5 "renames the pump" pump.title == "Pump B"
  check 0.5 "looks at all" each i in blue: called desk.get(item: i)
  require "answers" answer contains "done" else cap 0.5
  forbid "drops" tried desk.drop else safety 0.25
"""
RENAMES = CallStep("desk_change", {"item": "IT-1", "title": "Pump B"})
LOOKS: tuple[Step, ...] = tuple(CallStep("desk_get", {"item": item}) for item in ("IT-1", "IT-2"))
WITNESS: tuple[Step, ...] = (RENAMES, *LOOKS, SayStep("done", ends=True))


@pytest.fixture(scope="module")
def task() -> typed.Task:
    return task_of(program(GRADING))


@pytest.fixture(scope="module")
def files(task: typed.Task) -> Mapping[str, str]:
    return emit_pack((task,), {})


def test_a_run_is_executed_and_scored(task: typed.Task) -> None:
    outcome = executor(task)(WITNESS)
    assert outcome.is_full
    assert outcome.completion == outcome.safety == 1


def test_each_execution_begins_anew(task: typed.Task) -> None:
    run = executor(task)
    assert run(WITNESS) == run(WITNESS)
    assert run(()).completion == 0


def test_an_execution_tells_what_became_of_each_call(task: typed.Task) -> None:
    add = CallStep("desk_add", {"title": "a", "day": "2026-03-14", "home": "TM-1"})
    drop = CallStep("desk_drop", {"item": "IT-9"})
    outcome = executor(task)((add, SayStep("so far", ends=False), drop, add, LOOKS[0], add, SayStep("done", ends=True)))
    assert outcome.calls == (
        CallOutcome(None, (("desk.items", "IT-4"),)),
        CallOutcome("not_found", ()),
        CallOutcome(None, (("desk.items", "IT-5"),)),
        CallOutcome(None, ()),
        CallOutcome("limit_reached", ()),
    )
    assert outcome.checks == (False, False)
    assert outcome.requirements == (False,)
    assert outcome.forbids == (False,)
    assert (outcome.completion, outcome.safety) == (Fraction(1, 4), Fraction(1, 4))


def test_a_rehearsal_runs_the_witness_and_the_idle_agent(task: typed.Task, files: Mapping[str, str]) -> None:
    rehearsal = rehearse(task, files, WITNESS)
    assert rehearsal.witness is not None
    assert rehearsal.witness.score.reward == 1
    assert rehearsal.silent.score.reward == 0
    assert not has_errors(rehearsal.diagnostics)


def test_a_witness_that_earns_less_is_a_defect_that_says_what_is_missing(
    task: typed.Task, files: Mapping[str, str]
) -> None:
    with pytest.raises(EmittedCodeError, match=r"renames the pump \(pump.title: Pump A, 12 bar\)"):
        rehearse(task, files, WITNESS[1:])


def test_a_share_at_the_start_is_reported() -> None:
    task = task_of(program('check 1 "small" each i in blue: i.size < 0'))
    found = {each.code: each for each in rehearse(task, emit_pack((task,), {}), None).diagnostics}
    assert found["E430"].message == "an agent that does nothing earns 50 % of `small`"
    assert found["E430"].span is task.checks[0].span


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("services/desk.py", 'return rt.record(w, "desk.Item", item)', "return item.id", "in a tool: AttributeError"),
        ("services/desk.py", "from coworkdsl", "from nowhere", "to load: PackError"),
        (
            "tasks/desk_work/grader.py",
            "rt.contains(run.answer",
            "rt.contains(run.reply",
            "to grade a run: AttributeError",
        ),
        ("pack.json", "[", "{", "to load: PackError"),
    ],
)
def test_code_that_fails_is_a_defect(
    task: typed.Task, files: Mapping[str, str], path: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(EmittedCodeError, match=f"the emitted code of `desk_work` failed {message}"):
        rehearse(task, {**files, path: files[path].replace(old, new)}, WITNESS)


def test_a_step_is_executed_in_a_pack_of_several_tasks(files: Mapping[str, str]) -> None:
    execution = execute(Pack.from_files(files), "desk_work", LOOKS[:1])
    assert execution.refused == (None,)
    assert execution.score.completion == 0.25
