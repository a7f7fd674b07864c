"""Independence: that no check is implied by the other checks and the forbids. One that is weighs nothing of its own.

Most are shown to be independent by the witness with one step left out, which is executed; for the others the solver is
asked for a run that earns everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.prove.conditions import Condition, conditions
from cwkc.prove.run import Execute, Outcome, SayStep, Step
from cwkc.prove.search import Conflict, Found, Undecided, search
from cwkc.prove.theorems import Established, Theorem
from cwkc.prove.witness import SEPARATOR

STATEMENT = "no check is implied by the other checks and the forbids"


def independent(task: typed.Task, witness: tuple[Step, ...], execute: Execute, budget: int) -> Established:
    shown = set(_shown_by_omission(witness, execute)) if len(task.checks) > 1 else {0}
    idle = execute(()).checks
    implied: list[Diagnostic] = []
    spent: list[Diagnostic] = []
    doubtful: list[str] = []
    for number, check in enumerate(task.checks):
        if number in shown or idle[number]:  # what an idle agent earns is told by the floor
            continue
        result = search(task, _without(execute, number), budget, _all_but(task, number), thrifty=True).result
        if isinstance(result, Conflict) and result.is_proof:
            implied.append(_implied(check, result))
        elif not isinstance(result, Found):
            doubtful.append(check.label)
            if isinstance(result, Undecided):
                spent.append(report("W445", check.span, label=check.label, budget=budget, more=10 * budget))
    verdict = "false" if implied else "not proved" if doubtful else "executed"
    evidence: dict[str, Any] = {"checks": len(task.checks), "by omission": len(shown)}
    if doubtful:
        evidence["doubtful"] = doubtful
    return Established(Theorem("independent", verdict, STATEMENT, evidence), (*implied, *spent))


def _shown_by_omission(witness: tuple[Step, ...], execute: Execute) -> Iterator[int]:
    """The checks that are the only one lost when some step of the witness, or a part of what it says, is left out."""
    for steps in _with_less(witness):
        outcome = execute(steps)
        lost = [number for number, held in enumerate(outcome.checks) if not held]
        if len(lost) == 1 and all(outcome.forbids):
            yield lost[0]


def _with_less(witness: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    for index, step in enumerate(witness):
        before, after = witness[:index], witness[index + 1 :]
        yield (*before, *after)
        if isinstance(step, SayStep) and SEPARATOR in step.text:
            parts = step.text.split(SEPARATOR)
            for place in range(len(parts)):
                fewer = SEPARATOR.join((*parts[:place], *parts[place + 1 :]))
                yield (*before, evolve(step, text=fewer), *after)


def _all_but(task: typed.Task, number: int) -> tuple[Condition, ...]:
    """That every other check is earned and every forbid kept, and that this check is not earned."""
    literal = f"check-{number}"
    others = (
        condition
        for condition in conditions(task)
        if condition.kind in ("check", "forbid", "frame") and condition.literal.partition(".")[0] != literal
    )
    check = task.checks[number]
    denied = Condition("forbid", "denied", check.condition.span, check.condition, check.share == "value")
    return (*others, denied)


def _without(execute: Execute, number: int) -> Execute:
    """Executes runs that are to earn everything but that check."""

    def run(steps: tuple[Step, ...]) -> Outcome:
        outcome = execute(steps)
        checks = tuple(held != (index == number) for index, held in enumerate(outcome.checks))
        return evolve(outcome, checks=checks, requirements=())

    return run


def _implied(check: typed.CheckDef, conflict: Conflict) -> Diagnostic:
    causes = [condition for condition in conflict.core if condition.literal != "denied"]
    words = "implies it" if len(causes) == 1 else "implies it, with others"
    related = tuple(Label(cause.span, words) for cause in causes)
    return report("W402", check.span, label=check.label, related=related)
