"""Writing a report from the command line."""

import json
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command
from tests.cwkc.cli.test_packs import TASK


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cwkc: Command) -> Path:
    """A folder of its own, with a pack and a run in it."""
    monkeypatch.chdir(tmp_path)
    Path("task.cwk").write_text(TASK, encoding="utf-8")
    assert cwkc("build", "task.cwk", "-o", "pack").status == 0
    assert cwkc("run", "pack", "raise_stale", "-o", "run.json").status == 0
    return tmp_path


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"task.cwk", "pack", "run.json"}


def test_a_report_says_where_it_is(cwkc: Command) -> None:
    outcome = cwkc("view", "pack", "run.json", "-o", "site")
    assert outcome.out == "site/index.html: 1 task, 1 run\n"
    assert "raise_stale" in Path("site/tasks.js").read_text(encoding="utf-8")


def test_it_takes_the_place_of_an_earlier_one(cwkc: Command, folder: Path) -> None:
    assert cwkc("view", "pack", "run.json").status == 0
    assert cwkc("view", "pack").status == 0
    assert left(folder) == {"report"}
    assert not (folder / "report" / "runs").exists()


def test_other_things_are_left_alone(cwkc: Command, folder: Path) -> None:
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("mine", encoding="utf-8")
    outcome = cwkc("view", "pack", "-o", "site")
    assert outcome.status == 2
    assert "holds something that is not a report" in outcome.err
    assert (folder / "site" / "index.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON"),
        ("[]", "$: [] is not of type 'object'"),
        ('{"format": 1, "task": "raise_stale", "messages": [{"role": "nobody"}]}', "$.messages[0].role"),
        ('{"format": 1, "task": "other", "messages": []}', "the pack has no task `other`"),
        ('{"format": 1, "task": "raise_stale", "messages": [{"role": "assistant"}]}', "messages[0]: has neither"),
    ],
)
def test_what_is_no_run_is_named(cwkc: Command, folder: Path, text: str, why: str) -> None:
    Path("bad.json").write_text(text, encoding="utf-8")
    outcome = cwkc("view", "pack", "run.json", "bad.json")
    assert outcome.status == 2
    assert "`bad.json` is not a run" in outcome.err
    assert why in outcome.err
    assert left(folder) == {"bad.json"}


def test_a_run_without_a_score_is_scored(cwkc: Command) -> None:
    run = json.loads(Path("run.json").read_text(encoding="utf-8"))
    del run["score"]
    Path("run.json").write_text(json.dumps(run), encoding="utf-8")
    assert cwkc("view", "pack", "run.json").status == 0
    assert "earned 1 of 1" in Path("report/runs/1.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("damage", ['{"format": 1}', '{"format": 1, "theorems": [{}], "witness": null, "allowed": []}'])
def test_a_damaged_pack_leaves_nothing_behind(cwkc: Command, folder: Path, damage: str) -> None:
    Path("pack/tasks/raise_stale/proof.json").write_text(damage, encoding="utf-8")
    outcome = cwkc("view", "pack")
    assert outcome.status == 2
    assert "is not a pack that can be run" in outcome.err
    assert left(folder) == set()
