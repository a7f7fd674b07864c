"""Estimates against numbers worked out by hand, and what is left out of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwktrain.evaluation.bootstrap import Estimate, estimate
from cwktrain.evaluation.estimators import pass_all, pass_at
from cwktrain.evaluation.plots import plot
from cwktrain.evaluation.reports import compare, last_attempts, report
from cwktrain.evaluation.tables import comparison_lines, report_lines, shown

from .records import facts, run, runs_of

# ---------------------------------------------------------------------------- estimators


@pytest.mark.parametrize(
    ("k", "attempts", "passed", "at", "all_of"),
    [
        (1, 3, 2, Fraction(2, 3), Fraction(2, 3)),
        (2, 3, 2, Fraction(1), Fraction(1, 3)),
        (3, 3, 2, Fraction(1), Fraction(0)),
        (2, 4, 1, Fraction(1, 2), Fraction(0)),
        (2, 5, 3, Fraction(9, 10), Fraction(3, 10)),
        (3, 3, 3, Fraction(1), Fraction(1)),
        (3, 5, 0, Fraction(0), Fraction(0)),
    ],
)
def test_pass_at_and_pass_all_by_hand(k: int, attempts: int, passed: int, at: Fraction, all_of: Fraction) -> None:
    assert pass_at(k, attempts, passed) == at
    assert pass_all(k, attempts, passed) == all_of


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_they_are_the_shares_of_all_choices_of_k(outcomes: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(outcomes)))
    choices = list(combinations(outcomes, k))
    attempts, passed = len(outcomes), sum(outcomes)
    assert pass_at(k, attempts, passed) == Fraction(sum(map(any, choices)), len(choices))
    assert pass_all(k, attempts, passed) == Fraction(sum(map(all, choices)), len(choices))


@given(st.integers(1, 30), st.data())
def test_they_move_apart_as_k_grows(attempts: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, attempts))
    at = [pass_at(k, attempts, passed) for k in range(1, attempts + 1)]
    all_of = [pass_all(k, attempts, passed) for k in range(1, attempts + 1)]
    assert at == sorted(at)
    assert all_of == sorted(all_of, reverse=True)
    assert at[0] == all_of[0] == Fraction(passed, attempts)


@pytest.mark.parametrize(("k", "attempts", "passed"), [(0, 3, 1), (4, 3, 1), (1, 3, 4), (1, 3, -1), (1, 0, 0)])
def test_there_is_no_estimate_from_too_few(k: int, attempts: int, passed: int) -> None:
    for estimator in (pass_at, pass_all):
        with pytest.raises(ValueError, match="no estimate"):
            estimator(k, attempts, passed)


# ---------------------------------------------------------------------------- intervals


def test_intervals_are_those_of_a_binomial_where_values_are_yes_or_no() -> None:
    values = [(f"task_{number}", float(number < 60)) for number in range(100)]
    found = estimate(values)
    assert found is not None
    assert (found.value, found.tasks) == (0.6, 100)
    # The normal approximation: 0.6 ± 1.96 * sqrt(0.6 * 0.4 / 100).
    assert isclose(found.low or 0, 0.504, abs_tol=0.02)
    assert isclose(found.high or 0, 0.696, abs_tol=0.02)
    assert estimate(values) == found


def test_members_of_a_family_are_no_further_evidence() -> None:
    alone = estimate([(f"task_{number}", float(number < 6)) for number in range(10)])
    members = estimate([(f"family_{number % 10}", float(number % 10 < 6)) for number in range(200)])
    assert alone is not None
    assert members is not None
    assert (members.low, members.high, members.tasks) == (alone.low, alone.high, 200)
    assert estimate([("one", 0.0), ("one", 1.0)]) == Estimate(0.5, None, None, 2)
    assert estimate([]) is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_an_interval_lies_within_the_values(values: list[float]) -> None:
    found = estimate((str(place), value) for place, value in enumerate(values))
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    slack = 1e-9
    assert min(values) - slack <= found.low <= found.high <= max(values) + slack


# ---------------------------------------------------------------------------- reports


def test_what_has_no_score_is_counted_and_in_no_mean() -> None:
    unscored = run("a", 0.0, 3, status="unscored", score={"reward": None})
    runs = [*runs_of("a", [1.0, None, 0.5]), unscored, *runs_of("b", [0.75, 0.75, 0.0]), *runs_of("c", [None, None])]
    found = report("somebody", runs, 2)
    assert found.statuses == {"scored": 5, "unscored": 1, "invalid": 3}
    assert found.tasks == 3
    score, at, all_of = found.curve[2]
    assert score is not None
    assert at is not None
    assert all_of is not None
    # a: (1 + 0.5) / 2, one of two passes; b: 0.5, two of three pass; c has no scored run.
    assert (score.value, score.tasks) == ((0.75 + 0.5) / 2, 2)
    assert (at.value, at.tasks) == (1.0, 2)
    assert isclose(all_of.value, (0 + 1 / 3) / 2)
    assert report("somebody", runs, 3).curve[3].pass_at == Estimate(1.0, None, None, 1)
    assert report("somebody", runs, 9).curve[9].pass_all is None


def test_groups_hold_the_tasks_that_are_theirs() -> None:
    first = facts("a", category="safety", capabilities=("lookup", "arithmetic"), services=("desk", "mail"))
    second = facts("b", category=None, capabilities=("lookup",), services=("mail",))
    found = report("somebody", [run(first, 1.0), run(second, 0.0)], 1)
    values = {
        dimension: {name: each.score and (each.score.value, each.score.tasks) for name, each in groups.items()}
        for dimension, groups in found.groups.items()
    }
    assert values == {
        "category": {"safety": (1.0, 1)},
        "capability": {"arithmetic": (1.0, 1), "lookup": (0.5, 2)},
        "service": {"desk": (1.0, 1), "mail": (0.5, 2)},
    }


def test_the_last_attempt_counts() -> None:
    tried = [run("a", None), run("a", 0.9, attempt=1), run("a", None, 1)]
    assert [each.status for each in last_attempts(tried)] == ["scored", "invalid"]


def test_agents_are_compared_pair_by_pair() -> None:
    ours = [*runs_of("a", [0.5, 0.5, None]), *runs_of("b", [1.0, 0.0]), *runs_of("c", [1.0])]
    theirs = [*runs_of("a", [1.0, 0.5, 1.0]), *runs_of("b", [0.0, 0.5]), *runs_of("c", [None])]
    found = compare("ours", "theirs", ours, theirs)
    assert (found.better, found.equal, found.worse, found.unpaired) == (2, 1, 1, 2)
    assert found.score is not None
    assert found.passes is not None
    # a: (0.5 + 0) / 2; b: (-1 + 0.5) / 2. Passes at 0.75: a (1 + 0) / 2, b (-1 + 0) / 2.
    assert (found.score.value, found.score.tasks) == (0.0, 2)
    assert found.passes.value == 0.0
    back = compare("theirs", "ours", theirs, ours)
    assert (back.better, back.worse, back.unpaired) == (1, 2, 2)


def test_two_that_share_nothing_are_not_compared() -> None:
    found = compare("ours", "theirs", runs_of("a", [1.0]), runs_of("b", [1.0]))
    assert (found.score, found.unpaired) == (None, 2)
    assert "score -" in "\n".join(comparison_lines(found))


# ---------------------------------------------------------------------------- for people


def test_tables_show_what_the_report_says() -> None:
    found = report("somebody", [*runs_of("a", [1.0, None]), *runs_of("b", [0.5, 0.5])], 2)
    lines = list(report_lines(found))
    assert lines[0] == "somebody: 2 tasks, 4 runs: 3 scored, 0 unscored, 1 invalid"
    assert lines[1].split() == ["tasks", "score", "pass@2", "pass^2"]
    assert lines[2].split() == ["all", "2", "0.75", "[0.50,", "1.00]", "0.00", "0.00"]
    assert shown(None) == "-"
    assert shown(Estimate(0.1, -0.05, 0.25, 9), "+") == "+0.10 [-0.05, +0.25]"


def test_curves_are_drawn(tmp_path: Path) -> None:
    first = report("one", [*runs_of("a", [1.0, 0.0]), *runs_of("b", [1.0, 1.0])], 2)
    plot([first, report("two", runs_of("a", [None]), 2)], tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
