"""An environment's calls, messages and limits."""

from typing import Any

import pytest

from coworkdsl import Environment, Pack


def error(env: Environment, tool: str, arguments: Any = None) -> tuple[str, str, str | None]:
    failure = env.call(tool, arguments)["error"]
    return failure["code"], failure["message"], failure.get("argument")


@pytest.mark.parametrize(
    ("arguments", "message", "argument"),
    [
        (
            {"ticket_id": "TK-1", "priority": "urgent"},
            '`priority` must be one of low, medium, high, critical; got "urgent"',
            "priority",
        ),
        ({}, "`ticket_id` is required", "ticket_id"),
        (None, "`ticket_id` is required", "ticket_id"),
        ("", "`ticket_id` is required", "ticket_id"),
        ({"ticket_id": None}, "`ticket_id` must be a text; got null", "ticket_id"),
        ({"ticket_id": "TK-1", "tags": ["a", 3]}, "`tags[1]` must be a text; got 3", "tags"),
        (
            {"ticket_id": "TK-1", "assigned_to": "Ines"},
            '`assigned_to` must be an email address; got "Ines"',
            "assigned_to",
        ),
        (
            {"ticket_id": "TK-1", "status": "open"},
            "`status` is no parameter of this tool; its parameters are: ticket_id, priority, tags, assigned_to",
            "status",
        ),
        ([], "the arguments must be an object; got an array", None),
        ("{", 'the arguments must be a JSON object; got "{"', None),
        ("[" * 100_000, f'the arguments must be a JSON object; got "{"[" * 40}…"', None),
        (object(), 'the arguments must be a JSON object; got "<object>"', None),
    ],
    ids=range(12),
)
def test_arguments_that_break_the_schema(env: Environment, arguments: Any, message: str, argument: str | None) -> None:
    assert error(env, "helpdesk_update_ticket", arguments) == ("invalid_arguments", message, argument)
    (call,) = env.trace.calls
    assert call.arguments is None
    assert not call.accepted


def test_an_unknown_id_is_an_error_of_its_own(env: Environment) -> None:
    assert error(env, "helpdesk_merge", {"ticket_ids": ["TK-1", "TK-9"], "into": "TK-2"}) == (
        "not_found",
        '`ticket_ids`: no Ticket has the id "TK-9"',
        "ticket_ids",
    )
    assert env.trace.tried("helpdesk.merge", lambda a, w: a["into"] == "TK-2") == (0,)


def test_a_tool_fails_as_declared(env: Environment) -> None:
    assert error(env, "helpdesk_update_ticket", {"ticket_id": "TK-4", "priority": "low"}) == (
        "closed",
        "a closed ticket cannot be changed",
        None,
    )
    assert error(env, "helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 0})[0] == "division_by_zero"
    assert error(env, "helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 10**15})[0] == "out_of_range"
    assert error(env, "mail_keep_message", {"message_id": "m-1", "to": "a@b.test"})[0] == "already_exists"
    assert env.trace.writes == ()


def test_an_unknown_tool(env: Environment) -> None:
    code, message, _ = error(env, "helpdesk.get_ticket", {"ticket_id": "TK-1"})
    assert code == "unknown_tool"
    assert message.startswith('no tool is named "helpdesk.get_ticket"; the tools are: helpdesk_list_tickets, ')
    assert env.trace.tried("helpdesk.get_ticket") == ()


def test_results(env: Environment) -> None:
    assert env.call("helpdesk_list_tickets", {"status": "open", "max_results": 2}) == {
        "items": [
            {"ticket_id": "TK-3", "title": "Ticket 3", "priority": "low", "tags": []},
            {"ticket_id": "TK-2", "title": "Ticket 2", "priority": "low", "tags": ["vip", "old"]},
        ],
        "total": 2,
    }
    assert env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 5, "days": 2}) == {"result": 2.5}
    ticket = env.call("helpdesk_get_ticket", {"ticket_id": "TK-1"})
    assert (ticket["cost"], ticket["due"]) == (2.5, "2026-03-18T09:00:00Z")
    assert env.call("mail_discard_message", {"message_id": "m-1"}) == {"status": "ok"}


def test_an_argument_left_out_equals_its_default(env: Environment) -> None:
    env.call("mail_send_message", {"to": "a@b.test", "subject": "x"})
    assert env.trace.calls[0].arguments == {"to": "a@b.test", "subject": "x", "body": ""}


def test_the_run_ends_with_the_agents_turn(env: Environment) -> None:
    env.say("Looking.", end_turn=False)
    assert not env.done
    env.say("Done.")
    env.say("Really.")
    assert env.done
    assert error(env, "helpdesk_list_tickets")[0] == "run_ended"
    assert (env.trace.said, env.trace.answer, env.trace.calls) == (("Looking.", "Done."), "Done.", ())


def test_the_limit_of_calls(env: Environment) -> None:
    for _ in range(12):
        assert "items" in env.call("helpdesk_list_tickets")
    assert error(env, "helpdesk_list_tickets") == (
        "limit_reached",
        "the limit of 12 calls is reached: the run has ended",
        None,
    )
    assert env.done
    assert len(env.trace.calls) == 12


def test_the_limit_of_turns(env: Environment) -> None:
    for _ in range(20):
        env.begin_turn()
    assert not env.done
    env.begin_turn()
    env.say("Too late.")
    assert env.done
    assert error(env, "helpdesk_list_tickets")[0] == "limit_reached"
    assert env.trace.answer is None


def test_a_defect_of_emitted_code_is_answered_and_kept(desk_files: dict[str, str]) -> None:
    broken = desk_files["services/mail.py"].replace(
        "    w.delete(", '    w.delete("mail.Message", message_id)\n    w.nothing('
    )
    env = Pack.from_files(desk_files | {"services/mail.py": broken}).env("triage")
    assert error(env, "mail_discard_message", {"message_id": "m-1"})[0] == "internal_error"
    assert [type(defect) for defect in env.defects] == [AttributeError]
    assert env.trace.writes == ()


def test_a_run_does_not_change_when_the_environment_goes_on(env: Environment) -> None:
    run = env.trace
    env.call("mail_send_message", {"to": "a@b.test", "subject": "x"})
    assert (run.calls, run.writes, len(run.final.rows("mail.sent"))) == ((), (), 0)
    assert len(env.trace.final.rows("mail.sent")) == 1
