"""What a task is graded by: its rules, in the words of their author where the grader quotes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from coworkdsl import Task
from coworkdsl.score import Check, Forbid, Requirement, default_reward
from coworkdsl.values import decimal_text

_QUOTED = re.compile(r"((?:^#[^\n]*\n)+)def (\w+)\(", re.MULTILINE)
"""The comment right above a function, and the function's name."""

_PLACE = re.compile(r"\S+?:\d+: ")


@frozen
class Share:
    """A check or a judge: `weight` of completion, which begins at `start` when they are laid end to end."""

    label: str
    weight: Fraction
    start: Fraction
    condition: str
    place: str
    is_judge: bool


@frozen
class Limit:
    """A requirement or a forbid. `effect`: what it does to the score when it fails, in words."""

    label: str
    effect: str
    condition: str
    place: str


@frozen
class Grading:
    shares: tuple[Share, ...]
    requirements: tuple[Limit, ...]
    forbids: tuple[Limit, ...]
    has_own_reward: bool


def grading(task: Task) -> Grading:
    """Raises PackError."""
    grader, quoted = task.grader, quotations(task.text("grader.py"))
    return Grading(
        tuple(_shares(task, quoted)),
        tuple(Limit(rule.label, _lost(rule), _condition(rule, quoted), rule.place) for rule in grader.requirements),
        tuple(Limit(rule.label, _unsafe(rule), _condition(rule, quoted), rule.place) for rule in grader.forbids),
        grader.reward is not default_reward,
    )


def quotations(module: str) -> Mapping[str, str]:
    """By name of a function of an emitted module, the author's words that stand above it."""
    return {name: _author(comment) for comment, name in _QUOTED.findall(module)}


def _author(comment: str) -> str:
    words = " ".join(line.lstrip("#").strip() for line in comment.splitlines())
    return _PLACE.sub("", words, count=1)


def _shares(task: Task, quoted: Mapping[str, str]) -> Iterator[Share]:
    start = Fraction(0)
    for check in task.grader.checks:
        yield Share(check.label, check.weight, start, _condition(check, quoted), check.place, False)
        start += check.weight
    for rubric in task.grader.rubrics:
        yield Share(rubric.label, rubric.weight, start, rubric.text.strip(), rubric.place, True)
        start += rubric.weight


def _condition(rule: Check | Requirement | Forbid, quoted: Mapping[str, str]) -> str:
    """What follows the label in the author's words; nothing where the label says it all."""
    words = quoted.get(rule.test.__name__, "")
    _, label, condition = words.partition(f'"{rule.label}"')
    if label:
        return condition.strip()
    return "" if words == rule.label else words


def _lost(rule: Requirement) -> str:
    amount = decimal_text(rule.amount)
    return f"completion at most {amount}" if rule.mode == "cap" else f"completion × {amount}"


def _unsafe(rule: Forbid) -> str:
    return f"safety at most {decimal_text(rule.safety)}"
