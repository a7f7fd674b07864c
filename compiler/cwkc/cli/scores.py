"""A score for people: each rule with what became of it and the values that decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from coworkdsl import Judgement, Outcome, Score
from coworkdsl.values import in_words


def number(value: Fraction) -> str:
    """At most four digits behind the point, and none that say nothing."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def lines(score: Score) -> Iterator[str]:
    """The score's lines: checks and judges with what they earned, requirements and forbids with what they left, the
    sums, as bounds where a judge is unscored."""
    outcomes = (*score.checks, *score.requirements, *score.forbids)
    labels = (*(outcome.label for outcome in outcomes), *(judgement.rubric.label for judgement in score.judges))
    width = max(map(len, labels), default=0)
    yield from _section("checks", (_outcome(outcome, "earned", width) for outcome in score.checks))
    yield from _section("judges", (_judgement(judgement, width) for judgement in score.judges))
    yield from _section("requirements", (_outcome(outcome, "left at most", width) for outcome in score.requirements))
    yield from _section("forbids", (_outcome(outcome, "left safety", width) for outcome in score.forbids))
    upper = score.upper._asdict()
    sums = ", ".join(f"{name} {between(least, upper[name])}" for name, least in score.lower._asdict().items())
    unscored = len(score.unscored)
    yield sums + (f" ({unscored} {'judge' if unscored == 1 else 'judges'} unscored)" if unscored else "")


def between(least: Fraction, most: Fraction) -> str:
    return number(least) if least == most else f"{number(least)} to {number(most)}"


def _section(title: str, parts: Iterable[Iterator[str]]) -> Iterator[str]:
    inner = [line for part in parts for line in part]
    if inner:
        yield f"{title}:"
    yield from inner


def _judgement(judgement: Judgement, width: int) -> Iterator[str]:
    sign = "judged" if judgement.score is not None else "open  "
    rubric, earned = judgement.rubric, between(judgement.least, judgement.most)
    yield f"  {sign}  {rubric.label:<{width}}  earned {earned} of {number(rubric.weight)}, {rubric.place}"
    yield f"            {' '.join(judgement.reason.split())}"


def _outcome(outcome: Outcome, verb: str, width: int) -> Iterator[str]:
    sign = "held  " if outcome.held else "failed"
    yield f"  {sign}  {outcome.label:<{width}}  {verb} {number(outcome.earned)}, {outcome.place}"
    for label, value in outcome.evidence:
        yield f"            {label} = {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return "null" if value is None else in_words(value)
