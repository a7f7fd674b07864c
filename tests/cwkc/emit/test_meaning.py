"""Emitted code and the evaluator give one meaning to every expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coworkdsl import Environment, Pack, Run
from coworkdsl.operations import Undefined
from coworkdsl.values import to_wire
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate, holds, share_of

from .. import generators
from ..generators import GRADING, PARAMETERS, TOOL

PROGRAMS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))

CALLS = st.lists(
    st.one_of(
        st.tuples(
            st.just("desk_get"), st.fixed_dictionaries({"item": st.sampled_from(["IT-1", "IT-4", "AR-1", "no"])})
        ),
        st.tuples(
            st.just("desk_add"),
            st.fixed_dictionaries(
                {"title": st.sampled_from(["Pump", ""]), "day": st.just("2026-03-14"), "home": st.just("TM-1")},
                optional={"size": st.integers(-2, 9), "tags": st.just(["blue"]), "note": st.none()},
            ),
        ),
        st.tuples(
            st.just("desk_change"),
            st.fixed_dictionaries(
                {"item": st.sampled_from(["IT-1", "IT-2", "IT-4", "AR-1"])},
                optional={
                    "ready": st.booleans(),
                    "team": st.sampled_from(["TM-1", "TM-2"]),
                    "level": st.sampled_from(["mid", "high", "huge"]),
                    "price": st.sampled_from([0.1, -3, 1e9]),
                },
            ),
        ),
        st.tuples(
            st.sampled_from(["desk_drop", "desk_rename"]),
            st.fixed_dictionaries({"item": st.sampled_from(["IT-1", "IT-2", "IT-3", "AR-1"])}),
        ),
        st.tuples(st.just("desk_disband"), st.fixed_dictionaries({"team": st.sampled_from(["TM-1", "TM-2"])})),
    ),
    max_size=6,
)
WORDS = st.lists(st.sampled_from(["Pump A is done.", "IT-1, IT-2", "12.5 and 3"]), max_size=2)


def environment(task: typed.Task) -> Environment:
    return Pack.from_files(emit_pack((task,), {})).env(task.name)


def outcome(ask: Callable[[], Any]) -> Any:
    """What it gives, or what it raises where there is no value."""
    try:
        return ask()
    except Undefined as undefined:
        return type(undefined)


def graded(run: Run, task: typed.Task) -> Scope:
    truths = {name: truth.value for name, truth in task.truths.items()}
    return Scope(world=run.final, start=run.start, run=run, now=task.now, truths=truths)


@PROGRAMS
@given(st.lists(generators.conditions(GRADING), min_size=1, max_size=5), CALLS, WORDS)
def test_conditions_of_grading(
    conditions: list[str], calls: list[tuple[str, Mapping[str, Any]]], words: list[str]
) -> None:
    checks = "\n".join(f'check 1 "condition {index}" {each}' for index, each in enumerate(conditions))
    task = generators.task_of(generators.program(checks))
    env = environment(task)
    for tool, arguments in calls:
        env.call(tool, dict(arguments))
    for text in words:
        env.say(text, end_turn=False)
    assert not env.defects
    run, rules = env.trace, env.task.grader.checks
    for check, rule in zip(task.checks, rules, strict=True):
        expected = outcome(partial(holds, check.condition, graded(run, task)))
        assert outcome(partial(rule.test, run)) is expected, check.condition.span.text
        outcome(partial(rule.evidence, run))


ARGUMENTS = st.fixed_dictionaries(
    {
        "a_item": st.sampled_from(["IT-1", "IT-2", "AR-1"]),
        "a_int": st.sampled_from([0, 1, -4, 100]),
        "a_date": st.just("2026-03-01"),
        "a_duration": st.sampled_from(["PT0S", "PT30H"]),
        "a_texts": st.lists(st.sampled_from(["blue", "Pump A", ""]), max_size=2),
        "a_items": st.lists(st.sampled_from(["IT-3", "IT-1", "AR-1"]), max_size=3),
    },
    optional={
        "a_team": st.sampled_from(["TM-1", "TM-2"]),
        "a_text": st.sampled_from(["pump", "12"]),
        "a_decimal": st.sampled_from([0, 9.99]),
        "a_datetime": st.sampled_from(["2026-03-12T09:00:00+01:00", None]),
    },
)
KINDS = {"text": "text?", "decimal": "decimal?", "duration": "duration?", "texts": "[text]?", "condition": "bool?"}


@PROGRAMS
@given(
    st.sampled_from(list(KINDS)).flatmap(lambda kind: st.tuples(st.just(kind), generators.values(kind, TOOL))),
    CALLS,
    ARGUMENTS,
)
def test_expressions_in_tools(
    drawn: tuple[str, str], calls: list[tuple[str, Mapping[str, Any]]], arguments: Mapping[str, Any]
) -> None:
    kind, expression = drawn
    parameters = ", ".join(f"a_{name}: {type}" for name, type in PARAMETERS.items())
    tool = f"tool probe ({parameters}) -> {KINDS[kind]} {{ return {expression} }}"
    task = generators.task_of(generators.program(tools=tool))
    env = environment(task)
    for name, given_arguments in calls:
        env.call(name, dict(given_arguments))
    answer = env.call("desk_probe", dict(arguments))
    assert not env.defects
    call = env.trace.calls[-1]
    if call.arguments is None or answer.get("error", {}).get("code") == "not_found":
        return
    (body,) = (each.body for each in task.tools if each.name == "desk.probe")
    value = body[0]
    assert isinstance(value, typed.Return)
    scope = Scope(world=env.trace.final, now=task.now, variables=call.arguments)
    expected = outcome(lambda: evaluate(value.value, scope))
    if isinstance(expected, type) and issubclass(expected, Undefined):
        assert answer["error"]["code"] == expected.code
    elif kind == "texts":
        assert answer == {"items": to_wire(expected or ()), "total": len(expected or ())}
    else:
        assert answer == {"result": to_wire(expected)}


@PROGRAMS
@given(generators.conditions(evolve(GRADING, depth=2, variables=(("item", "x"),))), CALLS)
def test_the_share_of_an_each(condition: str, calls: list[tuple[str, Mapping[str, Any]]]) -> None:
    task = generators.task_of(generators.program(f'check 1 "each of them" each x in blue: {condition}'))
    env = environment(task)
    for tool, arguments in calls:
        env.call(tool, dict(arguments))
    run, binder = env.trace, task.checks[0].condition
    assert isinstance(binder, typed.Binder)
    expected = outcome(lambda: share_of(binder, graded(run, task)))
    assert outcome(lambda: env.task.grader.checks[0].test(run)) == expected
