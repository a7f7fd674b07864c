"""Rolling out over a Ray cluster, which is started here with two processors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cwktrain.cluster import RayExecutor
from cwktrain.rollouts import Plan
from cwktrain.runs import RunRecord, RunsError
from tests.cwktrain.test_rollouts import folder, rolled, setup

__all__ = ["folder"]

TASKS = ("thank_reporter", "flaky_helpdesk")


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray, where it is installed; its processes find what this one does."""
    pytest.importorskip("ray", reason="the extra `scale` is not installed")
    monkeypatch.setenv("HOME", str(tmp_path_factory.getbasetemp()))  # where it keeps its token, one for all tests
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(os.path.abspath, sys.path)))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)


def summaries(runs: list[RunRecord]) -> list[tuple[object, ...]]:
    """What does not depend on where a run took place, in an order of its own."""
    known = [(run.task.id, run.seed, run.attempt, run.status, run.reward, str(run.messages)) for run in runs]
    return sorted(known, key=str)


@pytest.mark.usefixtures("cluster")
def test_a_cluster_makes_the_runs_that_processes_make(pack: Path) -> None:
    plan = [Plan(setup(pack, "noisy-witness:0.5"), TASKS, 3, jobs=2, engine=engine) for engine in ("local", "ray")]
    here, there = (rolled(each, Path(f"{each.engine}.sqlite")) for each in plan)
    assert there[0] == here[0]
    assert summaries(there[1]) == summaries(here[1])
    ended, runs = rolled(plan[1], Path("ray.sqlite"))
    assert (ended["before"], runs) == (6, [])


@pytest.mark.usefixtures("cluster")
def test_a_process_of_the_cluster_that_dies_takes_no_other_run_with_it(pack: Path) -> None:
    ended, runs = rolled(Plan(setup(pack, "dies"), TASKS, 1, retries=0, jobs=2, engine="ray"))
    assert (ended["scored"], ended["invalid"]) == (1, 1)
    (lost,) = [run for run in runs if run.status == "invalid"]
    assert (lost.task.id, lost.error) == ("thank_reporter", "the process died in which the agent ran")


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RunsError, match=r"coworkdsl\[scale\]"):
        RayExecutor(1)
