"""What holds of every run, whatever an agent does."""

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from coworkdsl import Environment, Pack, export_run, replay, replay_run

TOOLS = (
    "helpdesk_list_tickets",
    "helpdesk_get_ticket",
    "helpdesk_update_ticket",
    "helpdesk_charge",
    "helpdesk_merge",
    "mail_send_message",
    "mail_keep_message",
    "mail_discard_message",
)
ids = st.sampled_from(["TK-1", "TK-2", "TK-3", "TK-4", "m-1", "m-2", "m-4"])
sensible = st.one_of(
    st.tuples(
        st.just("helpdesk_list_tickets"), st.fixed_dictionaries({}, optional={"max_results": st.integers(-1, 3)})
    ),
    st.tuples(st.just("helpdesk_get_ticket"), st.fixed_dictionaries({"ticket_id": ids})),
    st.tuples(
        st.just("helpdesk_update_ticket"),
        st.fixed_dictionaries(
            {"ticket_id": ids},
            optional={
                "priority": st.sampled_from(["low", "critical"]),
                "tags": st.lists(st.text(max_size=2), max_size=2),
            },
        ),
    ),
    st.tuples(
        st.just("helpdesk_charge"),
        st.fixed_dictionaries({"ticket_id": ids, "hours": st.floats(0, 9), "days": st.sampled_from([0, 1, 10**15])}),
    ),
    st.tuples(st.just("helpdesk_merge"), st.fixed_dictionaries({"ticket_ids": st.lists(ids, max_size=2), "into": ids})),
    st.tuples(
        st.just("mail_send_message"),
        st.fixed_dictionaries({"to": st.sampled_from(["ines@ourco.test", "x"]), "subject": st.text(max_size=3)}),
    ),
    st.tuples(st.just("mail_keep_message"), st.fixed_dictionaries({"message_id": ids, "to": st.just("a@b.test")})),
    st.tuples(st.just("mail_discard_message"), st.fixed_dictionaries({"message_id": ids})),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=2) | st.just(object()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3) | st.sampled_from(["ticket_id", "to", "tags"]) | st.integers(), inner, max_size=3
        )
        | st.tuples(inner)
    ),
    max_leaves=8,
)
spoilt = st.tuples(st.sampled_from(TOOLS) | junk, junk)
calls = st.lists(sensible | sensible | spoilt, max_size=8)
turns = st.lists(
    st.tuples(st.none() | st.just("Let me see."), st.lists(sensible | spoilt, min_size=1, max_size=3)), max_size=5
)


def snapshot(env: Environment) -> Any:
    run = env.trace
    return copy.deepcopy(
        [{store: list(run.final.rows(store)) for store in run.final.layout.stores}, run.writes, run.said]
    )


@given(calls)
def test_a_failed_call_changes_nothing(desk: Pack, made: list[Any]) -> None:
    env = desk.env("triage")
    for tool, arguments in made:
        before = snapshot(env)
        result = env.call(tool, arguments)
        json.dumps(result, allow_nan=False)
        if "error" in result:
            assert snapshot(env) == before
    assert env.defects == []


@given(calls)
def test_the_state_before_each_call_is_the_one_that_was(desk: Pack, made: list[Any]) -> None:
    env = desk.env("triage")
    states = []
    for tool, arguments in made:
        states.append(snapshot(env)[0])
        env.call(tool, arguments)
    run = env.trace
    for call, state in zip(run.calls, states, strict=False):
        view = run.before(call.index)
        assert {store: list(view.rows(store)) for store in view.layout.stores} == state


def play(env: Environment, played: list[Any], answer: str | None) -> None:
    for remark, made in played:
        env.begin_turn()
        if remark:
            env.say(remark, end_turn=False)
        for tool, arguments in made:
            env.call(tool, arguments)
    if answer is not None:
        env.begin_turn()
        env.say(answer)


@given(turns, st.none() | st.text(max_size=5))
def test_replaying_a_run_gives_the_same_run(desk: Pack, played: list[Any], answer: str | None) -> None:
    env = desk.env("triage", seed=3)
    play(env, played, answer)
    document = json.loads(json.dumps(export_run(env)))
    again = replay_run(desk, document)
    assert snapshot(again) == snapshot(env)
    assert again.score().to_json() == env.score().to_json() == document["score"]
    assert export_run(again) == document
    assert again.done == env.done


@given(calls)
def test_arguments_may_come_as_text(desk: Pack, made: list[Any]) -> None:
    env, twin = desk.env("triage"), desk.env("triage")
    for tool, arguments in made:
        try:
            text = json.dumps(arguments)
        except TypeError:
            continue
        if not isinstance(arguments, str | None):
            assert env.call(tool, arguments) == twin.call(tool, text)


@given(turns)
def test_what_an_agent_does_to_a_result_changes_nothing(desk: Pack, played: list[Any]) -> None:
    env, twin = desk.env("triage"), desk.env("triage")
    for _, made in played:
        for tool, arguments in made:
            spoil(env.call(tool, arguments))
            twin.call(tool, arguments)
    spoil(env.tools)
    spoil(env.messages)
    assert env.messages == twin.messages
    assert env.tools == twin.tools
    assert [call.result for call in env.trace.calls] == [call.result for call in twin.trace.calls]


def spoil(value: Any) -> None:
    """Empties every list and object within."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            spoil(inner)
        value.clear()


@given(turns)
def test_a_conversation_of_any_environment_can_be_replayed(desk: Pack, played: list[Any]) -> None:
    env = desk.env("triage")
    play(env, played, "Done.")
    fresh = desk.env("triage")
    run = replay(fresh, env.messages)
    assert [call.result for call in run.calls] == [call.result for call in env.trace.calls]
