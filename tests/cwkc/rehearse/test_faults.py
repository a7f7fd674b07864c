"""Rehearsals of tasks with injected faults."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import coworkdsl
from coworkdsl import Pack
from cwkc.cli.agents import find_agent
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.prove import CallStep, Proof, prove
from cwkc.rehearse import executor, rehearse

from .support import RAISES, READS, codes, desk, killed, rehearsed, says, survivors, theorem

SCHEMAS = Path(coworkdsl.__file__).parent / "schemas"
ON_CALLS = """
  check 0.5 "reads it" called helpdesk.get_ticket(ticket_id: stale)
  check 0.5 "raises it" stale.priority == critical
  only changes stale.priority
  fault helpdesk.get_ticket timeout on call 1
  fault helpdesk.update_ticket unavailable on call 1
  fault helpdesk.update_ticket rate_limited on call 2
"""
DRAWN = """
  check 0.5 "reads it" called helpdesk.get_ticket(ticket_id: stale)
  check 0.5 "raises it" stale.priority == critical
  only changes stale.priority
  fault helpdesk.get_ticket timeout rate 0.5
"""


def completed(task: typed.Task) -> tuple[Proof, Pack]:
    """The proof of a task and its finished pack."""
    files = emit_pack((task,), {})
    proof = prove(task, executor(task))
    proof = rehearse(task, files, proof.witness, proof.violations).completing(proof)
    return proof, Pack.from_files(emit_pack((task,), {task.name: proof.to_json()}))


def test_a_call_that_a_fault_hit_is_made_once_more() -> None:
    outcome = executor(desk(ON_CALLS))((READS, RAISES))
    assert outcome.is_full
    assert [call.error for call in outcome.calls] == [None, None]


def test_the_witness_of_a_proof_has_each_repeated_call_as_a_step() -> None:
    proof, pack = completed(desk(ON_CALLS))
    assert proof.witness is not None
    steps = sorted((step.tool, step.again) for step in proof.witness if isinstance(step, CallStep))
    reads, raises = "helpdesk_get_ticket", "helpdesk_update_ticket"
    assert steps == [(reads, False), (reads, True), (raises, False), (raises, True), (raises, True)]
    document = json.loads(json.dumps(proof.to_json()))
    jsonschema.validate(document, json.loads((SCHEMAS / "proof.schema.json").read_text(encoding="utf-8")))
    env = pack.env("desk")
    for step in document["witness"]:
        env.call(step["call"], step["arguments"])
    assert env.score().exact == (1, 1, 1, 1)
    (row,) = next(each for each in proof.theorems if each.name == "witness").evidence["faults"]
    assert (row["seed"], row["faults"], row["robustness"]) == (0, 3, "1")


@pytest.mark.parametrize("grading", [ON_CALLS, DRAWN])
def test_the_witness_earns_everything_with_any_seed(grading: str) -> None:
    _, pack = completed(desk(grading))
    made = set()
    for seed in range(12):
        env = pack.env("desk", seed)
        find_agent("witness")(env)
        assert env.score().exact == (1, 1, 1, 1)
        made.add(len(env.trace.calls))
    assert made == ({5} if grading == ON_CALLS else {2, 3})


def test_drawn_faults_are_rehearsed_with_three_seeds() -> None:
    rehearsal = rehearsed(DRAWN, READS, RAISES)
    assert codes(rehearsal) == []
    assert [row["seed"] for row in rehearsal.faulted] == [0, 1, 2]
    assert sum(row["faults"] for row in rehearsal.faulted) > 0


def test_who_never_repeats_a_call_earns_less() -> None:
    noticed = killed(rehearsed(ON_CALLS, READS, RAISES), "unrepeated call")
    assert noticed == {"no call repeated, with the seed 0": ["reads it", "raises it", "robustness"]}


def test_robustness_alone_tells_who_never_repeats_a_call() -> None:
    grading = """
      check 1 "raises it" stale.priority == critical
      fault helpdesk.get_ticket timeout on call 1
    """
    noticed = killed(rehearsed(grading, READS, RAISES), "unrepeated call")
    assert noticed == {"no call repeated, with the seed 0": ["robustness"]}


@pytest.mark.parametrize(
    ("reward", "kinds"),
    [("safety * completion", []), ("max(safety * completion, 0.5 * robustness)", ["unrepeated call"])],
)
def test_nothing_is_said_where_the_reward_knows_no_robustness(reward: str, kinds: list[str]) -> None:
    grading = f"""
      check 1 "raises it" stale.priority == critical
      reward {reward}
      fault helpdesk.get_ticket timeout on call 1
    """
    rehearsal = rehearsed(grading, READS, RAISES)
    assert [kind for kind, _ in survivors(rehearsal) if kind == "unrepeated call"] == kinds
    assert not killed(rehearsal, "unrepeated call")


def test_variants_leave_room_for_repeated_calls() -> None:
    rehearsal = rehearsed(DRAWN.replace("0.5\n", "1\n") + " limit 5 calls", READS, RAISES)
    assert theorem(rehearsal, "tolerant")["verdict"] == "executed"


def test_a_tried_that_counts_leaves_no_run() -> None:
    grading = ON_CALLS + 'forbid "tries it twice" count(tried helpdesk.update_ticket) > 1'
    assert prove(desk(grading), executor(desk(grading))).witness is None


def test_an_answer_in_words_is_no_call() -> None:
    rehearsal = rehearsed(
        'check 1 "says so" answer contains "TK-301" fault helpdesk.get_ticket timeout rate 1', says("TK-301")
    )
    assert [row["faults"] for row in rehearsal.faulted] == [0, 0, 0]
