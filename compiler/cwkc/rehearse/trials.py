"""Runs of a rehearsal: each executed once, and what they showed of the forbids kept."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import frozen

from coworkdsl import Pack
from cwkc.meaning import typed
from cwkc.prove.run import SayStep, Step
from cwkc.rehearse.execute import PLAIN, Execution, Manner, execute
from cwkc.rehearse.readings import Rule, rules

Steps = tuple[Step, ...]

MOST_SHOWN, LONGEST_SHOWN = 2, 40
"""Of a call so many arguments are shown, those that are no longer than this."""


@frozen(eq=False)
class Violation:
    """A run that violates a forbid, in words, and the safety that it is left with."""

    what: str
    safety: Fraction


class Trials:
    """Executes runs of one task. `violations`: by a forbid's number, the first run that violated it."""

    def __init__(self, pack: Pack, task: typed.Task) -> None:
        self.task = task
        self.count = 0
        self.violations: dict[int, Violation] = {}
        self.pack = pack

    def run(self, steps: Iterable[Step], what: str, manner: Manner = PLAIN) -> Execution:
        """Raises EmittedCodeError."""
        self.count += 1
        execution = execute(self.pack, self.task.name, steps, manner)
        for number, outcome in enumerate(execution.score.forbids):
            if not outcome.held and number not in self.violations:
                self.violations[number] = Violation(what, execution.score.lower.safety)
        return execution


def is_full(execution: Execution) -> bool:
    """Whether the run earns all there is to earn, with judges taken as full."""
    most = execution.score.upper
    return most.completion == 1 and most.safety == 1


def lost(task: typed.Task, execution: Execution) -> list[tuple[Rule, str]]:
    """The rules that a run breaks or does not earn in full, each with its label."""
    score = execution.score
    outcomes = (*score.checks, *score.requirements, *score.forbids)
    return [(rule, outcome.label) for rule, outcome in zip(rules(task), outcomes, strict=True) if not outcome.held]


def shown_step(step: Step) -> str:
    """A step in a few words."""
    if isinstance(step, SayStep):
        return "the answer" if step.ends else "a remark"
    words = [str(value) for value in step.arguments.values() if isinstance(value, str | int)]
    short = [word for word in words if len(word) <= LONGEST_SHOWN][:MOST_SHOWN]
    return f"`{step.tool}({', '.join(short)})`"
