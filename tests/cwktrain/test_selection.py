"""Selection against numbers worked out by hand."""

from itertools import pairwise
from math import inf, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwktrain.selection import length_bins, mean_surprisal, rank_surprisal_ratio, select


def test_formulas_by_hand() -> None:
    likely = [log(0.5), log(0.25), log(0.125)]
    assert isclose(mean_surprisal(likely), 2 * log(2))
    assert isclose(rank_surprisal_ratio([1, 2, 7], likely), 10 / (6 * log(2)))
    assert isclose(rank_surprisal_ratio([1, 2, 5000], likely), 103 / (6 * log(2)))
    assert isclose(rank_surprisal_ratio([1, 2, 5000], likely, clip=10), 13 / (6 * log(2)))
    assert rank_surprisal_ratio([1, 1], [0.0, 0.0]) == inf


def test_what_has_no_value_is_refused() -> None:
    with pytest.raises(ValueError, match="no surprisal"):
        mean_surprisal([])
    for ranks, likely in (([], []), ([1], [-1.0, -1.0])):
        with pytest.raises(ValueError, match="ranks and"):
            rank_surprisal_ratio(ranks, likely)
    with pytest.raises(ValueError, match="cannot keep"):
        select([1.0], [1], 1.5)
    with pytest.raises(ValueError, match="cannot keep"):
        select([1.0], [1, 2], 0.5)
    with pytest.raises(ValueError, match="one bin"):
        length_bins([1], 0)


def test_runs_compete_with_runs_of_their_length() -> None:
    values, lengths = [1.0, 2.0, 9.0, 8.0], [10, 20, 900, 800]
    assert select(values, lengths, 0.5, bins=1) == [0, 1]
    assert select(values, lengths, 0.5, bins=2) == [0, 3]
    assert select([5.0, 5.0, 5.0], [1, 1, 1], 0.5, bins=1) == [0, 1]


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 12))
def test_bins_are_of_one_size(lengths: list[int], bins: int) -> None:
    found = length_bins(lengths, bins)
    assert sorted(place for members in found for place in members) == list(range(len(lengths)))
    sizes = [len(members) for members in found]
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert len(found) == min(bins, len(lengths))
    ordered = [[lengths[place] for place in members] for members in found]
    assert all(max(first) <= min(second) for first, second in pairwise(ordered))


@given(st.lists(st.tuples(st.floats(0, 9), st.integers(0, 50)), max_size=40), st.floats(0, 1), st.integers(1, 12))
def test_whoever_keeps_more_keeps_the_same_and_more(runs: list[tuple[float, int]], keep: float, bins: int) -> None:
    values, lengths = [value for value, _ in runs], [length for _, length in runs]
    chosen = select(values, lengths, keep, bins)
    assert set(chosen) <= set(select(values, lengths, min(1.0, keep * 1.5), bins))
    assert select(values, lengths, 1.0, bins) == list(range(len(runs)))
    assert len(chosen) >= keep * len(runs) - 1e-9
