"""Judges: what is asked of them, and what a task with them must still decide by itself."""

from __future__ import annotations

from fractions import Fraction

from .support import check, codes, task, the_task

CHECK = 'check 0.8 "closes" @T-1.status == closed'


def test_a_rubric_holds_the_values_that_it_names() -> None:
    judge = """
  let printer = only t in desk.tickets where t.title contains "printer"
  judge 0.2 "is kind" $\"\"\"
    Full marks when {printer.owner.name} is thanked.
    None otherwise.
  \"\"\"
"""
    program, diagnostics = check(task(judge, CHECK))
    assert diagnostics == ()
    (found,) = the_task(program).judges
    assert (found.weight, found.label) == (Fraction(1, 5), "is kind")
    assert found.rubric == "Full marks when Ana is thanked.\nNone otherwise."


def test_judges_alone_decide_nothing() -> None:
    assert codes(task('judge 1 "is kind" "Is it kind?"', "")) == ["E285"]


def test_a_rubric_that_is_read_of_a_broken_truth_is_said_once() -> None:
    assert codes(task('let a = only t in desk.tickets\njudge 0.2 "kind" $"{a.title}"', CHECK)) == ["E232"]
