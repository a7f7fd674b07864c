"""Shares of a number of slots: how many slots each is, and which."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import floor

Shares = Mapping[str, Fraction]


def apportion(shares: Shares, slots: int) -> dict[str, int]:
    """Shares that sum to 1, as whole numbers that sum to `slots`, by the method of largest remainders (Hamilton's).

    Of equal remainders the first named is served first.
    """
    exact = {word: share * slots for word, share in shares.items()}
    counts = {word: floor(value) for word, value in exact.items()}
    left = slots - sum(counts.values())
    for word in sorted(exact, key=lambda word: counts[word] - exact[word])[:left]:
        counts[word] += 1
    return counts


def rounded(share: Fraction, slots: int) -> int:
    """One share of the slots, to the nearest whole number; a half is rounded up."""
    return floor(share * slots + Fraction(1, 2))


@cache
def order(seed: int, *parts: object) -> bytes:
    """A key to sort by: by chance, and yet the same for a seed on every machine."""
    return sha256("\n".join(map(str, (seed, *parts))).encode()).digest()


def shuffled(counts: Mapping[str, int], seed: int, dimension: str) -> list[str]:
    """Each word as often as it is counted, in an order by chance."""
    every = [(word, number) for word, count in counts.items() for number in range(count)]
    return [word for word, number in sorted(every, key=lambda each: order(seed, dimension, *each))]


def is_due(count: int, slots: int, place: int, phase: int) -> bool:
    """Whether the slot at a place is one of `count` that are spread evenly over all; `phase` moves them along."""
    return ((place + 1) * count + phase) // slots > (place * count + phase) // slots
