"""A task and its grading, taken apart and put together again."""

from __future__ import annotations

from pathlib import Path

import pytest

from cwkc import driver
from cwkc.generate.halves import joined, laid_out, lines_of, split, without_comments
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from tests.cwkc.generate.authors import ROOT

EXAMPLES = [
    path for path in sorted((ROOT / "examples").rglob("*.cwk")) if "family" not in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_means_the_same_when_its_halves_are_joined(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    halves = split(text)
    again = joined(*halves)
    program, found = driver.understand([path], driver.reader_of({path.as_posix(): again}))
    (task,), (before,) = program.tasks, driver.understand([path])[0].tasks
    assert not found
    assert {each.label for each in task.checks} == {each.label for each in before.checks}
    assert [each.weight for each in task.checks] == [each.weight for each in before.checks]
    assert dict(task.truths) == dict(before.truths)
    assert task.rows == before.rows
    assert "#" not in without_comments(halves.task).replace('"#', "")


def test_a_task_keeps_the_truths_that_it_needs_itself() -> None:
    halves = split((ROOT / "examples/days/reforecast.cwk").read_text(encoding="utf-8"))
    (task,) = (item for item in parse(Source("t.cwk", halves.task))[0].items if isinstance(item, tree.Task))
    kinds = {type(item) for item in task.items}
    assert tree.Deliver in kinds
    assert tree.TruthLet in kinds
    assert not kinds & {tree.Check, tree.Forbid, tree.OnlyChanges}


def test_lines_and_columns_of_a_grading_stay() -> None:
    task = "cwk 1\ntask t { }"
    grade = 'cwk 1 use crm\n# why\n  grade t {\n    check 1.0 "a" answer contains "#"\n  }\nenum E { a }\n'
    both = joined(task, grade)
    below = both.split("\n")[lines_of(task) :]
    assert below[2:5] == grade.split("\n")[2:5]
    assert not "".join((*below[:2], *below[5:])).strip()


def test_comments_go_and_texts_with_a_hash_stay() -> None:
    text = 'cwk 1 # one\ntask t { request "a # b" # two\n}\n'
    assert without_comments(text) == 'cwk 1 \ntask t { request "a # b" \n}\n'
    assert without_comments("cwk 1 task { # broken") == "cwk 1 task { # broken"
    assert laid_out("task {") == "task {"
