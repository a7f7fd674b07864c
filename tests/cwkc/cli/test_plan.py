"""Writing a plan from the command line."""

import json
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command
from tests.cwkc.cli.test_packs import TASK


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pack(cwkc: Command) -> str:
    """A pack with one task, which has a capability, a scenario and a service."""
    head = "\n  scenario: escalation\n  capabilities: [ranking]\n  now:"
    Path("task.cwk").write_text(TASK.replace("\n  now:", head, 1), encoding="utf-8")
    assert cwkc("build", "task.cwk", "-o", "pack").status == 0
    return "pack"


def test_a_plan_is_laid_out_and_clean(cwkc: Command) -> None:
    assert cwkc("plan", "-n", "60", "-o", "plan.cwk").status == 0
    assert cwkc("check", "plan.cwk").out == ""
    assert cwkc("fmt", "--check", "plan.cwk").status == 0


def test_what_is_there_is_counted(cwkc: Command, pack: str) -> None:
    numbers = json.loads(cwkc("plan", pack, "-n", "9", "-o", "plan.cwk", "--format", "json").out)
    assert (numbers["slots"], numbers["tasks"]) == (9, [1, 10])
    assert numbers["cells"]["ranking"]["escalation"] == [1, 1]
    assert numbers["words"]["service"]["helpdesk"][0] == 1
    assert numbers["pairs"]["capability, scenario"]["covered"][0] == 1
    assert numbers["missed"] == []


def test_packs_are_counted_together(cwkc: Command, pack: str) -> None:
    out = cwkc("plan", pack, pack, "-n", "1", "-o", "plan.cwk").out
    assert "\ntasks: 2 before, 3 after\n" in out
    (row,) = (line.split() for line in out.splitlines() if line.startswith("ranking "))
    assert row == ["ranking", "2", "2", "1", "1"]


def test_seeds_decide(cwkc: Command, pack: str) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert cwkc("plan", pack, "-n", "12", "-o", name, "--seed", seed).status == 0
    a, b, c = (Path(name).read_bytes() for name in "abc")
    assert a == b != c


def test_a_quota_that_cannot_be_met_is_said(cwkc: Command) -> None:
    Path("wanted.toml").write_text("capabilities.web_lookup = 1\nservices.web = 0.5\n", encoding="utf-8")
    outcome = cwkc("plan", "-n", "8", "-o", "plan.cwk", "--requirements", "wanted.toml")
    assert outcome.status == 0
    assert outcome.out.endswith("\nservices: `web`: 4 slots were to have it, and 8 cannot do without it\n")


def test_faults_of_the_requirements_are_told_and_nothing_is_written(cwkc: Command, folder: Path) -> None:
    Path("wanted.toml").write_text('scenario = ["refnud"]\npersona = 3\n', encoding="utf-8")
    outcome = cwkc("plan", "-n", "8", "-o", "plan.cwk", "--requirements", "wanted.toml")
    assert outcome.status == 2
    assert "wanted.toml:1:14: `refnud` is no word of `scenario`; did you mean `refund`?\n" in outcome.err
    assert "wanted.toml:2:1: `persona` must be a list of words" in outcome.err
    assert {path.name for path in folder.iterdir()} == {"wanted.toml"}


def test_requirements_that_are_no_text_are_told(cwkc: Command) -> None:
    Path("wanted.toml").write_bytes(b"\xff")
    outcome = cwkc("plan", "-n", "8", "-o", "plan.cwk", "--requirements", "wanted.toml")
    assert outcome.status == 2
    assert "cannot read `wanted.toml`" in outcome.err


def test_a_file_that_is_there_is_left_alone(cwkc: Command) -> None:
    Path("plan.cwk").write_text("mine", encoding="utf-8")
    outcome = cwkc("plan", "-n", "8", "-o", "plan.cwk")
    assert outcome.status == 2
    assert "cannot write `plan.cwk`" in outcome.err
    assert Path("plan.cwk").read_text(encoding="utf-8") == "mine"


def test_what_is_no_pack_is_told(cwkc: Command, pack: str) -> None:
    (Path(pack) / "tasks" / "raise_stale" / "task.json").write_text("{", encoding="utf-8")
    outcome = cwkc("plan", pack, "-n", "8", "-o", "plan.cwk")
    assert outcome.status == 2
    assert "tasks/raise_stale/task.json: not JSON" in outcome.err
    assert not Path("plan.cwk").exists()
