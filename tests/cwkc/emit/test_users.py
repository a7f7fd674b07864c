"""Modules of users and events: what they say, and that they mean what the task says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from coworkdsl import Pack
from coworkdsl.world import World
from cwkc.emit import emit_pack
from cwkc.meaning.evaluator import holds
from cwkc.meaning.execution import happen

from .. import generators
from ..generators import GRADING, program, task_of
from .test_meaning import CALLS, WORDS, environment, graded, outcome

PROGRAMS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))

SCRIPT = """
  user {
    persona "Terse."
    knows {
      code: "The code is 1240." when said mentions any of ["code", "number"]
      hint: "Mind the valve."
    }
    patience 4 turns
  }
  on started when called desk.get(item: pump) and learned code {
    set pump { title: $"{pump.title}, begun", at: now }
    say $"{pump.title} has begun."
  }
  on night at now + 1d silent {
    insert desk.items { @IT-9 { title: "Hose", day: date(now), at: now, owner: "bo@work.test", home: @TM-1 } }
    delete @IT-3
  }
  on bye turn 3 { end }
  check 1 "tidies" answer contains "done"
"""


def test_the_module_reads_as_the_task_does() -> None:
    task = task_of(program(SCRIPT))
    text = re.sub(r"desk.cwk:\d+", "desk.cwk:N", emit_pack((task,), {})["tasks/desk_work/user.py"])
    for line in (
        'PERSONA = "Terse."',
        "PATIENCE = 4",
        'LANGUAGE = "en"',
        '# desk.cwk:N: said mentions any of ["code", "number"]',
        "def asked_code(run):",
        "def when_started(run):",
        'PUMP = "IT-1"  # let pump (desk.cwk:N)',
        '    rt.Fact("hint", "Mind the valve.", asked=None, place="desk.cwk:N"),',
        '    rt.ScriptedEvent("bye", on_bye, "desk.cwk:N", turn=3, ends=True),',
    ):
        assert line in text.splitlines(), line


def test_a_script_plays_as_it_is_written() -> None:
    env = environment(task_of(program(SCRIPT)))
    env.call("desk_get", {"item": "IT-1"})
    assert env.trace.fired == {}
    assert env.say("Which code?") == "The code is 1240.\n\nMind the valve.\n\nPump A, 12 bar, begun has begun."
    assert env.say("") == "It is 2026-03-15T09:00:00Z."
    assert env.call("desk_get", {"item": "IT-9"})["day"] == "2026-03-15"
    assert env.call("desk_get", {"item": "IT-3"})["error"]["code"] == "not_found"
    assert env.say("") is None
    assert env.done


def test_a_task_without_a_script_has_no_module_of_one() -> None:
    assert "tasks/desk_work/user.py" not in emit_pack((task_of(program()),), {})


def test_the_ids_of_records_to_come_are_reserved() -> None:
    base = Pack.from_files(emit_pack((task_of(program(SCRIPT)),), {})).task("desk_work").base
    assert base.has("desk.Item", "IT-9")


# ---------------------------------------------------------------------------- one meaning


@PROGRAMS
@given(st.lists(generators.conditions(GRADING), min_size=1, max_size=4), CALLS, WORDS)
def test_conditions_of_facts_and_events(
    conditions: list[str], calls: list[tuple[str, Mapping[str, Any]]], words: list[str]
) -> None:
    scripted = "\n".join(f"on e{index} when {each} {{ end }}" for index, each in enumerate(conditions))
    facts = "\n".join(f'f{index}: "It is so." when {each}' for index, each in enumerate(conditions))
    task = task_of(program(f'user {{ knows {{ {facts} }} }}\n{scripted}\ncheck 1 "tidies" answer contains "done"'))
    env = environment(task_of(program()))
    for tool, arguments in calls:
        env.call(tool, dict(arguments))
    for text in words:
        env.say(text, end_turn=False)
    script = Pack.from_files(emit_pack((task,), {})).task(task.name).script
    run = env.trace
    for fact, event, defined in zip(script.facts, script.events, task.events.values(), strict=True):
        assert defined.condition is not None
        assert event.when is not None
        assert fact.asked is not None
        expected = outcome(partial(holds, defined.condition, graded(run, task)))
        assert outcome(partial(event.when, run)) is expected, defined.condition.span.text
        assert outcome(partial(fact.asked, run)) is expected, defined.condition.span.text


EVENT = evolve(GRADING, depth=2, facts=False)
WRITTEN = {"note": "text", "price": "decimal", "span": "duration"}
ACTIONS = st.lists(
    st.one_of(
        st.sampled_from(list(WRITTEN)).flatmap(
            lambda name: generators.values(WRITTEN[name], EVENT).map(lambda value: f"set @IT-1 {{ {name}: {value} }}")
        ),
        generators.values("item", EVENT).map(lambda item: f"set {item} {{ size: 9 }}"),
        generators.values("item", EVENT).map(lambda item: f"delete {item}"),
        st.just('insert desk.items { @IT-7 { title: "x", day: date(now), at: now, owner: "a@b.test", home: @TM-1 } }'),
        st.just('say $"{pump.note}, {pump.price}, {pump.span}, {pump.at}"'),
    ),
    min_size=1,
    max_size=4,
)


@PROGRAMS
@given(ACTIONS)
def test_what_events_do(actions: list[str]) -> None:
    """One event for each action, so that what one writes the next one reads."""
    firsts = [action for index, action in enumerate(actions) if action not in actions[:index]]
    scripted = "\n".join(f"on e{index} at now + {index + 1}h {{ {each} }}" for index, each in enumerate(firsts))
    tasks, _ = generators.checked(program(f'{scripted}\ncheck 1 "tidies" answer contains "done"'))
    assume(tasks)  # a value that does not exist, as a division by zero, is an error of the task's
    (task,) = tasks
    emitted_task = Pack.from_files(emit_pack((task,), {})).task(task.name)
    emitted, meant = World(emitted_task.base), World(emitted_task.base)
    truths = {name: truth.value for name, truth in task.truths.items()}
    for event, defined in zip(emitted_task.script.events, task.events.values(), strict=True):
        assert event.at is not None
        emitted.now = event.at
        emitted.begin(-1, event.name)
        meant.begin(-1, event.name)
        assert outcome(partial(event.act, emitted)) == outcome(partial(happen, defined, meant, truths)), scripted
        emitted.commit()
        meant.commit()
        assert emitted.log == meant.log, scripted
