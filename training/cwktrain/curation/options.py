"""What curation is asked for, with the published numbers as presets."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from cwktrain.split import HELD_OUT

THRESHOLDS: Mapping[str, float] = {
    "mixed": 0.5,
    "multi-service": 0.80,
    "safety": 0.80,
    "extraction": 0.999,
    "coworker": 0.3,
}
"""Least rewards by pool."""


@frozen
class Options:
    """`unsolvable` and `trivial`: a task is one at this mean completion or below, and the other at this or above.

    `threshold`: the least reward; `by_category` has that of the tasks of some categories. Lengths are in characters.
    `prefix_length`: how much of a normalised request tells trivial tasks apart. `student`: the folder of a model that
    keeps the share `keep` of the runs, those with the least `select`; None where all are kept.
    """

    unsolvable: float = 0.0
    trivial: float = 1.0
    threshold: float = THRESHOLDS["mixed"]
    by_category: Mapping[str, float] = field(factory=dict)
    held_out: float = HELD_OUT
    prefix_length: int = 200
    fewest_messages: int = 5
    most_calls: int = 20
    longest_observation: int = 1_000
    longest_run: int = 40_000
    keep_recoveries: bool = False
    student: str | None = None
    select: str | None = None
    keep: float = 0.5

    def threshold_of(self, category: str | None) -> float:
        return self.threshold if category is None else self.by_category.get(category, self.threshold)


def read_threshold(text: str) -> float:
    """A preset's name or a number from 0 to 1. Raises ValueError."""
    if text in THRESHOLDS:
        return THRESHOLDS[text]
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError(f"`{text}` is no threshold: say a number from 0 to 1 or one of {', '.join(THRESHOLDS)}")
    return value
