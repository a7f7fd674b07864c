"""Injected faults: which calls they hit, what the agent reads, how a run recovers."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.random_agents import play_all
from coworkdsl import Environment, Pack, PackError, export_run, replay_run
from coworkdsl.faults import Fault

READ = ("helpdesk_get_ticket", {"ticket_id": "TK-1"})
RAISE = ("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": "critical"})
OTHER = ("helpdesk_update_ticket", {"ticket_id": "TK-1", "priority": "high"})
LIST = ("helpdesk_list_tickets", {})


def fault(tool: str, kind: str, **schedule: Any) -> dict[str, Any]:
    return {"tool": f"helpdesk.{tool}", "kind": kind, **schedule}


def with_faults(files: dict[str, str], *faults: dict[str, Any]) -> Pack:
    document = json.dumps({"format": 1, "faults": list(faults)})
    return Pack.from_files({**files, "tasks/triage/faults.json": document})


def codes(env: Environment, *calls: tuple[str, dict[str, Any]]) -> list[str | None]:
    results = [env.call(*call) for call in calls]
    return [result.get("error", {}).get("code") for result in results]


@pytest.mark.parametrize("kind", ["unavailable", "rate_limited", "timeout"])
def test_the_call_of_that_number_is_answered_with_the_fault(desk_files: dict[str, str], kind: str) -> None:
    env = with_faults(desk_files, fault("update_ticket", kind, call=2)).env("triage")
    assert codes(env, OTHER, READ, RAISE, RAISE) == [None, None, kind, None]
    assert [write.call for write in env.trace.writes] == [0, 3]
    assert env.trace.called("helpdesk.update_ticket") == (0, 3)
    assert env.trace.tried("helpdesk.update_ticket", lambda args, w: args["priority"] == "critical") == (2, 3)


def test_the_agent_is_told_that_it_is_temporary(desk_files: dict[str, str]) -> None:
    env = with_faults(desk_files, fault("get_ticket", "timeout", call=1)).env("triage")
    assert "temporary" in env.call(*READ)["error"]["message"]


def test_calls_that_break_the_schema_are_not_counted(desk_files: dict[str, str]) -> None:
    env = with_faults(desk_files, fault("get_ticket", "unavailable", call=2)).env("triage")
    broken = ("helpdesk_get_ticket", {"ticket": "TK-1"})
    unknown = ("helpdesk_get_ticket", {"ticket_id": "TK-0"})
    answers = ["invalid_arguments", "not_found", "invalid_arguments", "unavailable"]
    assert codes(env, broken, unknown, broken, READ) == answers


def test_a_rate_spares_the_call_that_is_made_once_more(desk_files: dict[str, str]) -> None:
    env = with_faults(desk_files, fault("update_ticket", "timeout", rate="1")).env("triage")
    assert codes(env, RAISE, READ, RAISE, RAISE) == ["timeout", None, None, "timeout"]
    assert codes(env, OTHER, RAISE, RAISE) == ["timeout", "timeout", None]


def test_two_calls_in_a_row_may_be_hit(desk_files: dict[str, str]) -> None:
    faults = (fault("get_ticket", "timeout", call=1), fault("get_ticket", "unavailable", call=2))
    env = with_faults(desk_files, *faults).env("triage")
    assert codes(env, READ, READ, READ) == ["timeout", "unavailable", None]
    assert env.score().robustness == 1


def test_a_stale_answer_is_that_of_the_start(desk_files: dict[str, str]) -> None:
    env = with_faults(desk_files, fault("get_ticket", "stale", call=2)).env("triage")
    before = env.call(*READ)
    env.call(*RAISE)
    assert env.call(*READ) == before
    assert env.score().exact.robustness == 0
    assert env.call(*READ)["priority"] == "critical"
    assert env.score().exact.robustness == 1
    assert env.trace.called("helpdesk.get_ticket") == (0, 2, 3)


def test_an_answer_that_is_still_right_is_not_stale(desk_files: dict[str, str]) -> None:
    env = with_faults(desk_files, fault("get_ticket", "stale", rate="1")).env("triage")
    env.call(*READ)
    assert env.fault is None
    env.call(*RAISE)
    env.call(*READ)
    assert env.fault == "stale"


def test_robustness_is_the_share_of_faults_that_were_recovered_from(desk_files: dict[str, str]) -> None:
    faults = (fault("get_ticket", "timeout", call=1), fault("update_ticket", "unavailable", call=1))
    env = with_faults(desk_files, *faults).env("triage")
    assert env.score().exact.robustness == 1
    env.call(*READ)
    assert env.score().exact.robustness == 0
    codes(env, RAISE, OTHER, READ)
    assert env.score().exact.robustness == Fraction(1, 2)
    env.call(*RAISE)
    assert env.score().exact.robustness == 1


def test_about_as_many_calls_are_hit_as_the_rate_says() -> None:
    drawn = Fault("helpdesk.get_ticket", "timeout", None, Fraction(1, 4))
    hits = sum(drawn.falls_on(number, seed, "triage") for number in range(1, 51) for seed in range(40))
    assert 400 < hits < 600


def test_draws_are_the_same_everywhere() -> None:
    drawn = Fault("helpdesk.get_ticket", "timeout", None, Fraction(1, 2))
    assert [number for number in range(1, 9) if drawn.falls_on(number, 7, "triage")] == [1, 2, 6]


calls = st.lists(st.sampled_from([READ, RAISE, OTHER, LIST, ("helpdesk_get_ticket", {})]), max_size=12)
schedules = st.one_of(
    st.fixed_dictionaries({"call": st.integers(1, 4)}),
    st.fixed_dictionaries({"rate": st.sampled_from(["0.2", "0.5", "1"])}),
)
injected = st.lists(
    st.one_of(
        st.builds(fault, st.sampled_from(["get_ticket", "list_tickets"]), st.just("stale")),
        st.builds(fault, st.sampled_from(["get_ticket", "update_ticket"]), st.sampled_from(["timeout", "unavailable"])),
    ).flatmap(lambda each: schedules.map(lambda schedule: each | schedule)),
    min_size=1,
    max_size=3,
)


@given(injected, calls, st.integers())
def test_a_replay_meets_the_same_faults(
    desk_files: dict[str, str], faults: list[dict[str, Any]], made: list[tuple[str, dict[str, Any]]], seed: int
) -> None:
    pack = with_faults(desk_files, *faults)
    env = pack.env("triage", seed)
    for call in made:
        env.begin_turn()
        env.call(*call)
    again = replay_run(pack, json.loads(json.dumps(export_run(env))))
    assert [call.fault for call in again.trace.calls] == [call.fault for call in env.trace.calls]
    assert export_run(again) == export_run(env)


@given(injected, calls, st.integers())
def test_a_fault_writes_nothing_and_can_be_recovered_from(
    desk_files: dict[str, str], faults: list[dict[str, Any]], made: list[tuple[str, dict[str, Any]]], seed: int
) -> None:
    env = with_faults(desk_files, *faults).env("triage", seed)
    for call in made:
        env.call(*call)
        while env.fault is not None and not env.done:
            env.call(*call)
    hit = {call.index for call in env.trace.calls if call.fault is not None}
    assert not hit & {write.call for write in env.trace.writes}
    assert env.done or env.score().exact.robustness == 1


def test_the_laws_of_runs_hold_under_faults(desk_files: dict[str, str]) -> None:
    faults = (fault("get_ticket", "stale", rate="0.3"), fault("update_ticket", "timeout", rate="0.3"))
    counts = play_all([with_faults(desk_files, *faults)], 300, seed=2)
    assert counts.answers["timeout"] > 0


@pytest.mark.parametrize(
    "entry",
    [
        "update",
        {"kind": "timeout", "call": 1},
        fault("get_ticket", "slow", call=1),
        fault("get_ticket", "timeout"),
        fault("get_ticket", "timeout", call=0),
        fault("get_ticket", "timeout", call=True),
        fault("get_ticket", "timeout", call=1, rate="0.5"),
        fault("get_ticket", "timeout", rate="2"),
        fault("get_ticket", "timeout", rate="1/0"),
        fault("get_ticket", "timeout", rate=0.5),
    ],
)
def test_damage_is_told(desk_files: dict[str, str], entry: Any) -> None:
    with pytest.raises(PackError, match=r"tasks/triage/faults\.json"):
        with_faults(desk_files, entry).env("triage")
