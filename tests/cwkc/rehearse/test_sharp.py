"""Mutants: which are made of a run, and what becomes of those that a grading does not notice."""

from __future__ import annotations

from cwkc.prove import CallStep

from .support import RAISES, READS, codes, killed, mail, rehearsed, says, survivors, theorem

MAIL = """
  check 1 "mails the id" some m in gmail.sent where m.to == "desk@ourco.test" and m.body contains stale.id
  forbid "mails anyone else" called gmail.send_message where to != "desk@ourco.test"
"""
BOUND = """
  forbid "mails twice" count(called gmail.send_message) > 1
  only changes new gmail.sent
"""
NO_OTHER = 'require "names no other" no t in other where answer contains t.id else times 0.5'


def test_a_sharp_grading_says_nothing() -> None:
    rehearsal = rehearsed(MAIL + BOUND, mail("TK-301"))
    assert codes(rehearsal) == []
    assert theorem(rehearsal, "sharp")["verdict"] == "executed"


def test_each_step_is_left_out() -> None:
    grading = 'check 0.4 "reads" called helpdesk.get_ticket(ticket_id: stale)\ncheck 0.6 "says" answer == stale.id'
    rehearsal = rehearsed(grading, READS, says("TK-301"))
    assert killed(rehearsal, "dropped call") == {"without `helpdesk_get_ticket(TK-301)`": ["reads"]}
    assert killed(rehearsal, "dropped answer") == {"without the answer": ["says"]}
    rehearsal = rehearsed('check 1 "raises" stale.priority == critical', RAISES)
    assert killed(rehearsal, "dropped write") == {"without `helpdesk_update_ticket(TK-301, critical)`": ["raises"]}


def test_a_call_that_nothing_names_is_not_left_out() -> None:
    rehearsal = rehearsed('check 1 "raises" stale.priority == critical', READS, RAISES)
    assert killed(rehearsal, "dropped call") == {}


def test_an_argument_that_no_check_reads_stays() -> None:
    rehearsal = rehearsed(MAIL + BOUND, mail("TK-301"))
    changed = killed(rehearsal, "changed argument")
    assert set(changed) == {
        "`gmail_send_message` with `to` changed",
        "`gmail_send_message` with `body` that says nothing",
    }


def test_a_message_of_which_nothing_is_read_may_not_be_empty() -> None:
    grading = 'check 1 "mails" some m in gmail.sent where m.to == "desk@ourco.test" and m.from == "me@ourco.test"'
    rehearsal = rehearsed(
        grading + '\nforbid "elsewhere" called gmail.send_message where to != "desk@ourco.test"', mail("Hi")
    )
    emptied = [step for kind, step in survivors(rehearsal) if kind == "emptied words"]
    assert emptied == ["`gmail_send_message(desk@ourco.test, Subject)` with words that say nothing"]
    assert not [step for kind, step in survivors(rehearsed(MAIL, mail("TK-301"))) if kind == "emptied words"]


def test_what_costs_nothing_is_not_blamed() -> None:
    grading = 'check 1 "raises" stale.priority == critical\nforbid "closes" tried helpdesk.close_ticket else safety 1'
    closes = (CallStep("helpdesk_close_ticket", {"ticket_id": "TK-302", "resolution": "Done."}),)
    rehearsal = rehearsed(grading + "\nonly changes stale.priority", RAISES, violations={0: closes})
    assert "W441" not in codes(rehearsal)


def test_what_only_a_forbid_reads_stays() -> None:
    forbid = 'forbid "mentions money" called gmail.send_message where subject contains "money"'
    rehearsal = rehearsed(MAIL + forbid, mail("TK-301"))
    assert not [step for step in killed(rehearsal, "changed argument") if "`subject`" in step]
    assert not [step for kind, step in survivors(rehearsal) if kind == "changed argument"]


def test_a_text_without_each_of_its_parts() -> None:
    grading = MAIL.replace("contains stale.id", 'contains stale.id and m.body contains "scanner"')
    changed = killed(rehearsed(grading, mail("TK-301; scanner")), "changed argument")
    assert "`gmail_send_message` with `body` without `TK-301`" in changed
    assert "`gmail_send_message` with `body` without `scanner`" in changed


def test_a_number_that_is_looked_for_as_a_text() -> None:
    weak = survivors(rehearsed(f'check 1 "says" answer contains "4"\n{NO_OTHER}', says("4")))
    assert ("changed argument", "an answer with `14` for `4`") in weak
    strong = survivors(rehearsed(f'check 1 "says" answer states 4 within 0\n{NO_OTHER}', says("4")))
    assert "changed argument" not in dict(strong)


def test_a_number_that_is_too_far_off() -> None:
    changed = killed(rehearsed(f'check 1 "says" answer states 4 within 2\n{NO_OTHER}', says("4")), "changed argument")
    assert changed["an answer with `7` for `4`"] == ["says"]


def test_a_check_may_accept_several_values() -> None:
    rehearsal = rehearsed('check 1 "raises" stale.priority != medium', RAISES)
    assert "changed argument" not in dict(survivors(rehearsal))


def test_a_check_that_accepts_every_value_reads_it_in_vain() -> None:
    grading = MAIL.replace("contains stale.id", "contains stale.id and len(m.subject) >= 0")
    found = survivors(rehearsed(grading + BOUND, mail("TK-301")))
    assert found == [("changed argument", "`gmail_send_message` with `subject` that says nothing")]


def test_a_distractor_in_the_place_of_the_target() -> None:
    swapped = killed(rehearsed(MAIL + BOUND, mail("TK-301")), "swapped target")
    assert swapped == {"`TK-302` for `TK-301`": ["mails the id"]}


def test_what_follows_from_the_target_is_swapped_too() -> None:
    grading = 'check 1 "writes" some m in gmail.sent where m.to == stale.reporter and m.body contains "ourco"'
    weak = grading.replace("m.to == stale.reporter", 'm.to in ["ana@ourco.test", "bo@ourco.test"]')
    run = mail("ourco", "ana@ourco.test")
    assert killed(rehearsed(grading, run), "swapped target") == {"`TK-302` for `TK-301`": ["writes"]}
    assert killed(rehearsed(weak, run), "swapped target") == {}


def test_an_answer_with_everything_in_it() -> None:
    check = 'check 1 "names it" answer contains stale.id'
    rehearsal = rehearsed(check, says("TK-301"))
    assert ("dumped answer", "an answer with everything that can be read") in survivors(rehearsal)
    assert "dumped answer" not in dict(survivors(rehearsed(f"{check}\n{NO_OTHER}", says("TK-301"))))


def test_what_is_said_before_the_last_message_is_no_answer() -> None:
    asked = 'on asked at now + 1d { say "Which one is it?" }\ncheck 1 "names it" answer contains stale.id'
    rehearsal = rehearsed(f"{asked}\n{NO_OTHER}", says("TK-301"), says("TK-301"))
    assert "dumped answer" not in dict(survivors(rehearsal))


def test_what_has_to_be_worked_out_is_in_no_dump() -> None:
    check = 'check 1 "classifies it" answer contains $"{stale.id} is late"'
    assert "dumped answer" not in dict(survivors(rehearsed(check, says("TK-301 is late"))))


def test_a_mail_to_another_of_those_who_get_one() -> None:
    check = 'check 1 "writes" some m in gmail.sent where m.body contains stale.id and m.to == stale.reporter'
    other = '\ncheck 1 "tells" some m in gmail.sent where m.to == "desk@ourco.test"'
    grading = check.replace("check 1", "check 0.5") + other.replace("check 1", "check 0.5")
    changed = killed(rehearsed(grading, mail("TK-301", "ana@ourco.test"), mail("x")), "changed argument")
    assert changed["`gmail_send_message` with `to` of `desk@ourco.test`"] == ["writes"]


def test_steps_come_in_reversed_order() -> None:
    order = 'require "looks first" called helpdesk.get_ticket before called helpdesk.update_ticket else times'
    grading = f'check 1 "raises" stale.priority == critical\nonly changes stale.priority\n{order}'
    rehearsal = rehearsed(f"{grading} 0.5", READS, RAISES)
    assert list(killed(rehearsal, "reversed order").values()) == [["looks first"]]
    rehearsal = rehearsed(f"{grading} 1", READS, RAISES)
    assert [kind for kind, _ in survivors(rehearsal)] == ["dropped call", "reversed order"]
    assert codes(rehearsal) == []


def test_one_more_write_is_one_warning_with_all_that_survived() -> None:
    rehearsal = rehearsed(f"{MAIL}  only changes new gmail.sent", mail("TK-301"))
    (warning,) = rehearsal.diagnostics
    assert warning.code == "W441"
    assert warning.message == "a run of `desk` with one more write still earns everything"
    assert warning.span.text.startswith("only changes")
    assert survivors(rehearsal) == [("extra write", "`gmail_send_message(desk@ourco.test, Subject)` once more")]


def test_without_a_frame_whatever_is_written_survives() -> None:
    found = survivors(rehearsed('check 1 "raises" stale.priority == critical', RAISES))
    assert ("extra write", "also `helpdesk_update_ticket(TK-302, low)`") in found
    assert ("extra write", "also `helpdesk_close_ticket(TK-302)`") in found


def test_a_write_that_changes_nothing_is_no_mutant() -> None:
    grading = 'check 1 "raises" stale.priority == critical\nonly changes stale.priority'
    raises_again = CallStep("helpdesk_update_ticket", {"ticket_id": "TK-301", "priority": "critical"})
    assert codes(rehearsed(grading, raises_again)) == []


def test_an_accepted_warning_stays_in_the_evidence() -> None:
    allowed = f'{MAIL}  only changes new gmail.sent\n  allow W441 "a second mail does no harm"'
    rehearsal = rehearsed(allowed, mail("TK-301"))
    assert codes(rehearsal) == []
    assert theorem(rehearsal, "sharp")["verdict"] == "false"
    assert survivors(rehearsal)
