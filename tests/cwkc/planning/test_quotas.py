"""Shares of a number of slots."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cwkc.planning.quotas import apportion, is_due, shuffled


def test_the_largest_remainders_are_served_first() -> None:
    shares = {"a": Fraction(47, 100), "b": Fraction(16, 100), "c": Fraction(158, 1000), "d": Fraction(212, 1000)}
    assert apportion(shares, 10) == {"a": 5, "b": 2, "c": 1, "d": 2}


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any), st.integers(1, 500))
def test_quotas_sum_to_the_slots_and_are_off_by_less_than_one(weights: list[int], slots: int) -> None:
    shares = {str(place): Fraction(weight, sum(weights)) for place, weight in enumerate(weights)}
    counts = apportion(shares, slots)
    assert sum(counts.values()) == slots
    assert all(abs(counts[word] - share * slots) < 1 for word, share in shares.items())


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 60))
def test_what_is_due_is_due_as_often_as_it_counts(slots: int, count: int, phase: int) -> None:
    count, phase = min(count, slots), phase % slots
    assert sum(is_due(count, slots, place, phase) for place in range(slots)) == count


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9)), st.integers())
def test_a_shuffled_quota_is_all_of_it(counts: dict[str, int], seed: int) -> None:
    assert Counter(shuffled(counts, seed, "category")) == Counter(counts)
