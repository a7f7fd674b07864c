"""Environments of a task with a user and events."""

import json

import pytest

from coworkdsl import Environment, Pack, export_run, replay_run


@pytest.fixture
def env(dialogue: Pack) -> Environment:
    return dialogue.env("triage")


def test_the_answer_is_returned_and_kept(env: Environment) -> None:
    env.begin_turn()
    assert env.say("Which one?") == "The stale one.\n\nThere is no hurry."
    assert not env.done
    assert env.messages[1:] == [
        {"role": "assistant", "content": "Which one?"},
        {"role": "user", "content": "The stale one.\n\nThere is no hurry."},
    ]
    assert env.trace.told == {"which": 0, "hint": 0}


def test_a_remark_asks_and_the_turns_end_answers(env: Environment) -> None:
    assert env.say("Which one?", end_turn=False) is None
    env.call("helpdesk_list_tickets")
    assert env.say("") == "The stale one.\n\nThere is no hurry."


def test_an_empty_message_says_nothing(env: Environment) -> None:
    assert env.say("") == "It is 2026-03-17T09:00:00Z."
    assert (env.trace.said, env.trace.answer, env.trace.told) == ((), None, {})


def test_events_follow_calls_even_those_that_fail(env: Environment) -> None:
    assert "error" in env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 0})
    assert env.trace.fired == {"reopened": 1}
    assert [(write.id, write.event) for write in env.trace.writes] == [("TK-4", "reopened")]
    assert env.say("") == "TK-4 costs 0.08."


def test_an_event_without_values_is_no_exception(env: Environment) -> None:
    env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 0, "days": 1})
    assert env.trace.fired == {"reopened": 1}
    assert not any(write.event for write in env.trace.writes)


def test_no_record_gets_the_id_of_one_to_come(env: Environment) -> None:
    ids = [env.call("mail_send_message", {"to": "a@b.test", "subject": "x"})["message_id"] for _ in range(2)]
    assert "out_2" not in ids
    env.say("")
    assert env.call("mail_discard_message", {"message_id": "out_2"}) == {"status": "ok"}


def test_a_call_behind_the_end_is_refused(env: Environment) -> None:
    env.finish()
    assert env.done
    assert env.say("Wait, which one?") is None
    assert env.call("helpdesk_list_tickets")["error"]["code"] == "run_ended"
    assert env.trace.calls == ()
    assert list(env.trace.fired) == ["mail", "gone", "late"]


def test_an_event_may_end_the_run_at_a_call(env: Environment) -> None:
    for _ in range(12):
        env.call("mail_send_message", {"to": "a@b.test", "subject": "x"})
    assert env.done
    assert list(env.trace.fired) == ["bye"]


def test_finishing_ends_a_run_in_which_a_question_is_open(env: Environment) -> None:
    env.begin_turn()
    env.say("Why?", end_turn=False)
    env.finish()
    assert env.done


def test_a_user_loses_patience(env: Environment) -> None:
    for _ in range(6):
        assert not env.done
        env.say("Are you there?")
    assert env.done


def test_ending_turns_counts_as_turns(dialogue_files: dict[str, str]) -> None:
    document = json.loads(dialogue_files["tasks/triage/task.json"]) | {"limits": {"turns": 1}}
    env = Pack.from_files(dialogue_files | {"tasks/triage/task.json": json.dumps(document)}).env("triage")
    env.finish()
    assert env.done
    assert list(env.trace.fired) == ["mail"]
    assert env.call("helpdesk_list_tickets")["error"]["code"] == "limit_reached"


def test_a_replayed_run_is_the_same_run(dialogue: Pack, env: Environment) -> None:
    env.begin_turn()
    env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 2})
    for text in ("Which one?", "And?", "TK-3 is critical."):
        env.begin_turn()
        env.say(text)
    env.finish()
    document = json.loads(json.dumps(export_run(env)))
    again = replay_run(dialogue, document)
    assert export_run(again) == document
    assert (again.trace.writes, again.trace.fired, again.done) == (env.trace.writes, env.trace.fired, True)
