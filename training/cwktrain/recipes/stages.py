"""The stages of a run: what each depends on, and the work itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from attrs import asdict

from cwkc.models import Sampling
from cwktrain.agents import usual_jobs
from cwktrain.curation.dataset import write_dataset
from cwktrain.curation.gates import curate
from cwktrain.curation.options import Options
from cwktrain.distillation.training import train_distillation
from cwktrain.episodes import Setup
from cwktrain.evaluation.reports import Report, last_attempts, report
from cwktrain.limits import Limits
from cwktrain.preferences import keep_preferred
from cwktrain.recipes.kept import Done, Stage, digest_of
from cwktrain.recipes.packs import NothingToDo, Split, Tell
from cwktrain.recipes.recipe import DistillationPart, Episodes, EvaluationPart, RolloutPart
from cwktrain.reinforcement.options import ReinforcementOptions
from cwktrain.reinforcement.training import train_reinforcement
from cwktrain.rollouts import Plan, roll_out
from cwktrain.runs import RunRecord
from cwktrain.store import RunStore, read_runs
from cwktrain.supervised import SupervisedOptions, train_supervised
from cwktrain.tasks import TaskFacts

RUNS, DATA, MODEL = "runs.sqlite", "data", "model"

Models = Mapping[str, Done]
"""What there is of the student so far, by the names that agents have for it, the latest last."""


def latest(models: Models) -> Done:
    return [*models.values()][-1]


# ---------------------------------------------------------------------------- runs


def rollout(number: int, part: RolloutPart, models: Models, split: Split, tell: Tell) -> Stage:
    return _episodes(f"rollout-{number}", part.agent, part, models, split, split.of("training"), tell)


def evaluation(part: EvaluationPart, agent: str, models: Models, split: Split, tell: Tell) -> Stage:
    return _episodes(f"evaluate-{_slug(agent)}", agent, part, models, split, split.of(part.split), tell)


def _slug(agent: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in agent)


def _episodes(
    name: str, agent: str, part: Episodes, models: Models, split: Split, tasks: Sequence[TaskFacts], tell: Tell
) -> Stage:
    model = models.get(agent)
    setup = Setup(
        split.pack.path.resolve(),
        split.pack.digest,
        agent if model is None else f"hf:{model.path.resolve()}",
        Sampling(part.answer_tokens, part.temperature),
        Limits(part.max_turns, part.max_calls, part.max_seconds, part.max_tokens),
        part.judge,
        agent,
    )
    ids = tuple(task.id for task in tasks)
    plan = Plan(setup, ids, part.trials, part.seed, part.retries, part.jobs or usual_jobs(setup.agent))

    def work(folder: Path) -> dict[str, Any]:
        seen = count(1)
        with RunStore(folder / RUNS) as store:
            roll_out(plan, store, lambda run: tell(f"{name}: {next(seen)} of {len(ids) * part.trials} runs"))
        return _told(last_attempts(read_runs(folder / RUNS).runs))

    shared = {name: getattr(part, name) for name in _DECIDING}
    inputs = {"pack": split.pack.digest} | ({} if model is None else {"model": model.digest})
    return Stage(name, {"agent": agent, "tasks": ids, **shared}, inputs, RUNS, work)


_DECIDING = (
    "trials",
    "seed",
    "judge",
    "retries",
    "max_turns",
    "max_calls",
    "max_seconds",
    "max_tokens",
    "answer_tokens",
    "temperature",
)
"""What of episodes decides their results: all but how many run at a time."""


def _told(runs: Sequence[RunRecord]) -> dict[str, Any]:
    """Counts of runs by status, and what they cost in all; tokens are those that were counted."""
    counts = {status: sum(run.status == status for run in runs) for status in ("scored", "unscored", "invalid")}
    rewards = [run.reward for run in runs if run.status == "scored"]
    return {
        **counts,
        "mean_reward": sum(rewards) / len(rewards) if rewards else None,
        "seconds": round(sum(run.costs.seconds for run in runs), 2),
        "turns": sum(run.costs.turns for run in runs),
        "calls": sum(run.costs.calls for run in runs),
        "tokens_read": sum(run.costs.tokens_read or 0 for run in runs),
        "tokens_written": sum(run.costs.tokens_written or 0 for run in runs),
    }


def evaluated(agent: str, done: Done, part: EvaluationPart) -> tuple[Report, tuple[RunRecord, ...]]:
    """What the runs of an evaluation say, and the runs. Raises RunsError."""
    runs = last_attempts(read_runs(done.path).runs)
    return report(agent, runs, part.trials, part.threshold), runs


# ---------------------------------------------------------------------------- training


def curation(options: Options, student: Done | None, stores: Sequence[Done]) -> Stage:
    """`student` is needed where it chooses among the runs."""

    def work(folder: Path) -> dict[str, Any]:
        runs = (run for store in stores for run in read_runs(store.path).runs)
        curated = curate(runs, {}, options)
        if student is not None and options.select is not None:
            curated = keep_preferred(curated, student.path, options.select, options.keep)
        if not curated.kept:
            fell = ", ".join(f"{gate.fell} at `{gate.name}`" for gate in curated.gates if gate.fell)
            raise NothingToDo(f"no run passed the gates: there fell {fell or 'none, since there are no runs'}")
        write_dataset(folder / DATA, curated, options)
        gates = [gate._asdict() for gate in curated.gates]
        return {"gates": gates, "kept": len(curated.kept), "classes": dict(curated.classes)}

    inputs = {store.name: store.digest for store in stores}
    if student is not None and options.select is not None:
        inputs["student"] = student.digest
    return Stage("curate", asdict(options) | {"student": None}, inputs, DATA, work)


def sft(options: SupervisedOptions, student: Done, data: Done) -> Stage:
    def work(folder: Path) -> Mapping[str, Any]:
        return train_supervised(student.path, data.path, folder / MODEL, options)

    return Stage("sft", asdict(options), {"student": student.digest, "data": data.digest}, MODEL, work)


def rl(options: ReinforcementOptions, student: Done, split: Split) -> Stage:
    tasks = split.of("training")

    def work(folder: Path) -> Mapping[str, Any]:
        return train_reinforcement(student.path, split.pack.path, tasks, folder / MODEL, options)

    return Stage("rl", asdict(options), {"student": student.digest, "pack": split.pack.digest}, MODEL, work)


def distillation(part: DistillationPart, student: Done, split: Split) -> Stage:
    tasks, teacher = split.of("training"), part.teacher

    def work(folder: Path) -> Mapping[str, Any]:
        return train_distillation(student.path, teacher, split.pack.path, tasks, folder / MODEL, part.options)

    inputs = {"student": student.digest, "teacher": digest_of(teacher), "pack": split.pack.digest}
    return Stage("distillation", asdict(part.options), inputs, MODEL, work)
