"""What runs say about an agent, and about two agents on the same tasks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean
from typing import Any, NamedTuple

from attrs import frozen

from cwktrain.evaluation.bootstrap import Estimate, estimate
from cwktrain.evaluation.estimators import pass_all, pass_at
from cwktrain.runs import RunRecord
from cwktrain.tasks import TaskFacts

PASS = 0.75
"""The reward from which on a run passes."""

FORMAT = 1


@frozen
class Attempts:
    """The scored runs of one task: reward by seed."""

    task: TaskFacts
    rewards: Mapping[int, float]

    def passed(self, threshold: float) -> int:
        return sum(reward >= threshold for reward in self.rewards.values())


class Quantities(NamedTuple):
    """Each is None where no task has enough scored runs for it."""

    score: Estimate | None
    pass_at: Estimate | None
    pass_all: Estimate | None

    def to_json(self) -> dict[str, Any]:
        return {name: value and value.to_json() for name, value in self._asdict().items()}


@frozen
class Report:
    """`statuses` counts runs by status: only scored ones are in the means. `curve`: quantities for each number of
    attempts from 1 to k. `groups`: for k alone, by `category`, `capability` and `service` and their names."""

    agent: str
    tasks: int
    statuses: Mapping[str, int]
    threshold: float
    curve: Mapping[int, Quantities]
    groups: Mapping[str, Mapping[str, Quantities]]

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "tasks": self.tasks,
            "runs": dict(self.statuses),
            "threshold": self.threshold,
            "attempts": {str(k): quantities.to_json() for k, quantities in self.curve.items()},
            "groups": {
                dimension: {name: quantities.to_json() for name, quantities in names.items()}
                for dimension, names in self.groups.items()
            },
        }


DIMENSIONS: Mapping[str, Callable[[TaskFacts], Sequence[str]]] = {
    "category": lambda task: (task.category,) if task.category else (),
    "capability": lambda task: task.capabilities,
    "service": lambda task: task.services,
}


def last_attempts(runs: Iterable[RunRecord]) -> tuple[RunRecord, ...]:
    """Of each agent's trial of a task the last attempt: those before it were invalid."""
    last = {(run.agent, run.task.id, run.seed): run for run in runs}
    return tuple(last.values())


def attempts_of(runs: Iterable[RunRecord]) -> dict[str, Attempts]:
    """By task; tasks without a scored run are among them."""
    rewards: dict[str, dict[int, float]] = defaultdict(dict)
    tasks = {}
    for run in runs:
        tasks[run.task.id] = run.task
        if run.status == "scored":
            rewards[run.task.id][run.seed] = run.reward
    return {id: Attempts(task, rewards[id]) for id, task in tasks.items()}


def report(agent: str, runs: Sequence[RunRecord], k: int, threshold: float = PASS) -> Report:
    """`runs` are the agent's: of each trial of a task the last attempt."""
    attempts = tuple(attempts_of(runs).values())
    statuses = {"scored": 0, "unscored": 0, "invalid": 0} | Counter(run.status for run in runs)
    curve = {j: _quantities(attempts, j, threshold) for j in range(1, k + 1)}
    groups = {dimension: _grouped(attempts, names, k, threshold) for dimension, names in DIMENSIONS.items()}
    return Report(agent, len(attempts), statuses, threshold, curve, groups)


def _grouped(
    attempts: Iterable[Attempts], names: Callable[[TaskFacts], Sequence[str]], k: int, threshold: float
) -> dict[str, Quantities]:
    members: dict[str, list[Attempts]] = defaultdict(list)
    for each in attempts:
        for name in names(each.task):
            members[name].append(each)
    return {name: _quantities(members[name], k, threshold) for name in sorted(members)}


def _quantities(attempts: Iterable[Attempts], k: int, threshold: float) -> Quantities:
    scored = [each for each in attempts if each.rewards]
    enough = [each for each in scored if len(each.rewards) >= k]
    return Quantities(
        estimate((each.task.family, fmean(each.rewards.values())) for each in scored),
        *(estimate((each.task.family, _chance(chance, each, k, threshold)) for each in enough) for chance in _CHANCES),
    )


_CHANCES = (pass_at, pass_all)


def _chance(chance: Callable[[int, int, int], Fraction], each: Attempts, k: int, threshold: float) -> float:
    return float(chance(k, len(each.rewards), each.passed(threshold)))


# ---------------------------------------------------------------------------- two agents


@frozen
class Comparison:
    """Differences of `other` less `agent` over pairs of runs of one task with one seed, averaged by task.

    `better`, `equal` and `worse` count pairs by which of the two rewards is greater. `unpaired`: trials of which one
    run or both have no score, which are in no mean.
    """

    agent: str
    other: str
    score: Estimate | None
    passes: Estimate | None
    better: int
    equal: int
    worse: int
    unpaired: int

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "other": self.other,
            "score": self.score and self.score.to_json(),
            "passes": self.passes and self.passes.to_json(),
            "better": self.better,
            "equal": self.equal,
            "worse": self.worse,
            "unpaired": self.unpaired,
        }


def compare(
    agent: str, other: str, runs: Sequence[RunRecord], others: Sequence[RunRecord], threshold: float = PASS
) -> Comparison:
    ours, theirs = attempts_of(runs), attempts_of(others)
    pairs = {id: _pairs(each, theirs[id]) for id, each in ours.items() if id in theirs}
    paired = {id: found for id, found in pairs.items() if found}
    trials = {(run.task.id, run.seed) for run in (*runs, *others)}
    signs = Counter((b > a) - (b < a) for found in paired.values() for a, b in found)
    return Comparison(
        agent,
        other,
        estimate((ours[id].task.family, fmean(b - a for a, b in found)) for id, found in paired.items()),
        estimate((ours[id].task.family, _more_passes(found, threshold)) for id, found in paired.items()),
        signs[1],
        signs[0],
        signs[-1],
        len(trials) - sum(map(len, paired.values())),
    )


def _pairs(ours: Attempts, theirs: Attempts) -> list[tuple[float, float]]:
    seeds = sorted(ours.rewards.keys() & theirs.rewards.keys())
    return [(ours.rewards[seed], theirs.rewards[seed]) for seed in seeds]


def _more_passes(pairs: Iterable[tuple[float, float]], threshold: float) -> float:
    return fmean((b >= threshold) - (a >= threshold) for a, b in pairs)
