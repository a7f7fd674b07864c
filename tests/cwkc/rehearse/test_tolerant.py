"""Benign variants of a run, and gradings that punish them."""

from __future__ import annotations

import pytest

from cwkc.prove import CallStep, Step

from .support import READS, codes, mail, rehearsed, says, theorem

MAILS = 'check 0.5 "mails" some m in gmail.sent where m.body contains stale.id and m.body states 1240.5 within 0'
READING = 'check 0.5 "reads" called helpdesk.get_ticket(ticket_id: stale) and called helpdesk.list_tickets'
LISTS = CallStep("helpdesk_list_tickets", {"max_results": 50})
NO_OTHER = 'require "names no other" no t in other where answer contains t.id else times 0.5'


def variants(grading: str, *witness: Step) -> list[str]:
    """The variants that were tried."""
    return [row["variant"] for row in theorem(rehearsed(grading, *witness), "tolerant")["variants"]]


def test_reads_order_defaults_and_spellings_are_varied() -> None:
    assert variants(f"{MAILS}\n{READING}", LISTS, READS, mail("TK-301 now; 1240.5")) == [
        "that reads more",
        "with calls that are refused",
        "whose reads come in another order",
        "that spells out what it could leave out",
        "that leaves out what is the default",
        "that writes in capitals",
        "that writes in full width",
        "with other white space in its texts",
        "with words around its texts",
        "that writes its numbers in full",
        "that writes addresses in capitals",
    ]


def test_the_limits_are_kept() -> None:
    assert "that reads more" not in variants(f"{MAILS}\n{READING}\nlimit 3 turns", LISTS, READS, mail("TK-301; 1240.5"))


def test_a_refused_call_is_one_that_was_tried() -> None:
    grading = f'{MAILS}\n{READING}\nforbid "tries twice" count(tried gmail.send_message) > 1\nallow W441 "no matter"'
    assert codes(rehearsed(grading, LISTS, READS, mail("TK-301; 1240.5"))) == []


def test_steps_stay_where_a_rule_speaks_of_their_order() -> None:
    order = 'require "lists first" called helpdesk.list_tickets before called helpdesk.get_ticket'
    found = variants(f"{MAILS}\n{READING}\n{order}", LISTS, READS, mail("TK-301; 1240.5"))
    assert "whose reads come in another order" not in found


def test_steps_stay_in_their_turn() -> None:
    opened = 'on opened at now + 1d silent { insert helpdesk.tickets { @TK-303 { title: "Door", created_at: now } } }'
    check = 'check 1 "reads both" called helpdesk.get_ticket(ticket_id: stale)\n'
    check += "and called helpdesk.get_ticket(ticket_id: @TK-303)"
    late = CallStep("helpdesk_get_ticket", {"ticket_id": "TK-303"})
    rehearsal = rehearsed(f"{opened}\n{check}", READS, says(""), late)
    assert theorem(rehearsal, "tolerant")["verdict"] == "executed"


def test_steps_stay_where_an_event_waits_for_one_of_them() -> None:
    event = 'on raised when called helpdesk.get_ticket { say "Thank you." }'
    assert "whose reads come in another order" not in variants(
        f"{MAILS}\n{READING}\n{event}", LISTS, READS, mail("TK-301; 1240.5")
    )


def test_writes_change_places_when_they_only_add() -> None:
    check = 'let both = [stale] + other\ncheck 1 "writes" each t in both: some m in gmail.sent where m.to == t.reporter'
    found = variants(check, mail("a", "ana@ourco.test"), mail("b", "bo@ourco.test"))
    assert "whose writes come in another order" in found
    closes = [
        CallStep("helpdesk_update_ticket", {"ticket_id": "TK-301", "priority": "critical"}),
        CallStep("helpdesk_close_ticket", {"ticket_id": "TK-301", "resolution": "Done"}),
    ]
    check = 'check 1 "closes" stale.priority == critical and stale.status == closed'
    assert "whose writes come in another order" not in variants(check, *closes)


def test_a_text_that_is_compared_stays_as_it_is() -> None:
    found = variants('check 1 "mails" some m in gmail.sent where m.body == stale.id', mail("TK-301"))
    assert found == ["that reads more", "with calls that are refused", "that writes addresses in capitals"]


def test_a_number_that_another_test_looks_for_stays_as_it_is() -> None:
    check = f'check 1 "says" answer states 12 within 0 and answer contains "depot 12"\n{NO_OTHER}'
    assert "E444" not in codes(rehearsed(check, says("depot 12; 12")))


@pytest.mark.parametrize(
    ("test", "found"),
    [('answer == "TK-301"', ["E444"]), ('answer matches "^TK-301$"', []), ('answer mentions any of ["TK-301"]', [])],
)
def test_an_answer_may_have_words_around_it(test: str, found: list[str]) -> None:
    rehearsal = rehearsed(f'check 1 "says it" {test}\n{NO_OTHER}\nallow W441 "no matter"', says("TK-301"))
    assert codes(rehearsal) == found
    for each in rehearsal.diagnostics:
        assert each.message.startswith("a run of `desk` with words around its texts loses `says it`")
        assert theorem(rehearsal, "tolerant")["verdict"] == "false"
