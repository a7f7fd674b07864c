"""Grader modules: what they say, and the evidence that they give."""

from __future__ import annotations

from typing import Any

import pytest

from coworkdsl import Environment, Pack
from cwkc.emit import emit_grader, emit_pack
from cwkc.meaning import typed

from ..generators import program, task_of

GRADING = """
  check 0.5 "renames the pump"
    pump.title == "Pump B"          # its "new" name
    and pump.size > 2
  check 0.2 "Looks at all" each i in blue: called desk.get(item: i)
  check 0.1 "looks at all!" share count(all i in blue where called desk.get(item: i)) / (count(blue) * 2)
  check 0.2 "日本語" some i in desk.items where i.title contains "New" and i.home == pump.home
  require "answers" answer mentions any of ["done", "ready"] else times 0.5
  require "divides" 1 / (pump.size - pump.size) > 0 else cap 0.25
  forbid "drops" tried desk.drop else safety 0.5
  policy "Never lock anything." forbid "locks" some i in desk.items where i.level == high and start(i.level) != high
  only changes pump.title, new desk.items
  reward safety * completion * completion
"""


@pytest.fixture(scope="module")
def task() -> typed.Task:
    return task_of(program(GRADING))


@pytest.fixture
def env(task: typed.Task) -> Environment:
    return Pack.from_files(emit_pack((task,), {})).env("desk_work")


def evidence(env: Environment, kind: str) -> list[Any]:
    return [dict(outcome.evidence) for outcome in getattr(env.score(), kind)]


def test_an_idle_run_is_explained(env: Environment) -> None:
    assert evidence(env, "checks") == [
        {"pump.title": "Pump A, 12 bar", "pump.size": 3},
        {"exceptions to: each i in blue: called desk.get(item: i)": ("IT-1", "IT-2")},
        {"all i in blue where called desk.get(item: i)": (), "blue": ("IT-1", "IT-2")},
        {'some i in desk.items where i.title contains "New" and i.home == pump.home': ()},
    ]
    assert evidence(env, "requirements") == [{"answer": None}, {"undefined": "division by zero"}]
    assert evidence(env, "forbids")[-1] == {"writes outside": ()}


def test_a_run_is_scored_and_explained(env: Environment) -> None:
    env.call("desk_get", {"item": "IT-2"})
    env.call("desk_change", {"item": "IT-1", "title": "Pump B", "price": 3})
    env.call("desk_add", {"title": "new one", "day": "2026-03-14", "home": "TM-1"})
    env.call("desk_drop", {"item": "no"})
    env.say("done")
    score = env.score()
    assert [str(each.earned) for each in score.checks] == ["1/2", "1/10", "1/40", "1/5"]
    assert [str(each.earned) for each in score.requirements] == ["1", "1/4"]
    assert [str(each.earned) for each in score.forbids] == ["1/2", "1", "0"]
    assert score.exact.reward == score.exact.safety * score.exact.completion**2
    assert evidence(env, "forbids") == [
        {"tried desk.drop": (3,)},
        {"some i in desk.items where i.level == high and start(i.level) != high": ()},
        {"writes outside": (("set", "desk.items", "IT-1", "title", "price"),)},
    ]


def test_a_rule_is_a_function_with_its_source_above(task: typed.Task) -> None:
    text = emit_grader(task, "1.0")
    assert ': check 0.5 "renames the pump" pump.title == "Pump B" and pump.size > 2\n' in text
    names = [
        line[4:].partition("(")[0] for line in text.splitlines() if line.startswith("def ") and "evidence" not in line
    ]
    assert names == [
        "check_renames_the_pump",
        "check_looks_at_all",
        "check_looks_at_all_2",
        "check",
        "require_answers",
        "require_divides",
        "forbid_drops",
        "forbid_locks",
        "forbid_other_changes",
        "reward",
    ]


def test_truths_are_constants(task: typed.Task) -> None:
    text = emit_grader(task, "1.0")
    assert 'PUMP = "IT-1"  # let pump (desk.cwk:' in text
    assert 'NAMES = ("Pump", "Valve")  # let names (desk.cwk:' in text
