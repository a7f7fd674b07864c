"""Grading."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from coworkdsl import Environment, Pack, Run, Score
from coworkdsl.run import precedes
from coworkdsl.score import Check, Forbid, Grader, Requirement, default_reward, grade


def nothing(run: Run) -> tuple[()]:
    return ()


def always(value: Any) -> Callable[[Run], Any]:
    return lambda run: value


def scored(
    run: Run,
    checks: list[tuple[Any, Any]],
    requirements: Iterable[tuple[Any, str, Any]] = (),
    forbids: Iterable[Any] = (),
) -> Score:
    grader = Grader(
        tuple(Check("c", Fraction(weight), always(value), nothing, "t.cwk:1") for weight, value in checks),
        tuple(
            Requirement("r", always(held), mode, Fraction(amount), nothing, "t.cwk:2")
            for held, mode, amount in requirements
        ),
        tuple(Forbid("f", always(held), Fraction(safety), nothing, "t.cwk:3") for held, safety in forbids),
        default_reward,
    )
    return grade(grader, run)


@pytest.mark.parametrize(
    ("checks", "requirements", "completion"),
    [
        ([("1/2", True), ("1/2", False)], [], "1/2"),
        ([("1/2", Fraction(1, 3)), ("1/2", None)], [], "1/6"),
        ([("1/2", Fraction(7)), ("1/2", Fraction(-7))], [], "1/2"),
        ([("1", True)], [(False, "cap", "1/4"), (False, "cap", "1/3"), (False, "times", "1/2")], "1/4"),
        ([("1", True)], [(False, "cap", "3/4"), (False, "times", "1/2")], "1/2"),
        ([("1", True)], [(True, "cap", 0), (True, "times", 0)], 1),
        ([("1", True)], [(None, "cap", 0)], 0),
        ([], [], 0),
    ],
)
def test_completion(env: Environment, checks: Any, requirements: Any, completion: Any) -> None:
    assert scored(env.trace, checks, requirements).exact.completion == Fraction(completion)


def test_safety_is_the_least_that_is_left(env: Environment) -> None:
    score = scored(env.trace, [("1", True)], forbids=[(True, "1/2"), (True, "1/3"), (False, 0), (None, 0)])
    assert score.exact.safety == score.exact.reward == Fraction(1, 3)
    assert [outcome.held for outcome in score.forbids] == [False, False, True, True]


def witness(desk: Pack) -> Iterator[tuple[str, dict[str, Any]]]:
    for step in desk.tasks["triage"].proof["witness"]:
        if "call" in step:
            yield step["call"], step["arguments"]


def test_the_witness_earns_everything(desk: Pack, env: Environment) -> None:
    for tool, arguments in witness(desk):
        env.call(tool, arguments)
    env.say("TK-3 is critical now.")
    score = env.score()
    assert (score.completion, score.safety, score.robustness, score.reward) == (1, 1, 1, 1)
    assert score.checks[1].evidence == (("priority", "critical"),)


def test_shares_factors_and_gates(desk: Pack, env: Environment) -> None:
    calls = list(witness(desk))
    env.call(*calls[2])
    env.call(*calls[3])
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-4", "priority": "low"})
    score = env.score()
    assert score.exact == (Fraction(9, 40), Fraction(1, 2), Fraction(1), Fraction(9, 80))
    assert [outcome.earned for outcome in score.checks] == [0, Fraction(3, 10), Fraction(3, 20), 0]


def test_a_write_outside_the_frame(env: Environment) -> None:
    for priority in ("high", "low"):
        env.call("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": priority})
    assert env.score().safety == 0


@pytest.mark.parametrize(
    ("allowed", "outside"),
    [
        ((), ["TK-1", "TK-1", "m-2", "m-1"]),
        ((("record", "helpdesk.Ticket", "TK-1"), ("store", "mail.inbox"), ("new", "mail.sent")), []),
        ((("column", "helpdesk.tickets", "priority"),), ["TK-1", "m-2", "m-1"]),
        ((("column", "helpdesk.tickets", "priority"), ("field", "helpdesk.Ticket", "TK-1", "tags")), ["m-2", "m-1"]),
        ((("field", "helpdesk.Ticket", "TK-2", "priority"), ("new", "mail.inbox")), ["TK-1", "TK-1", "m-2", "m-1"]),
    ],
)
def test_frames(env: Environment, allowed: Any, outside: list[str]) -> None:
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": "low"})
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": "low", "tags": []})
    env.call("mail_send_message", {"to": "a@b.test", "subject": "x"})
    env.call("mail_discard_message", {"message_id": "m-1"})
    assert [write.id for write in env.trace.frame(allowed)] == outside


def test_what_has_no_value_does_not_hold_and_says_so(env: Environment) -> None:
    env.call("helpdesk_charge", {"ticket_id": "TK-1", "hours": 1, "days": 1})
    requirement = env.score().requirements[1]
    assert not requirement.held
    assert requirement.evidence == (("undefined", "division by zero"),)


def test_predicates_read_the_state_just_before(env: Environment) -> None:
    for priority in ("high", "critical"):
        env.call("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": priority})
    run = env.trace

    def was(priority: str) -> tuple[int, ...]:
        return run.called(
            "helpdesk.update_ticket", lambda a, w: bool(w.field("helpdesk.Ticket", "TK-1", "priority") == priority)
        )

    assert (was("low"), was("high"), was("critical")) == ((0,), (1,), ())
    assert run.start.field("helpdesk.Ticket", "TK-1", "priority") == "low"


@pytest.mark.parametrize(
    ("firsts", "seconds", "holds"), [((0,), (1,), True), ((2,), (1, 3), False), ((), (1,), False), ((0,), (), False)]
)
def test_precedes(firsts: tuple[int, ...], seconds: tuple[int, ...], holds: bool) -> None:
    assert precedes(firsts, seconds) is holds


def test_a_task_may_have_its_own_formula(desk_files: dict[str, str]) -> None:
    path = "tasks/triage/grader.py"
    own = "\ndef reward(completion, safety, robustness):\n    return rt.Fraction(1, 8)\n"
    assert Pack.from_files(desk_files | {path: desk_files[path] + own}).env("triage").score().reward == 0.125
