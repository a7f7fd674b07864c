"""Rolling a pack out: what is kept of a run, its limits, what fails, and going on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import pytest

from coworkdsl import Pack, replay_run
from cwkc.models import ModelError, Sampling
from cwktrain.agents import open_agent
from cwktrain.callables import AgentUnavailable
from cwktrain.conversing import ModelAgent
from cwktrain.episodes import Episode, Setup, run_episode
from cwktrain.limits import LimitReached, Limits, MeteredEnvironment
from cwktrain.rollouts import Plan, roll_out
from cwktrain.runs import RunRecord
from cwktrain.split import HeldOutTask, is_held_out, of_split, refuse_held_out
from cwktrain.store import RunStore, read_runs
from cwktrain.tasks import facts_of

AGENTS = """
import os
import sys
from pathlib import Path


def crashes(env):
    env.call("helpdesk_get_ticket", {"ticket_id": "TK-911"})
    raise RuntimeError("no idea")


def leaves(env):
    sys.exit(3)


def dies(env):
    if env.task.id == "thank_reporter":
        os._exit(9)
    env.finish()


def forever(env):
    while True:
        try:
            env.begin_turn()
            env.call("helpdesk_list_tickets", {})
        except Exception:
            pass


def at_the_second_try(env):
    tried = Path(env.task.id)
    if not tried.exists():
        tried.touch()
        raise ConnectionError("gone")
    env.finish()


def writes_a_line(env):
    with open("log.txt", "a") as log:
        log.write(f"{env.task.id} {env.seed}\\n")
    env.finish()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "helpers_of_rollouts", raising=False)
    Path("helpers_of_rollouts.py").write_text(AGENTS, encoding="utf-8")
    return tmp_path


def setup(pack: Path, agent: str, **others: Any) -> Setup:
    return Setup(
        pack, "digest", agent if ":" in agent or "witness" in agent else f"helpers_of_rollouts:{agent}", **others
    )


def rolled(plan: Plan, path: Path = Path("runs.sqlite")) -> tuple[Counter[str], list[RunRecord]]:
    told: list[RunRecord] = []
    with RunStore(path) as store:
        return roll_out(plan, store, told.append), told


# ---------------------------------------------------------------------------- one episode


def test_a_run_is_kept_whole(pack: Path) -> None:
    run = run_episode(setup(pack, "witness"), Episode("thank_reporter", 7))
    assert (run.status, run.stopped, run.error, run.reward, run.seed) == ("scored", None, None, 1.0, 7)
    document = json.loads(json.dumps(run.to_json()))
    assert RunRecord.from_json(document) == run
    kept = {"format": 1, "task": "thank_reporter", "seed": run.seed, "messages": document["messages"]}
    again = replay_run(Pack.open(pack), kept)
    assert again.messages == document["messages"]
    assert again.score().reward == run.reward
    assert again.tools == document["tools"]
    writes = [write for write in run.audit if write["event"] is None]
    assert [write["kind"] for write in writes] == [write.kind for write in again.trace.writes]
    assert all(write["after"] is not None for write in writes if write["kind"] == "insert")
    assert (run.costs.turns, run.costs.calls) == (len(run.messages) - 1 - run.costs.calls, len(again.trace.calls))


@pytest.mark.parametrize(("agent", "reason"), [("crashes", "RuntimeError: no idea"), ("leaves", "SystemExit: 3")])
def test_a_run_that_crashed_has_no_score(agent: str, reason: str, pack: Path) -> None:
    run = run_episode(setup(pack, agent), Episode("thank_reporter", 0))
    assert (run.status, run.score) == ("invalid", None)
    assert reason in (run.error or "")
    assert run.messages[0]["role"] == "user"


def test_a_grader_that_cannot_measure_gives_no_score(pack: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    subprocess.run(["cp", "-r", str(pack), str(broken)], check=True)
    grader = broken / "tasks" / "thank_reporter" / "grader.py"
    grader.write_text("import nothing_of_this_name\n", encoding="utf-8")
    run = run_episode(setup(broken, "witness"), Episode("thank_reporter", 0))
    assert (run.status, run.score) == ("invalid", None)
    assert "nothing_of_this_name" in (run.error or "")


def test_a_run_without_a_verdict_is_unscored(pack: Path) -> None:
    run = run_episode(setup(pack, "witness"), Episode("expense_receipt", 0))
    assert run.status == "unscored"
    assert run.score is not None
    assert run.score["reward"] is None
    assert run.score["bounds"]["lower"]["reward"] < run.score["bounds"]["upper"]["reward"]
    assert run.attachments == ["receipt.png"]


@pytest.mark.parametrize(
    ("limits", "stopped", "calls"),
    [
        (Limits(turns=3), "turns", 3),
        (Limits(turns=None, calls=4), "calls", 4),
        (Limits(turns=None, calls=None, seconds=0.05), "seconds", None),
    ],
    ids=["turns", "calls", "seconds"],
)
def test_a_limit_ends_a_run_which_is_scored_as_it_is(
    limits: Limits, stopped: str, calls: int | None, pack: Path
) -> None:
    run = run_episode(setup(pack, "forever", limits=limits), Episode("thank_reporter", 0))
    assert (run.status, run.stopped, run.reward) == ("scored", stopped, 0.0)
    assert calls in (None, run.costs.calls)


def test_the_seconds_of_a_task_are_kept(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = Pack.open(pack).task("thank_reporter")
    monkeypatch.setitem(task.__dict__, "limits", {"seconds": 5})
    left = MeteredEnvironment(task, 0, Limits(seconds=600)).seconds_left
    assert left is not None
    assert left <= 5


def test_the_limits_of_a_task_end_a_run(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = Pack.open(pack).task("thank_reporter")
    monkeypatch.setitem(task.__dict__, "limits", {"turns": 2})
    environment = MeteredEnvironment(task, 0, Limits())
    for turn in range(3):
        assert not environment.done
        environment.begin_turn()
        assert environment.stopped == ("turns" if turn == 2 else None)
    assert environment.done


def test_an_answer_that_comes_too_late_is_a_limit_and_no_failure(pack: Path) -> None:
    environment = MeteredEnvironment(Pack.open(pack).task("thank_reporter"), 0, Limits(seconds=0.05))

    class Late:
        def answer(self, *_: object) -> NoReturn:
            while environment.seconds_left:
                time.sleep(0.01)
            raise ModelError("no answer in time")

    with pytest.raises(LimitReached, match="seconds"):
        ModelAgent(Late())(environment)


def test_tokens_that_nobody_counted_are_unknown(pack: Path) -> None:
    environment = MeteredEnvironment(Pack.open(pack).task("thank_reporter"), 0, Limits())
    assert environment.tokens_read is None
    environment.spend(5, 2)
    environment.spend(6, 3)
    assert (environment.tokens_read, environment.tokens_written) == (11, 5)
    environment.spend(7, None)
    assert (environment.tokens_read, environment.tokens_written) == (18, None)


def test_the_noisy_witness_errs_by_its_seed(pack: Path) -> None:
    def runs(agent: str) -> list[RunRecord]:
        return [run_episode(setup(pack, agent), Episode("flaky_helpdesk", seed)) for seed in range(12)]

    first, second = runs("noisy-witness:0.5"), runs("noisy-witness:0.5")
    assert [run.messages for run in first] == [run.messages for run in second]
    assert len({run.reward for run in first}) > 1
    assert all(run.messages[-1]["role"] == "assistant" for run in first)
    assert {run.reward for run in runs("noisy-witness:0")} == {1.0}


@pytest.mark.parametrize(
    "name", ["nobody", "noisy-witness:2", "noisy-witness:often", "no_such_module:agent", "json:__name__", "anthropic:"]
)
def test_an_agent_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(AgentUnavailable):
        open_agent(name, Sampling())


# ---------------------------------------------------------------------------- many episodes


def test_what_is_there_is_not_done_again(pack: Path) -> None:
    plan = Plan(setup(pack, "writes_a_line"), ("thank_reporter", "flaky_helpdesk"), 2)
    assert rolled(plan)[0] == {"before": 0, "scored": 4}
    more = Plan(plan.setup, plan.tasks, 3)
    ended, told = rolled(more)
    assert ended == {"before": 4, "scored": 2}
    assert [(run.task.id, run.seed) for run in told] == [("thank_reporter", 2), ("flaky_helpdesk", 2)]
    assert len(Path("log.txt").read_text(encoding="utf-8").splitlines()) == 6


def test_what_fails_is_tried_anew(pack: Path) -> None:
    ended, told = rolled(Plan(setup(pack, "at_the_second_try"), ("thank_reporter",), 1, retries=2))
    assert ended == {"before": 0, "scored": 1}
    assert [(run.attempt, run.status) for run in told] == [(0, "invalid"), (1, "scored")]
    plan = Plan(setup(pack, "crashes"), ("thank_reporter",), 1, retries=1)
    assert rolled(plan)[0] == {"before": 0, "invalid": 1}
    assert rolled(plan)[0] == {"before": 1}
    assert [run.attempt for run in read_runs(Path("runs.sqlite")).runs] == [0, 1, 0, 1]


def test_a_process_that_dies_takes_no_other_run_with_it(pack: Path) -> None:
    ended, told = rolled(
        Plan(setup(pack, "dies"), ("thank_reporter", "flaky_helpdesk", "locked_out"), 1, retries=0, jobs=2)
    )
    assert ended == {"before": 0, "scored": 2, "invalid": 1}
    (dead,) = (run for run in told if run.status == "invalid")
    assert (dead.task.id, dead.error) == ("thank_reporter", "the process died in which the agent ran")


def test_a_rollout_goes_on_after_a_kill(pack: Path) -> None:
    command = [sys.executable, "-m", "cwkc", "rollout", str(pack), "--agent", "noisy-witness", "-n", "150", "-j", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    store = Path("runs.sqlite")
    first = subprocess.Popen([*command, "-o", str(store)], env=environment, start_new_session=True)
    while first.poll() is None and not (store.with_name("runs.sqlite-wal").exists() and _size(store) > 200_000):
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    kept = len(read_runs(store).runs)
    assert 0 < kept < 600
    ended, told = rolled(
        Plan(Setup(pack, _digest(store), "noisy-witness"), tuple(facts_of(Pack.open(pack))), 150), store
    )
    assert ended["before"] == kept
    runs = read_runs(store).runs
    assert len(runs) == len({(run.task.id, run.seed) for run in runs}) == 600
    assert kept + len(told) == 600


def _size(store: Path) -> int:
    return sum(path.stat().st_size for path in store.parent.glob("runs.sqlite*"))


def _digest(store: Path) -> str:
    return read_runs(store).runs[0].pack


# ---------------------------------------------------------------------------- the split


def test_a_split_goes_by_families(pack: Path) -> None:
    tasks = facts_of(Pack.open(pack)).values()
    for share in (0.0, 0.3, 0.7, 1.0):
        training, held_out = (of_split(tasks, name, share) for name in ("training", "held-out"))
        assert {*training, *held_out} == set(of_split(tasks, "all", share))
        assert not {*training} & {*held_out}
    assert of_split(tasks, "held-out", 0.0) == of_split(tasks, "training", 1.0) == ()
    names = [f"family_{number}" for number in range(2000)]
    assert {name for name in names if is_held_out(name, 0.1)} < {name for name in names if is_held_out(name, 0.3)}
    assert 0.27 < sum(is_held_out(name, 0.3) for name in names) / 2000 < 0.33
    refuse_held_out(of_split(tasks, "training", 0.3), 0.3)
    with pytest.raises(
        HeldOutTask, match=r"the task `\w+` belongs to the family `\w+`, which is held out at a share of 1"
    ):
        refuse_held_out(tasks, 1.0)
