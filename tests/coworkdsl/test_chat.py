"""Runs as conversations."""

from typing import Any

import pytest

from coworkdsl import Environment, Pack, RunError, replay, replay_run

ASK = {"id": "a", "type": "function", "function": {"name": "helpdesk_get_ticket", "arguments": '{"ticket_id": "TK-3"}'}}


def test_words_beside_calls_are_a_remark(env: Environment) -> None:
    run = replay(
        env,
        [
            {"role": "system", "content": "You help."},
            {"role": "user", "content": "Go."},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "Let me "}, {"type": "text", "text": "see."}],
                "tool_calls": [ASK],
            },
            {"role": "tool", "tool_call_id": "a", "content": "anything"},
            {"role": "assistant", "content": "", "tool_calls": [ASK | {"id": "b"}]},
            {"role": "assistant", "content": "Done.", "tool_calls": None},
        ],
    )
    assert run.said == ("Let me see.", "Done.")
    assert run.called("helpdesk.get_ticket") == (0, 1)
    assert env.done


def test_a_conversation_is_written_turn_by_turn(env: Environment) -> None:
    env.begin_turn()
    env.say("Both at once.", end_turn=False)
    env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 2})
    env.call("helpdesk_charge", "{")
    env.begin_turn()
    env.say("Fertig: 1½ Stück")
    arguments = '{"ticket_id": "TK-1", "hours": 1, "days": 2}'
    refusal = '{"error": {"code": "invalid_arguments", "message": "the arguments must be a JSON object; got \\"{\\""}}'
    assert env.messages == [
        {"role": "user", "content": "Escalate TK-3 and tell Ines and Ole."},
        {
            "role": "assistant",
            "content": "Both at once.",
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "helpdesk_charge", "arguments": arguments}},
                {"id": "call_2", "type": "function", "function": {"name": "helpdesk_charge", "arguments": "{"}},
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": '{"result": 0.5}'},
        {"role": "tool", "tool_call_id": "call_2", "content": refusal},
        {"role": "assistant", "content": "Fertig: 1½ Stück"},
    ]


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ("hello", "messages: must be an array of messages"),
        (["hello"], "messages[0]: must be an object"),
        (
            [{"role": "agent"}],
            "messages[0]: `role` must be one of system, developer, user, assistant, tool; got 'agent'",
        ),
        ([{"role": "user", "content": 3}], "messages[0].content: must be null, a text or an array of parts"),
        (
            [{"role": "assistant", "content": [{"type": "image_url"}]}],
            'messages[0].content[0]: must be a part {"type": "text", "text": …}',
        ),
        ([{"role": "assistant", "content": None}], "messages[0]: has neither content nor tool calls"),
        ([{"role": "assistant", "tool_calls": {}}], "messages[0].tool_calls: must be an array"),
        (
            [{"role": "assistant", "tool_calls": [{"id": "a"}]}],
            "messages[0].tool_calls[0]: must have a `function` with a `name`",
        ),
        (
            [{"role": "assistant", "tool_calls": [ASK, ASK]}],
            "messages[0].tool_calls[1]: must have an `id` of its own",
        ),
        (
            [{"role": "user", "content": "Go."}, {"role": "tool", "tool_call_id": "a", "content": ""}],
            "messages[1]: answers no call made before it: `tool_call_id` is 'a'",
        ),
    ],
)
def test_damaged_conversations(env: Environment, messages: Any, problem: str) -> None:
    with pytest.raises(RunError) as caught:
        replay(env, messages)
    assert str(caught.value) == problem
    assert env.events == []


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([], "a run must be an object"),
        ({"format": 2}, "format: is 2; this version reads format 1"),
        ({"format": 1, "task": "gone"}, "task: the pack has no task 'gone'"),
        ({"format": 1, "task": "triage", "seed": True}, "seed: must be a whole number; got True"),
        ({"format": 1, "task": "triage"}, "messages: must be an array of messages"),
    ],
)
def test_damaged_runs(desk: Pack, document: Any, problem: str) -> None:
    with pytest.raises(RunError) as caught:
        replay_run(desk, document)
    assert str(caught.value) == problem
