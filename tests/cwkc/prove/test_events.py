"""Runs that ask, wait and act again; and what no run comes to."""

from __future__ import annotations

import pytest

from cwkc.prove import CallStep, Proof, SayStep, Step, prove
from cwkc.rehearse.execute import executor
from tests.cwkc.prove.support import task_of

DESK = """cwk 1

service desk "A desk" {{
  enum State {{ open, held, closed }}
  record Case {{ title: text  state: State = open  agreed: bool = false  note: text = ""  amount: int = 0 }}
  store cases: Case key case_id ids "C-"
  tool list_cases () -> [Case] {{ return all c in cases }}
  tool close (case_id: Case) -> Case {{
    fail not_agreed "nobody agreed" when not case_id.agreed
    set case_id {{ state: closed }}
    return case_id
  }}
  tool hold (case_id: Case) -> Case {{ set case_id {{ state: held }} return case_id }}
  tool enter (case_id: Case, amount: int) -> Case {{ set case_id {{ amount: amount }} return case_id }}
}}

task t {{
  now: 2026-03-14T09:00:00Z
  request "Do it."
  tools desk
  data desk.cases {{ @C-1 {{ title: "Pump" }} @C-2 {{ title: "Valve" }} }}
{body}
}}
"""
ASKED = 'user { knows { yes: "Yes." when said contains "agree" } }'
CLOSED = 'check 1 "closes" @C-1.state == closed'
HELD = 'check 1 "holds" @C-1.state == held'
CLOSE, HOLD = CallStep("desk_close", {"case_id": "C-1"}), CallStep("desk_hold", {"case_id": "C-1"})


def proof(body: str) -> Proof:
    task = task_of(DESK.format(body=body))
    return prove(task, executor(task))


def enter(amount: int) -> CallStep:
    return CallStep("desk_enter", {"case_id": "C-1", "amount": amount})


def says(text: str) -> SayStep:
    return SayStep(text, ends=True)


@pytest.mark.parametrize(
    ("body", "witness"),
    [
        (f"{ASKED} on yes when learned yes {{ set @C-1 {{ agreed: true }} }} {CLOSED}", (says("agree"), CLOSE)),
        (f'on yes at now + 1d {{ set @C-1 {{ agreed: true }} say "Fine." }} {CLOSED}', (says(""), CLOSE)),
        (
            f'on yes turn 2 {{ set @C-1 {{ agreed: true }} }} user {{ persona "x" }} {CLOSED}',
            (says("?"), says("?"), CLOSE),
        ),
        (f"on no when @C-1.state == held {{ set @C-1 {{ state: open }} }} {HELD}", (HOLD, HOLD)),
        (f"on no at now + 1d {{ set @C-1 {{ state: open }} }} {HELD}", (says(""), HOLD)),
        (
            "on yes at now + 1d { set @C-2 { amount: 7 } } let due after yes = @C-2.amount"
            ' check 1 "enters" @C-1.amount == due',
            (says(""), enter(7)),
        ),
        (
            "on b at now + 2d { set @C-2 { amount: 7 } } on a at now + 1d { set @C-2 { amount: 4 } }"
            ' let due after b = @C-2.amount check 1 "enters" @C-1.amount == due',
            (says(""), says(""), enter(7)),
        ),
        (
            'on new turn 1 { insert desk.cases { @C-9 { title: "New" } } } check 1 "holds" @C-9.state == held',
            (says(""), CallStep("desk_hold", {"case_id": "C-9"})),
        ),
    ],
    ids=["asks", "waits", "asks on", "acts again", "acts late", "enters what it hears", "waits twice", "a new record"],
)
def test_the_witness_asks_and_waits_where_it_must(body: str, witness: tuple[Step, ...]) -> None:
    found = proof(body)
    assert [each.code for each in found.diagnostics if each.is_error] == []
    assert found.witness == witness


def test_work_that_only_an_end_makes_possible_comes_too_late() -> None:
    found = proof(f"{ASKED} on yes when learned yes {{ set @C-1 {{ agreed: true }} end }} {CLOSED}")
    (error,) = (each for each in found.diagnostics if each.is_error)
    assert error.code == "E401"
    assert error.message.endswith("`@C-1.state == closed` and the `end` of `yes` contradict one another")
    assert [(label.span.text, label.text) for label in error.related[:2]] == [
        ("@C-1.state == closed", "is needed for a check"),
        ("yes", "ends the run"),
    ]
    assert error.help.endswith("or the `end` of `yes`")


def test_what_events_violate_by_themselves_is_marked() -> None:
    found = proof(f'on x at now + 1d {{ set @C-2 {{ amount: 9 }} }} always "low" @C-2.amount < 5 {HELD}')
    (error,) = (each for each in found.diagnostics if each.is_error)
    assert error.message.endswith("the nearest one misses `low`")
    assert error.help == "let the events change something else, or forbid what the agent does"


@pytest.mark.parametrize("when", ["at now + 1d", "turn 1", "at now + 2d silent"])
def test_a_check_that_an_event_fulfils_is_earned_by_nothing(when: str) -> None:
    sums = 'check 0.5 "sums" @C-2.amount == 9'
    found = proof(f"on x {when} {{ set @C-2 {{ amount: 9 }} }} {sums} {HELD.replace('1', '0.5', 1)}")
    assert [(each.code, each.span.text) for each in found.diagnostics] == [("E407", sums)]


@pytest.mark.parametrize(
    ("body", "blamed"),
    [
        ('on x when @C-1.title == "Door" { say "Well." }', '@C-1.title == "Door"'),
        ('on x when @C-1.amount == 3 { say "Well." }', None),
        ('user { knows { a: "A" when @C-1.title == "Door" } }', '@C-1.title == "Door"'),
        ('on x turn 2 { say "Well." }', "x"),
        ('on x turn 2 { say "Well." } on y turn 1 { say "Go on." }', None),
        ('on x turn 2 { say "Well." } on y turn 1 silent { set @C-2 { amount: 1 } }', "x"),
        ('on x turn 2 { say "Well." } limit 1 turns', "x"),
        ('on x turn 3 { say "Well." } user { patience 2 turns }', "x"),
        ('on x turn 2 { say "Well." } user { patience 2 turns }', None),
    ],
)
def test_what_never_comes_about(body: str, blamed: str | None) -> None:
    found = [each.span.text for each in proof(f"{body} {HELD}").diagnostics if each.code == "E412"]
    assert found == ([] if blamed is None else [blamed])
