"""Grading: checks, requirements and forbids over a finished run, and the score that they make.

Completion is the sum of what the checks earn, times the factors of the requirements that fail, at most the least of
their caps. Safety is the least that a violated forbid leaves. All of it is exact; floats are made at the edge.

What judges add is known once they were asked. Where one is unscored, a run has no score but a least and a most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from operator import attrgetter
from typing import Any, NamedTuple

from coworkdsl.faults import robustness
from coworkdsl.judging import Deliverables, Judgement, Rubric, unasked
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
    rubrics: tuple[Rubric, ...] = ()
    deliverables: Deliverables = field(default_factory=dict)
    """What judges are shown of it; empty where there are none."""
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


class UnscoredError(ValueError):
    """A run has no score yet, since a judge has not answered; the message names the judges."""


class Score:
    """A run's score: as floats, and in `exact` as Fractions.

    Where a judge is unscored, each quantity lies between `lower` and `upper`. Where these differ there is no number,
    and asking for one raises UnscoredError: neither bound is a score.
    """

    __slots__ = ("checks", "forbids", "judges", "lower", "requirements", "upper")

    def __init__(
        self,
        bounds: tuple[Exact, Exact],
        checks: tuple[Outcome, ...],
        judges: tuple[Judgement, ...],
        requirements: tuple[Outcome, ...],
        forbids: tuple[Outcome, ...],
    ) -> None:
        self.lower, self.upper = bounds
        self.checks = checks
        self.judges = judges
        self.requirements = requirements
        self.forbids = forbids

    @property
    def unscored(self) -> tuple[Judgement, ...]:
        """The judges that gave no verdict."""
        return tuple(judgement for judgement in self.judges if judgement.score is None)

    @property
    def exact(self) -> Exact:
        if self.lower != self.upper:
            raise self._unscored()
        return self.lower

    @property
    def completion(self) -> float:
        return self._known("completion")

    @property
    def safety(self) -> float:
        return self._known("safety")

    @property
    def robustness(self) -> float:
        return self._known("robustness")

    @property
    def reward(self) -> float:
        return self._known("reward")

    def _known(self, name: str) -> float:
        least = getattr(self.lower, name)
        if least != getattr(self.upper, name):
            raise self._unscored()
        return float(least)

    def _unscored(self) -> UnscoredError:
        labels = ", ".join(f"`{judgement.rubric.label}`" for judgement in self.unscored)
        return UnscoredError(f"there is no score without a verdict on {labels}, only `lower` and `upper`")

    def to_json(self) -> dict[str, Any]:
        """What is not known is null, and then there are `bounds`."""
        lower, upper = self.lower._asdict(), self.upper._asdict()
        known = {name: float(least) if least == upper[name] else None for name, least in lower.items()}
        bounds = {"lower": _floats(lower), "upper": _floats(upper)}
        return {
            **known,
            **({} if lower == upper else {"bounds": bounds}),
            "checks": [outcome.to_json() for outcome in self.checks],
            "judges": [judgement.to_json() for judgement in self.judges],
            "requirements": [outcome.to_json() for outcome in self.requirements],
            "forbids": [outcome.to_json() for outcome in self.forbids],
        }


def _floats(values: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}


# ---------------------------------------------------------------------------- grading


def grade(grader: Grader, run: Run, judgements: tuple[Judgement, ...] = ()) -> Score:
    """`judgements`: what became of each rubric; without them all are unscored.

    Raises Undefined when the task's own reward formula has no value.
    """
    checks = tuple(_check(rule, run) for rule in grader.checks)
    judges = judgements or unasked(grader.rubrics)
    requirements = tuple(_requirement(rule, run) for rule in grader.requirements)
    forbids = tuple(_forbid(rule, run) for rule in grader.forbids)
    limits = tuple(zip(grader.requirements, requirements, strict=True))
    earned = _earned(checks, grader.unit)
    safety = min((outcome.earned for outcome in forbids if not outcome.held), default=_ONE)
    robust = robustness(run.calls)
    lower = upper = _exact(grader, _limited(earned, limits), safety, robust)
    if judges:
        least, most = (sum(map(added, judges), start=earned) for added in (_least, _most))
        bounds = (_exact(grader, _limited(completion, limits), safety, robust) for completion in (least, most))
        lower, upper = bounds
        if lower.reward > upper.reward:  # a task's own formula need not grow with completion
            lower, upper = lower._replace(reward=upper.reward), upper._replace(reward=lower.reward)
    return Score((lower, upper), checks, judges, requirements, forbids)


_least, _most = attrgetter("least"), attrgetter("most")


def _exact(grader: Grader, completion: Fraction, safety: Fraction, robust: Fraction) -> Exact:
    return Exact(completion, safety, robust, grader.reward(completion, safety, robust))


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
        tuple(module.get("JUDGES", ())),
        module.get("DELIVERABLES", {}),
    )
