"""What is reported of a task, and what is kept in its pack."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from cwkc.diagnostics import Diagnostic
from cwkc.prove import CallStep, Proof, SayStep, prove
from cwkc.rehearse.execute import executor
from tests.cwkc.prove.support import task_of

TASK = """cwk 1

use crm, helpdesk, gmail

task tell "Tell the manager" {
  now: 2026-03-14T09:00:00Z
  request "Tell the manager of the stale ticket's customer."
  tools helpdesk.{get_ticket, update_ticket}, gmail.{get_message, send_message}
  extend crm.Customer { account_manager: email, contact: email }
  data crm.customers {
    @CUS-201 { name: "Halden Freight", tier: enterprise,
               account_manager: "ines@ourco.test", contact: "ops@halden.test" }
    @CUS-202 { name: "Brightwell", account_manager: "tom@ourco.test", contact: "hello@brightwell.test" }
  }
  data helpdesk.tickets {
    @TK-301 { customer_id: @CUS-201, title: "Label printer offline", created_at: now - 61h }
    @TK-303 { customer_id: @CUS-202, title: "Invoice question", created_at: now - 90h }
  }
  let target = only t in helpdesk.tickets where t.customer_id.tier == enterprise
  let manager = target.customer_id.account_manager
  let customer = target.customer_id.contact
%s
}
"""


def proof_of(grading: str) -> Proof:
    task = task_of(TASK % grading)
    return prove(task, executor(task))


def only(proof: Proof) -> Diagnostic:
    (diagnostic,) = proof.diagnostics
    return diagnostic


def verdict(proof: Proof, name: str) -> str:
    (found,) = [theorem.verdict for theorem in proof.theorems if theorem.name == name]
    return found


GOOD = """
  check 0.5 "sets it" target.priority == critical
  check 0.5 "tells" some m in gmail.sent where m.to == manager and m.body contains target.id
  only changes target.priority, new gmail.sent
"""

CLASH = """
  check 0.5 "sets it" target.priority == critical
  check 0.5 "tells" called gmail.send_message(to: manager)
  forbid "anyone else" called gmail.send_message where to != customer
"""


# ---------------------------------------------------------------------------- conflicts


def test_a_conflict_names_both_lines_and_where_the_values_come_from() -> None:
    diagnostic = only(proof_of(CLASH))
    assert diagnostic.code == "E401"
    assert "called gmail.send_message(to: manager)" in diagnostic.message
    assert "called gmail.send_message where to != customer" in diagnostic.message
    said = {label.span.text: label.text for label in diagnostic.related}
    assert said["called gmail.send_message(to: manager)"] == "is needed for a check"
    assert said["called gmail.send_message where to != customer"] == "is forbidden"
    assert said["manager"] == '`manager` is "ines@ourco.test"'
    assert said["customer"] == '`customer` is "ops@halden.test"'
    assert "`account_manager` of `@CUS-201`" in said.values()
    assert "`contact` of `@CUS-201`" in said.values()


def test_a_conflict_says_which_line_to_drop() -> None:
    diagnostic = only(proof_of(CLASH))
    lines = {label.text: label.span.line for label in diagnostic.related}
    needed, forbidden = lines["is needed for a check"], lines["is forbidden"]
    assert diagnostic.help == f"the task is consistent again without line {needed} or line {forbidden}"


def test_a_conflict_fails_the_theorem_and_leaves_no_witness() -> None:
    proof = proof_of(CLASH)
    assert proof.witness is None
    assert verdict(proof, "consistent") == "false"
    assert verdict(proof, "witness") == "not checked"


# ---------------------------------------------------------------------------- the other theorems


def test_a_good_task_has_a_witness_with_nothing_to_spare() -> None:
    proof = proof_of(GOOD)
    assert proof.diagnostics == ()
    assert proof.witness == (
        CallStep("helpdesk_update_ticket", {"ticket_id": "TK-301", "priority": "critical"}),
        CallStep("gmail_send_message", {"to": "ines@ourco.test", "subject": "Subject", "body": "TK-301"}),
    )
    assert [verdict(proof, name) for name in ("grounded", "weights", "consistent", "witness", "floor", "unique")] == [
        "proved",
        "proved",
        "executed",
        "executed",
        "executed",
        "proved",
    ]


def test_ids_that_are_minted_on_the_way_are_used() -> None:
    proof = proof_of("""
  check 1 "reads what it sent" called gmail.get_message where message_id.body contains "hello" """)
    assert proof.witness is not None
    *_, read = proof.witness
    assert read == CallStep("gmail_get_message", {"message_id": "out_1"})


def test_what_is_said_holds_the_words_that_are_asked_for() -> None:
    proof = proof_of("""
  check 1 "says so" answer contains target.id and answer states 48 within 0 and said mentions any of ["halden"] """)
    assert proof.witness is not None
    said = [step for step in proof.witness if isinstance(step, SayStep)]
    assert [step.ends for step in said] == [False] * (len(said) - 1) + [True]


@pytest.mark.parametrize(
    ("weights", "code", "words"),
    [
        (("0.5", "0.4"), "E406", "sum to 0.9"),
        (("0.5", "0.25 + 0.5"), "E406", "sum to 1.25"),
        (("1", "0"), "E405", "is 0"),
    ],
)
def test_weights_are_positive_and_sum_to_one(weights: tuple[str, str], code: str, words: str) -> None:
    first, second = weights
    diagnostic = only(
        proof_of(f'check {first} "a" target.priority == critical\n  check {second} "b" called gmail.send_message')
    )
    assert diagnostic.code == code
    assert words in diagnostic.message


def test_thirds_sum_to_one() -> None:
    proof = proof_of("""
  check 1/3 "a" target.priority == critical
  check 1/3 "b" called gmail.send_message
  check 1/3 "c" called helpdesk.get_ticket""")
    assert proof.diagnostics == ()


def test_nothing_is_earned_by_doing_nothing() -> None:
    proof = proof_of('check 0.5 "stays open" target.status == open\n  check 0.5 "b" called gmail.send_message')
    (diagnostic,) = [each for each in proof.diagnostics if each.is_error]
    assert diagnostic.code == "E407"
    assert "stays open" in diagnostic.message


IDLE = """
  let old = only t in helpdesk.tickets where t.customer_id.tier == enterprise and t.status == open
  check 1 "sets it" old.priority == critical
"""


def test_a_condition_that_excludes_nothing_is_a_warning() -> None:
    diagnostic = only(proof_of(IDLE))
    assert diagnostic.code == "W401"
    assert diagnostic.span.text == "t.status == open"
    assert not diagnostic.is_error


def test_a_warning_can_be_accepted_and_the_reason_is_kept() -> None:
    proof = proof_of(f'{IDLE}\n  allow W401 "a reader expects it"')
    assert proof.diagnostics == ()
    assert proof.to_json()["allowed"] == [{"code": "W401", "reason": "a reader expects it"}]


# ---------------------------------------------------------------------------- what is kept


def test_a_proof_is_json_with_its_theorems_and_its_witness() -> None:
    document = json.loads(json.dumps(proof_of(GOOD).to_json()))
    assert {theorem["name"] for theorem in document["theorems"]} >= {"grounded", "weights", "consistent", "sharp"}
    assert document["witness"][0] == {
        "call": "helpdesk_update_ticket",
        "arguments": {"ticket_id": "TK-301", "priority": "critical"},
    }
    assert Fraction(1) == sum(
        Fraction(weight)
        for theorem in document["theorems"]
        if theorem["name"] == "weights"
        for weight in theorem["evidence"]["weights"]
    )


PRINT = """
import json, sys
from tests.cwkc.prove.test_proofs import CLASH, GOOD, proof_of
for grading in (GOOD, CLASH):
    proof = proof_of(grading)
    print(json.dumps(proof.to_json()), proof.text, [(d.message, d.help) for d in proof.diagnostics])
"""


def test_the_same_task_has_the_same_proof_whatever_the_hash_seed() -> None:
    root = Path(__file__).parents[3]
    said = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}:{root / 'compiler'}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
