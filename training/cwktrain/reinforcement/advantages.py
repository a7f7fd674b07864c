"""Advantages: how much better a run, or a turn of one, was than what it is compared with.

A group are runs of the same task with the same seed. A value is None where a run has no score: it is in no mean and no
deviation, and its advantage is 0. Standard deviations are those of the group itself, divided by its size, and are
floored: a group whose rewards hardly differ teaches little, and not a lot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import exp, fsum, log, sqrt

Value = float | None

STD_FLOOR = 0.05
STEP_WEIGHT = 1.0
DISCOUNT = 0.95


def weighted_geometric_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """exp(sum of w ln x / sum of w): 0 where a value with a weight is 0. Weights are at least 0, and one is greater."""
    weighted = [(value, weight) for value, weight in zip(values, weights, strict=True) if weight > 0]
    if any(value <= 0 for value, _ in weighted):
        return 0.0
    return exp(fsum(weight * log(value) for value, weight in weighted) / fsum(weight for _, weight in weighted))


def varies(values: Iterable[Value]) -> bool:
    """Whether values of a group differ. Their range is exact where a deviation is not: of eight thirds it is 3e-8."""
    known = [value for value in values if value is not None]
    return bool(known) and min(known) != max(known)


def centred(values: Sequence[Value]) -> list[float]:
    """Dr. GRPO, arXiv 2503.20783: A = r - mean(r), without division by the deviation."""
    if not varies(values):
        return [0.0] * len(values)
    mean = _mean([value for value in values if value is not None])
    return [0.0 if value is None else value - mean for value in values]


def standardised(values: Sequence[Value], floor: float = STD_FLOOR) -> list[float]:
    """GRPO, arXiv 2402.03300: A = (r - mean(r)) / max(std(r), floor)."""
    away = centred(values)
    squares = [value * value for value, known in zip(away, values, strict=True) if known is not None]
    scale = max(sqrt(_mean(squares)), floor)
    return [value / scale for value in away]


def decoupled(
    groups: Sequence[Sequence[Sequence[float] | None]], weights: Sequence[float], floor: float = STD_FLOOR
) -> list[list[float]]:
    """GDPO, arXiv 2601.05242: each dimension k is normalised within its group, the weighted sum within the batch.

    A_k = (r_k - mean(r_k)) / max(std(r_k), floor) over the group; S = sum of w_k A_k; A = (S - mean(S)) / max(std(S),
    floor) over all runs of the batch. `groups`: for each run its values by dimension.
    """
    sums: list[list[Value]] = []
    for group in groups:
        dimensions = [
            standardised([None if run is None else run[place] for run in group], floor) for place in range(len(weights))
        ]
        combined = [fsum(map(_product, weights, of_run)) for of_run in zip(*dimensions, strict=True)]
        sums.append([None if run is None else value for run, value in zip(group, combined, strict=True)])
    flat = iter(standardised([value for group in sums for value in group], floor))
    return [[next(flat) for _ in group] for group in sums]


def step_advantages(
    states: Sequence[Sequence[Hashable]],
    rewards: Sequence[Value],
    floor: float = STD_FLOOR,
    discount: float = DISCOUNT,
) -> list[list[float]]:
    """The step advantages of GiGPO, arXiv 2505.10978, for each turn of each run of a group.

    `states`: what each run stood at before each of its turns. A run of T turns that earned r returns
    R_t = discount^(T - t) r at its turn t, counted from 1. Turns of all runs at an equal state are a group of their
    own, in which A_t = (R_t - mean(R)) / max(std(R), floor).
    """
    places: Mapping[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for run, of_run in enumerate(states):
        for turn, state in enumerate(of_run):
            places[state].append((run, turn))
    advantages = [[0.0] * len(of_run) for of_run in states]
    for members in places.values():
        returns = [_return(rewards[run], len(states[run]) - 1 - turn, discount) for run, turn in members]
        for (run, turn), advantage in zip(members, standardised(returns, floor), strict=True):
            advantages[run][turn] = advantage
    return advantages


def group_in_group(episode: float, steps: Sequence[float], weight: float = STEP_WEIGHT) -> list[float]:
    """GiGPO, arXiv 2505.10978: A = A_episode + weight A_step, for each turn of a run."""
    return [episode + weight * step for step in steps]


def _return(reward: Value, turns_left: int, discount: float) -> Value:
    return None if reward is None else float(reward * discount**turns_left)


def _product(weight: float, value: float) -> float:
    return weight * value


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0
