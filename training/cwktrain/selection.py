"""Which runs a student learns most from, by how it sees their tokens before training.

The functions take what the student's model says of the assistant tokens of a run: the rank of each among all tokens
that could stand there, from 1 for the likeliest, and its log-probability, in nats.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, fsum, inf

RANK_CLIP = 100
"""Ranks beyond it count as it: how unlikely an unlikely token is says little."""

BINS = 10


def mean_surprisal(log_probabilities: Sequence[float]) -> float:
    """The mean negative log-likelihood of the tokens, in nats. Raises ValueError where there are none."""
    if not log_probabilities:
        raise ValueError("a run without assistant tokens has no surprisal")
    return -fsum(log_probabilities) / len(log_probabilities)


def rank_surprisal_ratio(ranks: Sequence[int], log_probabilities: Sequence[float], clip: int = RANK_CLIP) -> float:
    """RSR: the sum of min(rank, clip) over the sum of -log p; the lower, the more a run suits the student.

    From arXiv 2601.14249. Infinite where the student is sure of every token: such a run teaches nothing. Raises
    ValueError where there are no tokens, or not as many ranks as log-probabilities.
    """
    if not ranks or len(ranks) != len(log_probabilities):
        raise ValueError(f"there are {len(ranks)} ranks and {len(log_probabilities)} log-probabilities")
    surprisal = -fsum(log_probabilities)
    return sum(min(rank, clip) for rank in ranks) / surprisal if surprisal > 0 else inf


def length_bins(lengths: Sequence[int], bins: int = BINS) -> list[list[int]]:
    """The places of the runs in bins of equal frequency, the shortest first: sizes differ by one at most.

    There are fewer bins where there are fewer runs. Raises ValueError for fewer bins than one.
    """
    if bins < 1:
        raise ValueError(f"there is at least one bin; got {bins}")
    order = sorted(range(len(lengths)), key=lambda place: lengths[place])
    count = min(bins, len(order))
    edges = [len(order) * number // count for number in range(count + 1)] if count else [0]
    return [order[start:end] for start, end in pairwise(edges)]


def select(values: Sequence[float], lengths: Sequence[int], keep: float, bins: int = BINS) -> list[int]:
    """The places of the runs that are kept, in order: in each bin of lengths the share `keep` with the least values,
    rounded up; of equal values the first.

    Raises ValueError when `keep` is not from 0 to 1, or there is not one length for each value.
    """
    if not 0 <= keep <= 1 or len(values) != len(lengths):
        raise ValueError(f"cannot keep {keep} of {len(values)} values with {len(lengths)} lengths")
    chosen = []
    for members in length_bins(lengths, bins):
        ranked = sorted(members, key=lambda place: (values[place], place))
        chosen += ranked[: ceil(keep * len(members))]
    return sorted(chosen)
