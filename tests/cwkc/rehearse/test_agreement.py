"""Emitted code that is other than the task says, where no score tells."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.fault_injection import argument, is_noticed, sample, subjects
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.rehearse import EmittedCodeError, rehearse

from .support import RAISES, READS, desk, says


@pytest.fixture(scope="module")
def task() -> typed.Task:
    return desk(
        'check 1 "raises" stale.priority == critical\nforbid "closes" tried helpdesk.close_ticket else safety 0.5'
    )


@pytest.fixture(scope="module")
def files(task: typed.Task) -> Mapping[str, str]:
    return emit_pack((task,), {})


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("services/helpdesk.py", 't["status"] == status', 't["status"] != status', "to do what its tools say"),
        ("services/helpdesk.py", '"status") == "closed"', '"status") == "resolved"', "to do what its tools say"),
        ("services/helpdesk.py", '"date_to", {"optional"', '"date_to", {"list"', "to do what its tools say"),
        ("tasks/desk/grader.py", "safety=rt.Fraction(1, 2)", "safety=rt.Fraction(1, 4)", "to list its rules"),
    ],
)
def test_a_difference_is_a_defect(
    task: typed.Task, files: Mapping[str, str], path: str, old: str, new: str, message: str
) -> None:
    assert old in files[path]
    with pytest.raises(EmittedCodeError, match=f"the emitted code of `desk` failed {message}"):
        rehearse(task, {**files, path: files[path].replace(old, new)}, (RAISES,))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"told": lambda run: run.answer', '"told": lambda run: run.final.now', "to show judges what was delivered"),
        ("Full marks", "No marks", "to list its rules"),
        ("weight=rt.Fraction(1, 10)", "weight=rt.Fraction(1, 20)", "to list its rules"),
    ],
)
def test_a_judge_is_asked_what_the_task_says(old: str, new: str, message: str) -> None:
    judged = desk(
        'check 0.5 "raises" stale.priority == critical\ncheck 0.4 "tells" delivered told\n'
        'deliver told answer { id: text = stale.id }\njudge 0.1 "explains" "Full marks for a reason."'
    )
    files, path, steps = emit_pack((judged,), {}), "tasks/desk/grader.py", (RAISES, says("id: TK-301"))
    text = str(files[path])
    assert rehearse(judged, files, steps).witness is not None
    assert old in text
    with pytest.raises(EmittedCodeError, match=f"the emitted code of `desk` failed {message}"):
        rehearse(judged, {**files, path: text.replace(old, new)}, steps)


def test_planted_faults_are_noticed_or_argued_away() -> None:
    faults = sample(subjects("thank_reporter"), 12, seed=1)
    left = [fault for subject, fault in faults if not is_noticed(subject, fault)]
    assert [fault for fault in left if argument(fault) is None] == []


GRADING = """
  check 0.5 "raises or closes" stale.priority == critical or stale.status == closed
  check 0.5 "reads"            called helpdesk.get_ticket(ticket_id: stale)
  require "names few" count(all t in other where answer contains t.id) < 1 else times 0.5
  forbid "writes much" called gmail.send_message where (subject contains "a" or body contains "b") and to != "x@y.test"
  only changes stale.priority, new gmail.sent
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (' or run.final.field("helpdesk.Ticket", STALE, "status") == "closed"', ""),
        ('run.called("helpdesk.get_ticket"', 'run.tried("helpdesk.get_ticket"'),
        ("< 1", "< 2"),
        ('"b"', '"c"'),
        ("ne_ignoring_case", "eq_ignoring_case"),
        ('("new", "gmail.sent")', '("new", "gmail.drafts")'),
    ],
)
def test_a_verdict_that_no_run_of_the_rehearsal_shows(old: str, new: str) -> None:
    """The half of an `or` that the witness does not take, a refused call, a border, one of several conditions."""
    task = desk(GRADING)
    files = emit_pack((task,), {})
    rehearse(task, files, (READS, RAISES))
    path = "tasks/desk/grader.py"
    rules = files[path][: files[path].index("CHECKS = (")]
    broken = {**files, path: files[path].replace(rules, rules.replace(old, new))}
    assert broken != files
    with pytest.raises(EmittedCodeError, match="to say what a rule says"):
        rehearse(task, broken, (READS, RAISES))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (' and (date_to is None or rt.le(rt.date(t["created_at"]), date_to))', ""),
        ('rt.ge(rt.date(t["created_at"])', 'rt.gt(rt.date(t["created_at"])'),
        ("descending=True", "descending=False"),
        ('rt.given({"priority": priority, "tags"', 'rt.given({"category": priority, "tags"'),
        ('{"enum": ["low", "medium", "high", "critical"]}', '{"enum": ["low", "medium", "high", "urgent"]}'),
    ],
)
def test_a_tool_that_does_otherwise_where_no_data_show_it(
    task: typed.Task, files: Mapping[str, str], old: str, new: str
) -> None:
    path = "services/helpdesk.py"
    text = files[path].replace("\n                    and (date_to", " and (date_to")
    assert old in text
    with pytest.raises(EmittedCodeError):
        rehearse(task, {**files, path: text.replace(old, new)}, (RAISES,))
