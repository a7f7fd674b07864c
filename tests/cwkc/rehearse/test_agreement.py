"""Emitted code that is other than the task says, where no score tells."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.fault_injection import is_noticed, sample, subjects
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.rehearse import EmittedCodeError, rehearse

from .support import RAISES, desk, says


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


def test_most_faults_are_noticed() -> None:
    faults = sample(subjects("thank_reporter"), 12, seed=1)
    assert sum(is_noticed(subject, fault) for subject, fault in faults) >= 10
