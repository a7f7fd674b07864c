"""What is remembered: never anything but what would be worked out, and all that has not changed."""

from __future__ import annotations

import shutil
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from cwkc import driver, rebuild
from cwkc.cache import Store
from cwkc.diagnostics import json
from cwkc.rebuild import Options, Result
from cwkc.workshop import Workshop

ROOT = Path(__file__).parents[2]
BAD = ("E108", "E212", "E402", "E407", "E444", "W402", "W403", "W441")
"""Found by each of the stages: the parser, the checker, the proofs, the rehearsal."""
GOOD = ("finance/pay_overdue", "support/thank_reporter", "support/flaky_helpdesk", "support/escalate_stale_enterprise")

SERVICE = """cwk 1

service {name} "Notes" {{
  record Note {{ words: text }}
  store notes: Note key note_id ids "N-"
  tool add_note "Write a note." (words: text) -> Note {{
    let made = insert notes {{ words: words }}
    return made
  }}
}}
"""
TASK = """cwk 1

use "{name}.cwk"

task note_{number} {{
  now: 2026-03-14T09:00:00Z
  request "Write the note `{number} keys`."
  tools {name}
  check 1 "writes it" some n in {name}.notes where n.words == "{number} keys"
  forbid "goes on"    count(called {name}.add_note) > 1
}}
"""


def shown(result: Result) -> tuple[str, Any, Any]:
    """What a command can make of a result, in order: dictionaries would be equal in any."""
    return json.render(result.diagnostics), dumps(result.theorems), result.files and list(result.files.items())


class Place:
    """A folder with tasks that is built again and again, and a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workshop = Workshop(Store(folder / "store"))
        self.doing: list[str] = []

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def build(self) -> Result:
        """Forgets what the last build did."""
        self.doing.clear()
        return rebuild.build(self.paths, Options(), self.workshop, self.doing.append)

    @property
    def paths(self) -> list[Path]:
        return sorted(self.folder.glob("*.cwk"))

    @property
    def proved(self) -> list[str]:
        return [words.removeprefix("proving ") for words in self.doing if words.startswith("proving ")]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two tasks of one service and one of another."""
    made = Place(tmp_path)
    for name in ("desk", "shed"):
        made.write(f"{name}.cwk", SERVICE.format(name=name))
    for name, number in (("desk", 1), ("desk", 2), ("shed", 3)):
        made.write(f"task_{number}.cwk", TASK.format(name=name, number=number))
    return made


def corpus(code: str) -> Path:
    (folder,) = (ROOT / "tests" / "corpus" / "bad").glob(f"{code}-*")
    return folder / "input.cwk"


@pytest.mark.parametrize("path", [*map(corpus, BAD), *(ROOT / "examples" / f"{name}.cwk" for name in GOOD)], ids=str)
def test_memory_changes_nothing(path: Path, tmp_path: Path) -> None:
    def built(workshop: Workshop) -> tuple[str, Any, Any]:
        return shown(rebuild.build([path], Options(), workshop, lambda doing: None))

    expected, store = built(Workshop()), Store(tmp_path)
    assert built(Workshop(store)) == expected
    assert built(Workshop(store)) == expected
    doing: list[str] = []
    by_task = driver.build([path], doing.append, workshop=Workshop(store))
    assert [
        words for words in doing if "rehearsing" in words or (words.startswith("proving") and "done" not in words)
    ] == []
    theorems = {name: proof.to_json()["theorems"] for name, proof in by_task.proofs.items()}
    assert shown(Result(by_task.diagnostics, theorems, by_task.files)) == expected


def test_nothing_is_done_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = place.build()
    assert place.proved == ["note_1", "note_2", "note_3"]
    assert first.files is not None
    monkeypatch.delattr("cwkc.driver.build")
    assert shown(place.build()) == shown(first)


def test_only_what_depends_on_a_change_is_done_again(place: Place) -> None:
    first = place.build()
    place.write("desk.cwk", SERVICE.format(name="desk").replace("Write a note.", "Write down a note."))
    assert place.build().files != first.files
    assert place.proved == ["note_1", "note_2"]
    place.write("desk.cwk", SERVICE.format(name="desk"))
    assert shown(place.build()) == shown(first)
    assert place.doing == []


def test_a_check_leaves_the_proofs_to_a_build(place: Place) -> None:
    rebuild.check(place.paths, Options(), place.workshop, place.doing.append)
    assert place.proved == ["note_1", "note_2", "note_3"]
    assert place.build().files is not None
    assert place.proved == []


def test_another_budget_is_another_question(place: Place) -> None:
    place.build()
    rebuild.build(place.paths, Options(budget=1_000_000), place.workshop, place.doing.append)
    assert len(place.proved) == 6


def test_another_compiler_remembers_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = place.build()
    monkeypatch.setattr("cwkc.cache.fingerprint", lambda: "another")
    assert shown(place.build()) == shown(first)
    assert place.proved == ["note_1", "note_2", "note_3"]


def test_damaged_values_are_worked_out_again(place: Place) -> None:
    first = place.build()
    for path in (place.folder / "store").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1])
    assert shown(place.build()) == shown(first)
    assert place.proved == ["note_1", "note_2", "note_3"]
    place.build()
    assert place.doing == []


def test_a_grade_in_another_file_counts(place: Place) -> None:
    for path in place.folder.glob("task_*"):
        path.unlink()
    task, grade = TASK.format(name="desk", number=1).split("  check", 1)
    place.write("task_1.cwk", task + "}\n")
    place.write("grade.cwk", 'cwk 1\nuse "task_1.cwk", "desk.cwk"\ngrade note_1 {\n  check' + grade)
    first = place.build()
    assert first.files is not None, json.render(first.diagnostics)
    place.write("grade.cwk", (place.folder / "grade.cwk").read_text().replace("goes on", "writes twice"))
    assert place.build().files != first.files
    assert place.proved == ["note_1"]


def test_what_goes_with_a_task_counts(place: Place) -> None:
    shutil.copytree(ROOT / "examples" / "finance", place.folder, dirs_exist_ok=True)
    for path in place.folder.glob("*.cwk"):
        if path.stem != "expense_receipt":
            path.unlink()
    first = place.build()
    assert first.files is not None, json.render(first.diagnostics)
    (asset,) = (path for path in first.files if "/assets/" in path)
    (stored,) = place.folder.rglob(Path(asset).name)
    stored.write_bytes(stored.read_bytes() + b"\n")
    again = place.build()
    assert again.files is not None
    assert again.files[asset] != first.files[asset]
    assert place.proved == ["expense_receipt"]


def test_a_file_that_comes_later_is_seen(place: Place) -> None:
    (place.folder / "desk.cwk").rename(place.folder / "desk.away")
    paths = [place.folder / "task_1.cwk"]
    before = rebuild.build(paths, Options(), place.workshop, place.doing.append)
    assert [each.code for each in before.diagnostics] == ["E227"]
    (place.folder / "desk.away").rename(place.folder / "desk.cwk")
    assert rebuild.build(paths, Options(), place.workshop, place.doing.append).files is not None
