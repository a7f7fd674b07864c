"""Idle agents: what they do, and gradings that pay them."""

from __future__ import annotations

from fractions import Fraction

from cwkc.prove.run import CallStep
from cwkc.rehearse.idle import senders
from cwkc.rehearse.samples import CONTENTLESS, Samples

from .support import RAISES, codes, desk, killed, mail, rehearsed, says, theorem

RAISING = 'check 1 "raises" stale.priority == critical\nonly changes stale.priority'


def test_a_good_grading_pays_none_of_them() -> None:
    rehearsal = rehearsed(RAISING, RAISES)
    found = theorem(rehearsal, "floor")
    assert found["verdict"] == "executed"
    names = [row["agent"] for row in found["agents"]]
    assert names[:3] == ["does nothing", "refuses", "says what it was told"]
    assert {row["completion"] for row in found["agents"]} == {"0"}


def test_everybody_is_whoever_the_data_and_the_request_name() -> None:
    task = desk(RAISING)
    agents = {agent.name: agent.steps for agent in senders(task, Samples(task))}
    mails = agents["sends empty words to everybody with `gmail_send_message`"]
    to = [step.arguments["to"] for step in mails if hasattr(step, "arguments")]
    assert to == ["desk@ourco.test", "ana@ourco.test", "bo@ourco.test"] * 2
    closes = agents["sends empty words to everybody with `helpdesk_close_ticket`"]
    assert closes[0] == CallStep("helpdesk_close_ticket", {"ticket_id": "TK-301", "resolution": CONTENTLESS})


def test_words_of_the_request_are_no_work() -> None:
    rehearsal = rehearsed(
        f'{RAISING.replace("1", "0.5", 1)}\ncheck 0.5 "says" answer contains "scanner"', RAISES, says("scanner")
    )
    (error,) = (each for each in rehearsal.diagnostics if each.is_error)
    assert (error.code, error.span.text.split('"')[1]) == ("E442", "says")
    assert error.message == "an agent that says what it was told earns 50 % of the task, first by `says`"


def test_a_mail_that_says_nothing_is_no_work() -> None:
    check = 'check 1 "mails" some m in gmail.sent where m.to == "desk@ourco.test"\nallow W441 "no matter"'
    assert codes(rehearsed(check, mail("x"))) == ["E443"]
    forbid = 'forbid "mails anyone else" called gmail.send_message where to != "desk@ourco.test"'
    assert codes(rehearsed(f"{check}\n{forbid}", mail("x"))) == []


def test_what_is_so_from_the_start_is_not_told_again() -> None:
    grading = """
  let both = [stale] + other
  check 1 "sets" each t in both: t.priority == critical or t.title contains "printer"
  only changes stale.priority
"""
    assert codes(rehearsed(grading, RAISES)) == ["E430"]


def test_what_a_judge_makes_of_nothing_is_left_out() -> None:
    grading = f'{RAISING.replace("1", "0.9", 1)}\njudge 0.1 "explains" "Full marks for a reason."'
    rehearsal = rehearsed(grading, RAISES)
    found = theorem(rehearsal, "floor")
    assert (codes(rehearsal), found["verdict"]) == ([], "executed")
    assert found["judges"].startswith("left out")
    assert {row["completion"] for row in found["agents"]} == {"0"}
    assert rehearsal.witness is not None
    assert (rehearsal.witness.outcome.completion, rehearsal.witness.outcome.checked) == (1, Fraction(9, 10))


def test_a_judge_notices_no_mutant() -> None:
    grading = f'{RAISING.replace("1", "0.9", 1)}\njudge 0.1 "explains" "Full marks for a reason."'
    assert killed(rehearsed(grading, RAISES), "dropped write") == {
        "without `helpdesk_update_ticket(TK-301, critical)`": ["raises"]
    }


FACT = """
  user {{ knows {{ code: "The code is 1240." {asked} }} }}
  on dearer at now + 1d {{ say "Have a look at the printer." }}
  check 0.8 "raises" stale.priority == critical
  check 0.2 "asks"   learned code
  only changes stale.priority
"""


def test_a_fact_that_nobody_need_ask_for_pays_whoever_speaks() -> None:
    asked = rehearsed(FACT.format(asked='when said contains "code"'), says("code"), RAISES)
    assert codes(asked) == []
    unasked = rehearsed(FACT.format(asked=""), says("code"), RAISES)
    blamed = [each.span.text for each in unasked.diagnostics if each.is_error]
    assert set(codes(unasked)) >= {"E442"}
    assert set(blamed) == {'check 0.2 "asks"   learned code'}
