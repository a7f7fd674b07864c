"""Happens: that every fact can be told, and every event can come to pass. What never can is written in vain.

The run that earns everything shows most of them; for the others the solver is asked for a run, which is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.prove.conditions import Condition
from cwkc.prove.run import Execute, Outcome, Step
from cwkc.prove.search import Conflict, Found, search
from cwkc.prove.theorems import Established, Theorem
from cwkc.source import Span

STATEMENT = "every fact can be told, and every event can come to pass"


@frozen
class _Occasion:
    """A fact or an event that waits for a condition."""

    kind: str
    name: str
    condition: typed.Expr
    span: Span

    def is_seen_in(self, outcome: Outcome) -> bool:
        return self.name in (outcome.told if self.kind == "fact" else outcome.happened)


def happens(task: typed.Task, witness: tuple[Step, ...] | None, execute: Execute, budget: int) -> Established:
    occasions = tuple(_occasions(task))
    diagnostics = list(_too_late(task))
    seen, doubtful = 0, []
    full = execute(witness or ()) if occasions else None
    for occasion in occasions:
        if full is not None and occasion.is_seen_in(full):
            seen += 1
            continue
        wanted = Condition("check", "occasion", occasion.span, occasion.condition)
        result = search(task, _seeing(execute, occasion), budget, (wanted,), thrifty=True).result
        if isinstance(result, Found):
            seen += 1
        elif isinstance(result, Conflict) and result.is_proof:
            diagnostics.append(report("E412", occasion.condition.span, kind=occasion.kind, name=occasion.name))
        else:
            doubtful.append(occasion.name)
    verdict = "false" if diagnostics else "not proved" if doubtful else "executed"
    evidence: dict[str, Any] = {"seen": seen, "conditions": len(occasions)}
    if doubtful:
        evidence["doubtful"] = doubtful
    return Established(Theorem("happens", verdict, STATEMENT, evidence), tuple(diagnostics))


def _occasions(task: typed.Task) -> Iterator[_Occasion]:
    for fact in task.user.facts.values() if task.user else ():
        if fact.asked is not None:
            yield _Occasion("fact", fact.name, fact.asked, fact.span)
    for event in task.events.values():
        if event.condition is not None:
            yield _Occasion("event", event.name, event.condition, event.span)


def _seeing(execute: Execute, occasion: _Occasion) -> Execute:
    """Executes runs whose only aim is that it happens."""

    def run(steps: tuple[Step, ...]) -> Outcome:
        outcome = execute(steps)
        return evolve(outcome, checks=(occasion.is_seen_in(outcome),), requirements=(), forbids=())

    return run


def _too_late(task: typed.Task) -> Iterator[Diagnostic]:
    """Events at the end of a turn that no run comes to."""
    for event in task.events.values():
        most, why = min(_turns(task, event))
        if event.turn is not None and event.turn > most:
            yield report(
                "E412",
                event.span,
                kind="event",
                name=event.name,
                help=f"no run has more than {most} turn{'s' * (most > 1)}: {why}",
            )


def _turns(task: typed.Task, event: typed.EventDef) -> Iterator[tuple[int, str]]:
    """How many turns a run can have until an event, and what to do about it. Without a user, who can always be asked
    something, a turn is the last unless another event answers."""
    if "turns" in task.limits:
        yield task.limits["turns"], "let it come earlier, or raise the limit"
    if task.user:
        yield task.user.patience, "let it come earlier, or raise the user's patience"
    else:
        others = [each for each in task.events.values() if each is not event and (each.time or not each.silent)]
        yield 1 + len(others), "it ends when nobody answers, and a `user` would"
