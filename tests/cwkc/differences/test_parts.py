"""What is read back from a pack is what the task says."""

from pathlib import Path

import pytest

from coworkdsl.files import MemoryFiles
from cwkc import driver
from cwkc.differences import parts_of
from cwkc.differences.modules import code
from cwkc.emit import emit_pack
from cwkc.emit.modules import source_text
from cwkc.meaning import typed

ROOT = Path(__file__).resolve().parents[3]
FILES = [*sorted((ROOT / "examples").rglob("*.cwk")), *sorted((ROOT / "tests/corpus/good").glob("*.cwk"))]


def tasks_of(path: Path) -> tuple[typed.Task, ...]:
    return driver.understand([path])[0].tasks


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_truth_and_rule_is_found(path: Path) -> None:
    tasks = tasks_of(path)
    proof = {"format": 1, "theorems": [], "witness": None}
    found = parts_of(MemoryFiles(emit_pack(tasks, {task.name: proof for task in tasks})))
    assert list(found) == [("task", task.name) for task in tasks]
    for task in tasks:
        parts = found["task", task.name]
        assert list(parts["truths"]) == list(task.truths)
        assert list(parts["checks"].values()) == [source_text(check.span) for check in task.checks]
        assert list(parts["requirements"].values()) == [source_text(each.span) for each in task.requirements]
        assert list(parts["forbids"].values()) == [source_text(each.span) for each in task.forbids]
        assert list(parts["judges"]) == [judge.label for judge in task.judges]
        assert len(parts["faults"]) == len(task.faults)
        assert bool(parts["user and events"]) == bool(task.user or task.events)


def test_code_is_the_same_wherever_its_lines_stand() -> None:
    first = '"""Banner."""\n\nfrom x import y\n\n\n# a.cwk:3\ndef f(run):\n    return y(run, place="a.cwk:3")\n'
    moved = first.replace("a.cwk:3", "a.cwk:17").replace("Banner", "Another")
    assert code(first) == code(moved)
    assert code(first) != code(first.replace("return y", "return x"))
