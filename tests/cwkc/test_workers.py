"""Processes beside one another give the answers that one gives, and none of them goes unnoticed."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from coworkdsl import Pack
from cwkc import driver
from cwkc.bench import Shared, prove_one
from cwkc.diagnostics import json
from cwkc.emit import emit_pack
from cwkc.meaning import typed
from cwkc.meaning.families import Sampling
from cwkc.workshop import Answer, Question, Workshop
from tests.cwkc.test_families import WIDE
from tests.cwkc.test_rebuild import SERVICE, TASK

BUDGET = 2_000_000
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four tasks; a check of the second and one of the third are wrong."""
    (tmp_path / "desk.cwk").write_text(SERVICE.format(name="desk"))
    for number in range(4):
        text = TASK.format(name="desk", number=number)
        if number in (1, 2):
            text = text.replace("check 1", 'check 0.5 "idle" no n in desk.notes\n  check 0.5')
        (tmp_path / f"task_{number}.cwk").write_text(text)
    return tmp_path


@pytest.fixture
def workshop() -> Iterator[Workshop]:
    with Workshop(jobs=2) as made:
        yield made


def questions(folder: Path) -> tuple[Shared, list[Question]]:
    program, _ = driver.understand(sorted(folder.glob("*.cwk")))
    pack = Pack.from_files(emit_pack(program.tasks, {}))
    return Shared(pack), [Question("", task.name, task.span, (task, BUDGET)) for task in program.tasks]


def silent(doing: str) -> None:
    """Nobody wants to know."""


def test_answers_and_their_order_are_those_of_one_process(folder: Path, workshop: Workshop) -> None:
    paths = sorted(folder.glob("*.cwk"))
    alone, beside = driver.check(paths), driver.check(paths, workshop=workshop)
    assert json.render(beside.diagnostics) == json.render(alone.diagnostics)
    assert [each.code for each in alone.diagnostics] == ["E401", "E407"] * 2
    assert list(beside.proofs) == list(alone.proofs)
    assert [proof.to_json() for proof in beside.proofs.values()] == [proof.to_json() for proof in alone.proofs.values()]


def test_members_of_families_are_shared_out_too(workshop: Workshop) -> None:
    path, few = EXAMPLES / "finance" / "pay_overdue.cwk", Sampling(4)
    alone, beside = driver.build([path], sampling=few), driver.build([path], sampling=few, workshop=workshop)
    assert alone.files is not None
    assert beside.files == alone.files


def test_members_of_large_families_are_shared_out_too(
    tmp_path: Path, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of them have their run from another member's; the file that goes with the task is read once."""
    monkeypatch.setattr("cwkc.families.PROVED", 6)
    asset = '  asset "desk.png" { seats: 4 }\n\n  let target'
    (tmp_path / "desk.png").write_bytes(b"a desk")
    text = WIDE.replace("  let target", asset)
    path = tmp_path / "wide.cwk"
    path.write_text(text.replace('title: "Nothing works"', "title: pick ticket_title"), encoding="utf-8")
    alone = driver.build([path], sampling=Sampling(50))
    beside = driver.build([path], sampling=Sampling(50), workshop=workshop)
    assert json.render(beside.diagnostics) == json.render(alone.diagnostics)
    assert alone.files is not None, json.render(alone.diagnostics)
    assert beside.files is not None
    assert list(beside.files.items()) == list(alone.files.items())


def ends(survey: object, members: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_lost_with_members_is_told_of_their_family(
    tmp_path: Path, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cwkc.families.survey_members", ends)
    path = tmp_path / "wide.cwk"
    path.write_text(WIDE, encoding="utf-8")
    (lost,) = driver.check([path], sampling=Sampling(50), workshop=workshop).diagnostics
    assert (lost.code, lost.message) == ("E013", "the process that worked on `wide` was ended by signal 9")


def ends_with_the_second(shared: Shared, task: typed.Task, budget: int) -> Answer:
    if task.name == "note_1":
        os.kill(os.getpid(), signal.SIGKILL)
    return prove_one(shared, task, budget)


def test_a_lost_process_is_told_and_replaced(folder: Path, workshop: Workshop) -> None:
    shared, asked = questions(folder)
    answers = workshop.answers(ends_with_the_second, shared, asked, silent)
    assert [answer.proof is None for answer in answers] == [False, True, False, False]
    (lost,) = answers[1].diagnostics
    assert (lost.code, lost.message) == ("E013", "the process that worked on `note_1` was ended by signal 9")
    assert [answer.proof is None for answer in workshop.answers(prove_one, shared, asked, silent)] == [False] * 4


def fails(shared: Shared, task: typed.Task, budget: int) -> Answer:
    raise LookupError(task.name)


def test_a_defect_in_a_process_is_one_of_the_command(folder: Path, workshop: Workshop) -> None:
    shared, asked = questions(folder)
    with pytest.raises(LookupError, match="note_"):
        workshop.answers(fails, shared, asked, silent)


def test_what_is_nested_as_deep_as_may_be_is_sent(folder: Path, workshop: Workshop) -> None:
    path = folder / "task_0.cwk"
    sides = " or ".join([f'n.words == "{number}"' for number in range(110)])
    path.write_text(path.read_text().replace("n.words ==", f"{sides} or n.words =="))
    paths = [path, folder / "task_3.cwk"]
    alone, beside = driver.check(paths), driver.check(paths, workshop=workshop)
    assert beside.proofs["note_0"].to_json() == alone.proofs["note_0"].to_json()


def test_a_pack_travels_as_its_files(folder: Path) -> None:
    shared, _ = questions(folder)
    pack = shared.pack
    pack.env("note_0").call("desk_add_note", {"words": "a"})
    again = pickle.loads(pickle.dumps(pack))
    assert list(again.tasks) == list(pack.tasks)
    assert again.env("note_0").tools == pack.env("note_0").tools
