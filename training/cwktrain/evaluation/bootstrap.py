"""Means over tasks with intervals, by resampling families: tasks of one mould are not independent of one another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy
from attrs import asdict, frozen

RESAMPLES = 2_000
SEED = 0
COVERAGE = 0.95


@frozen
class Estimate:
    """A mean over so many `tasks` and its 95 % interval; `low` and `high` are None where fewer than two families tell
    anything about the spread."""

    value: float
    low: float | None
    high: float | None
    tasks: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate(values: Iterable[tuple[str, float]]) -> Estimate | None:
    """The mean of one value per task, given with its family; None where there are no tasks.

    The interval is the percentile bootstrap's over clusters (Efron and Tibshirani, An Introduction to the Bootstrap,
    1993, ch. 13), seeded: the same values give the same interval.
    """
    families: dict[str, list[float]] = defaultdict(list)
    for family, value in values:
        families[family].append(value)
    if not families:
        return None
    sums = numpy.array([sum(each) for each in families.values()])
    counts = numpy.array([len(each) for each in families.values()])
    mean, tasks = float(sums.sum() / counts.sum()), int(counts.sum())
    if len(families) < 2:
        return Estimate(mean, None, None, tasks)
    random = numpy.random.default_rng(SEED)
    draws = (random.integers(len(sums), size=len(sums)) for _ in range(RESAMPLES))
    means = [sums[drawn].sum() / counts[drawn].sum() for drawn in draws]
    tail = (1 - COVERAGE) / 2
    low, high = numpy.quantile(means, [tail, 1 - tail])
    return Estimate(mean, float(low), float(high), tasks)
