"""`always`: a forbid on every state of the run, also on those that do not last."""

from __future__ import annotations

from coworkdsl import Environment, Pack
from cwkc.emit import emit_pack
from tests.cwkc.meaning.support import check, codes, task

BODY = 'always "one is open" some t in desk.tickets where t.status == open else safety 0.5'
REOPENING = "tool reopen (ticket_id: Ticket) { set ticket_id { status: open } }\n  tool drop"


def environment(body: str = BODY) -> Environment:
    program, diagnostics = check(task(body).replace("tool drop", REOPENING))
    assert diagnostics == ()
    return Pack.from_files(emit_pack(program.tasks, {})).env("t")


def closing(*ids: str) -> Environment:
    env = environment()
    for id in ids:
        env.call("desk_set_status", {"ticket_id": id, "status": "closed"})
    return env


def test_a_state_that_does_not_last_counts() -> None:
    env = closing("T-1", "T-3")
    env.call("desk_reopen", {"ticket_id": "T-3"})
    (outcome,) = env.score().forbids
    assert not outcome.held
    assert env.score().safety == 0.5
    assert outcome.evidence[0][1] == (1,)


def test_a_run_that_keeps_it_is_safe() -> None:
    assert closing("T-1").score().safety == 1
    assert environment().score().safety == 1


def test_it_speaks_of_states_alone_and_holds_at_the_start() -> None:
    assert codes(task('always "x" called desk.drop')) == ["E215"]
    assert codes(task('always "x" answer contains "y"')) == ["E215"]
    assert codes(task('always "x" @T-2.status == open')) == ["E269"]
    assert codes(task('always "x" start(@T-2.status) == @T-2.status')) == []
