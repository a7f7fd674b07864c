"""A score for people: each rule with what became of it and the values that decided."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from coworkdsl import Outcome, Score
from coworkdsl.values import in_words


def number(value: Fraction) -> str:
    """At most four digits behind the point, and none that say nothing."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def lines(score: Score) -> Iterator[str]:
    """The score's lines: checks with what they earned, requirements and forbids with what they left, the sums."""
    sections = (
        ("checks", score.checks, "earned"),
        ("requirements", score.requirements, "left at most"),
        ("forbids", score.forbids, "left safety"),
    )
    width = max((len(outcome.label) for _, outcomes, _ in sections for outcome in outcomes), default=0)
    for title, outcomes, verb in sections:
        if outcomes:
            yield f"{title}:"
        for outcome in outcomes:
            yield from _outcome(outcome, verb, width)
    yield ", ".join(f"{name} {number(value)}" for name, value in score.exact._asdict().items())


def _outcome(outcome: Outcome, verb: str, width: int) -> Iterator[str]:
    sign = "held  " if outcome.held else "failed"
    yield f"  {sign}  {outcome.label:<{width}}  {verb} {number(outcome.earned)}, {outcome.place}"
    for label, value in outcome.evidence:
        yield f"            {label} = {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return "null" if value is None else in_words(value)
