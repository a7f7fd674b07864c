"""Advantages, against numbers that were worked out by hand."""

from __future__ import annotations

import pytest

from cwktrain.reinforcement.advantages import (
    centred,
    decoupled,
    group_in_group,
    standardised,
    step_advantages,
    varies,
    weighted_geometric_mean,
)

THIRD = 1 / 3


def near(*values: float) -> object:
    return pytest.approx(values, abs=5e-5)


def test_grpo_divides_by_the_deviation_of_the_group() -> None:
    # Mean 0.5; squares 0.25, 0, 0.0625, 0.0625, 0.25; deviation sqrt(0.125) = 0.353553.
    assert standardised([1.0, 0.5, 0.75, 0.25, 0.0]) == near(1.4142, 0.0, 0.7071, -0.7071, -1.4142)


def test_grpo_floors_the_deviation() -> None:
    # One of eight is 0.01 better: mean 0.00125, deviation 0.0033, floored at 0.05.
    assert standardised([0.01, *[0.0] * 7]) == near(0.175, *[-0.025] * 7)
    assert standardised([0.01, *[0.0] * 7], floor=0.001)[0] == pytest.approx(2.6458, abs=5e-5)


def test_dr_grpo_does_not_divide() -> None:
    assert centred([1.0, 0.75, 0.25, 0.0]) == near(0.5, 0.25, -0.25, -0.5)


def test_what_has_no_score_is_in_no_mean() -> None:
    assert centred([1.0, None, 0.5]) == near(0.25, 0.0, -0.25)
    assert standardised([1.0, None, 0.5]) == near(1.0, 0.0, -1.0)
    assert standardised([None, None]) == [0.0, 0.0]


def test_equal_rewards_are_told_by_their_range() -> None:
    assert not varies([THIRD] * 8)
    assert not varies([THIRD, None, THIRD])
    assert not varies([None, None])
    assert varies([THIRD, None, 0.25])
    assert centred([THIRD] * 8) == [0.0] * 8
    assert standardised([0.1] * 7) == [0.0] * 7


def test_gdpo_normalises_each_dimension_and_then_the_batch() -> None:
    # Group 1: completion (1, 0) gives (1, -1); safety (0.5, 1) gives (-1, 1); robustness is equal.
    # With weights 2, 1, 1 the sums are 1 and -1. Group 2: completion (0.52, 0.5): deviation 0.01, floored: (0.2, -0.2);
    # sums 0.4 and -0.4. Over the batch: mean 0, deviation sqrt((1 + 1 + 0.16 + 0.16) / 4) = 0.76158.
    groups = [[(1.0, 0.5, 1.0), (0.0, 1.0, 1.0)], [(0.52, 1.0, 1.0), (0.5, 1.0, 1.0)]]
    first, second = decoupled(groups, (2.0, 1.0, 1.0))
    assert first == near(1.3131, -1.3131)
    assert second == near(0.5252, -0.5252)


def test_gdpo_tells_apart_what_one_reward_would_not() -> None:
    groups = [[(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), None]]
    ((first, second, both, unscored),) = decoupled(groups, (1.0, 0.5))
    assert first != second
    assert both > first > second
    assert unscored == 0.0


def test_gigpo_compares_turns_at_equal_states() -> None:
    # Returns with discount 0.5: run 0 (reward 1, three turns) 0.25, 0.5, 1; run 1 (reward 0) 0, 0; run 2 (reward 1, two
    # turns) 0.5, 1. At `start`: 0.25, 0, 0.5, mean 0.25, deviation 0.204124. At `read`: 0.5, 1, mean 0.75, deviation
    # 0.25. `lost` and `done` stand alone.
    states = [["start", "read", "done"], ["start", "lost"], ["start", "read"]]
    steps = step_advantages(states, [1.0, 0.0, 1.0], discount=0.5)
    assert steps[0] == near(0.0, -1.0, 0.0)
    assert steps[1] == near(-1.2247, 0.0)
    assert steps[2] == near(1.2247, 1.0)
    assert group_in_group(0.7071, steps[2]) == near(1.9318, 1.7071)
    assert group_in_group(0.7071, steps[2], weight=0.5) == near(1.3195, 1.2071)


def test_gigpo_leaves_out_runs_without_a_score() -> None:
    steps = step_advantages([["start"], ["start"], ["start"]], [1.0, None, 0.0])
    assert [values[0] for values in steps] == near(1.0, 0.0, -1.0)


def test_a_weighted_geometric_mean_is_0_where_a_part_is() -> None:
    assert weighted_geometric_mean([0.5, 1.0, 0.8], [2.0, 1.0, 1.0]) == pytest.approx(0.668740, abs=5e-7)
    assert weighted_geometric_mean([0.5, 0.0, 0.8], [2.0, 1.0, 1.0]) == 0.0
    assert weighted_geometric_mean([0.5, 0.0, 0.5], [2.0, 0.0, 1.0]) == pytest.approx(0.5)
