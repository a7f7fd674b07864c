"""From a pack to runs, a data set and numbers, from the command line."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command
from tests.cwkc.cli.test_packs import TASK

AGENT = """
def reads(env):
    env.begin_turn()
    env.call("helpdesk_list_tickets", {})
    env.begin_turn()
    env.say("Done.")


def raises(env):
    for _ in range(3):
        env.begin_turn()
        env.call("helpdesk_list_tickets", {})
    env.begin_turn()
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-301", "priority": "critical"})
    env.begin_turn()
    env.say("Done.")


def sometimes(env):
    if env.seed % 2:
        raise RuntimeError("odd")
    raises(env)
"""


@pytest.fixture(autouse=True)
def pack(tmp_path: Path, cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "agents_of_training", raising=False)
    Path("agents_of_training.py").write_text(AGENT, encoding="utf-8")
    Path("task.cwk").write_text(TASK, encoding="utf-8")
    assert cwkc("build", "task.cwk", "-o", "dist").status == 0
    return "dist"


def agent(name: str) -> str:
    return f"agents_of_training:{name}"


def test_runs_become_a_data_set(cwkc: Command) -> None:
    shown = cwkc("rollout", "dist", "--agent", agent("sometimes"), "-n", 4, "-j", 1, "--retries", 0, "-o", "runs")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == "runs: 2 scored, 0 unscored, 2 invalid; 0 were there before\n"
    cwkc("rollout", "dist", "--agent", agent("reads"), "-n", 2, "-j", 1, "-o", "runs")
    shown = cwkc("curate", "runs", "-o", "data", "--held-out", 0, "--threshold", "extraction")
    assert shown.status == 0
    falls = {line[:28].strip(): line[28:].split() for line in shown.out.splitlines()}
    assert falls["invalid"] == ["6", "2"]
    assert falls["below the threshold"] == ["4", "2"]
    assert falls["kept"] == ["2"]
    rows = [json.loads(line) for line in Path("data/train.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["seed"] for row in rows] == [0, 2]


def test_what_is_held_out_is_not_run_and_not_curated(cwkc: Command) -> None:
    shown = cwkc("rollout", "dist", "--agent", "witness", "--split", "training", "--held-out", 1, "-o", "runs")
    assert shown.status == 2
    assert "no task" in shown.err
    assert cwkc("rollout", "dist", "--agent", "witness", "-j", 1, "-o", "runs").status == 0
    shown = cwkc("curate", "runs", "-o", "data", "--held-out", 1)
    assert shown.out.splitlines()[1].split() == ["held", "out", "1", "1"]
    assert Path("data/train.jsonl").read_bytes() == b""


def test_agents_are_measured_on_the_same_trials(cwkc: Command) -> None:
    options = ("-j", 1, "-k", 2, "--retries", 0, "-o", "numbers.json", "--plot", "curves.png", "--runs", "runs")
    shown = cwkc("eval", "dist", "--agent", agent("reads"), "--agent", agent("sometimes"), *options)
    assert (shown.status, shown.err) == (0, "")
    assert f"{agent('sometimes')}: 1 tasks, 2 runs: 1 scored, 0 unscored, 1 invalid" in shown.out
    assert "1 better, 0 equal, 0 worse; 1 trials without a score on both sides" in shown.out
    document = json.loads(Path("numbers.json").read_text(encoding="utf-8"))
    first, second = document["agents"]
    assert (first["attempts"]["2"]["score"]["value"], second["attempts"]["1"]["score"]["value"]) == (0.0, 1.0)
    assert second["attempts"]["2"]["pass_all"] is None
    assert document["comparisons"][0]["score"]["value"] == 1.0
    assert Path("curves.png").read_bytes().startswith(b"\x89PNG")
    again = cwkc("eval", "dist", "--agent", agent("reads"), "--agent", agent("sometimes"), *options)
    assert again.out == shown.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("rollout", "dist", "--agent", "nobody", "-o", "runs"), "is no agent"),
        (("rollout", "dist", "--agent", "witness", "-o", "task.cwk"), "cannot be used as a store"),
        (("rollout", "dist", "--agent", "witness", "--judge", "me", "-o", "runs"), "names no model"),
        (("rollout", ".", "--agent", "witness", "-o", "runs"), "is not a pack"),
        (("eval", "dist", "--agent", "openai:m@http://localhost/v1"), "set OPENAI_API_KEY"),
        (("curate", "task.cwk", "-o", "data"), "cannot be used as a store"),
        (("curate", "task.cwk", "-o", "data", "--threshold", "safety=much"), "no threshold"),
    ],
    ids=["agent", "store", "judge", "pack", "key", "runs", "threshold"],
)
def test_wrong_use_is_told(
    arguments: tuple[str, ...], says: str, cwkc: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    shown = cwkc(*arguments)
    assert (shown.status, shown.out) == (2, "")
    assert says in shown.err


def test_a_package_that_is_missing_is_named(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cwkc.cli.rollouts.find_spec", lambda name: None if name == "numpy" else find_spec(name))
    shown = cwkc("eval", "dist", "--agent", "witness")
    assert shown.status == 2
    assert "pip install 'coworkdsl[evaluate]'" in shown.err
