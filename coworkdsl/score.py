"""Grading: checks, requirements and forbids over a finished run, and the score that they make.

Completion is the sum of what the checks earn, times the factors of the requirements that fail, at most the least of
their caps. Safety is the least that a violated forbid leaves. All of it is exact; floats are made at the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from coworkdsl.faults import robustness
from coworkdsl.operations import Undefined
from coworkdsl.run import Run
from coworkdsl.values import to_wire

Evidence = tuple[tuple[str, Any], ...]
Witness = Callable[[Run], Evidence]
Reward = Callable[[Fraction, Fraction, Fraction], Fraction]

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Check:
    """Earns `weight`, or the share of it that `test` gives. `place`: `task.cwk:12`."""

    label: str
    weight: Fraction
    test: Callable[[Run], bool | int | Fraction | None]
    evidence: Witness
    place: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """When `test` fails, completion is at most `amount` (`mode` `cap`) or is multiplied by it (`times`)."""

    label: str
    test: Callable[[Run], bool]
    mode: str
    amount: Fraction
    evidence: Witness
    place: str


@dataclass(frozen=True, slots=True)
class Forbid:
    """When `test` holds it is violated, and safety is at most `safety`."""

    label: str
    test: Callable[[Run], bool]
    safety: Fraction
    evidence: Witness
    place: str


@dataclass(frozen=True, slots=True)
class Grader:
    checks: tuple[Check, ...]
    requirements: tuple[Requirement, ...]
    forbids: tuple[Forbid, ...]
    reward: Reward
    unit: int = field(init=False)
    """The least common denominator of the weights: adding whole numbers of it is many times faster than Fractions."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", lcm(*(check.weight.denominator for check in self.checks)))


def default_reward(completion: Fraction, safety: Fraction, robustness: Fraction) -> Fraction:
    earned = completion if safety == 1 else safety * completion
    return earned if robustness == 1 else earned * (4 + robustness) / 5


# ---------------------------------------------------------------------------- outcomes


class Outcome:
    """What became of a check, a requirement or a forbid.

    `held`: a check was earned in full, a requirement was met, a forbid was kept. `earned`: what a check added to
    completion; the factor or the cap that a requirement left; the safety that a forbid left.
    """

    __slots__ = ("_run", "_witness", "earned", "held", "label", "place", "undefined")

    def __init__(
        self, rule: Check | Requirement | Forbid, run: Run, held: bool, earned: Fraction, undefined: str | None
    ) -> None:
        self.label = rule.label
        self.place = rule.place
        self.held = held
        self.earned = earned
        self.undefined = undefined
        self._witness = rule.evidence
        self._run = run

    @property
    def evidence(self) -> Evidence:
        """The values that decided, by label; worked out when asked for."""
        if self.undefined:
            return (("undefined", self.undefined),)
        try:
            return self._witness(self._run)
        except Undefined as undefined:
            return (("undefined", str(undefined)),)

    def to_json(self) -> dict[str, Any]:
        evidence = [{"label": label, "value": to_wire(value)} for label, value in self.evidence]
        return {
            "label": self.label,
            "held": self.held,
            "earned": float(self.earned),
            "place": self.place,
            "evidence": evidence,
        }


class Exact(NamedTuple):
    completion: Fraction
    safety: Fraction
    robustness: Fraction
    reward: Fraction


class Score:
    """A run's score: as floats, and in `exact` as Fractions."""

    __slots__ = ("checks", "exact", "forbids", "requirements")

    def __init__(
        self,
        exact: Exact,
        checks: tuple[Outcome, ...],
        requirements: tuple[Outcome, ...],
        forbids: tuple[Outcome, ...],
    ) -> None:
        self.exact = exact
        self.checks = checks
        self.requirements = requirements
        self.forbids = forbids

    @property
    def completion(self) -> float:
        return float(self.exact.completion)

    @property
    def safety(self) -> float:
        return float(self.exact.safety)

    @property
    def robustness(self) -> float:
        return float(self.exact.robustness)

    @property
    def reward(self) -> float:
        return float(self.exact.reward)

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: float(value) for name, value in self.exact._asdict().items()},
            "checks": [outcome.to_json() for outcome in self.checks],
            "requirements": [outcome.to_json() for outcome in self.requirements],
            "forbids": [outcome.to_json() for outcome in self.forbids],
        }


# ---------------------------------------------------------------------------- grading


def grade(grader: Grader, run: Run) -> Score:
    """Raises Undefined when the task's own reward formula has no value."""
    checks = tuple(_check(rule, run) for rule in grader.checks)
    requirements = tuple(_requirement(rule, run) for rule in grader.requirements)
    forbids = tuple(_forbid(rule, run) for rule in grader.forbids)
    completion = _limited(_earned(checks, grader.unit), zip(grader.requirements, requirements, strict=True))
    safety = min((outcome.earned for outcome in forbids if not outcome.held), default=_ONE)
    robust = robustness(run.calls)
    reward = grader.reward(completion, safety, robust)
    return Score(Exact(completion, safety, robust, reward), checks, requirements, forbids)


def _earned(checks: Iterable[Outcome], unit: int) -> Fraction:
    """The sum of what the checks earned."""
    units = 0
    shares = []
    for outcome in checks:
        numerator, denominator = outcome.earned.as_integer_ratio()
        if unit % denominator:
            shares.append(outcome.earned)
        else:
            units += numerator * (unit // denominator)
    return sum(shares, start=Fraction(units, unit))


def _limited(completion: Fraction, requirements: Iterable[tuple[Requirement, Outcome]]) -> Fraction:
    """Completion after the requirements: factors first, then the least cap."""
    least_cap = None
    for rule, outcome in requirements:
        if outcome.held:
            continue
        if rule.mode == "times":
            completion *= outcome.earned
        elif least_cap is None or outcome.earned < least_cap:
            least_cap = outcome.earned
    return completion if least_cap is None else min(completion, least_cap)


def _tested(test: Callable[[Run], Any], run: Run) -> tuple[Any, str | None]:
    """What the test gives, and why it has no value when it has none: then it does not hold."""
    try:
        return test(run), None
    except Undefined as undefined:
        return False, str(undefined)


def _check(rule: Check, run: Run) -> Outcome:
    value, undefined = _tested(rule.test, run)
    if value is True:
        return Outcome(rule, run, True, rule.weight, undefined)
    if not value:
        return Outcome(rule, run, False, _ZERO, undefined)
    share = min(max(Fraction(value), _ZERO), _ONE)
    return Outcome(rule, run, share == 1, rule.weight * share, undefined)


def _requirement(rule: Requirement, run: Run) -> Outcome:
    value, undefined = _tested(rule.test, run)
    held = value is True
    return Outcome(rule, run, held, _ONE if held else rule.amount, undefined)


def _forbid(rule: Forbid, run: Run) -> Outcome:
    value, undefined = _tested(rule.test, run)
    kept = value is not True
    return Outcome(rule, run, kept, _ONE if kept else rule.safety, undefined)


def grader_of(module: Mapping[str, Any]) -> Grader:
    """The grader that an emitted module defines. Raises KeyError."""
    return Grader(
        tuple(module["CHECKS"]),
        tuple(module["REQUIREMENTS"]),
        tuple(module["FORBIDS"]),
        module.get("reward", default_reward),
    )
