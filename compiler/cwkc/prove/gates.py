"""Gates: that every forbid can be violated with the tools given. One that cannot guards nothing.

Most are violated by one plain call of some tool, which is executed; for the others the solver is asked for a run. An
`only changes` that no tool can break is no fault: it says what is right, and bites once a tool is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from coworkdsl.values import to_wire
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    EMAIL,
    INT,
    URL,
    EnumType,
    ListOf,
    Reference,
    Type,
    required,
)
from cwkc.prove.conditions import Condition
from cwkc.prove.run import CallStep, Execute, Outcome, Step
from cwkc.prove.search import Conflict, Found, Undecided, search
from cwkc.prove.theorems import Established, Theorem

STATEMENT = "every forbid can be violated with the tools given"

Steps = tuple[Step, ...]


@frozen
class Gates:
    """`violations`: by a forbid's number, a run that violates it."""

    established: Established
    violations: Mapping[int, Steps]


def gates(task: typed.Task, execute: Execute, budget: int) -> Gates:
    violations = _plainly_violated(task, execute)
    ruled_out: list[Diagnostic] = []
    spent: list[Diagnostic] = []
    doubtful: list[str] = []
    for number, forbid in enumerate(task.forbids):
        if number in violations or isinstance(forbid, typed.FrameDef):
            continue
        breach = Condition("check", "breach", forbid.condition.span, forbid.condition)
        result = search(task, _violating(execute, number), budget, (breach,), thrifty=True).result
        if isinstance(result, Found):
            violations[number] = result.witness.steps
        elif isinstance(result, Conflict) and result.is_proof:
            ruled_out.append(report("E408", forbid.span, label=forbid.label))
        else:
            doubtful.append(forbid.label)
            if isinstance(result, Undecided):
                spent.append(report("W444", forbid.span, label=forbid.label, budget=budget, more=10 * budget))
    verdict = "false" if ruled_out else "not proved" if doubtful else "executed"
    evidence: dict[str, Any] = {"violated": len(violations), "forbids": len(task.forbids)}
    if doubtful:
        evidence["doubtful"] = doubtful
    return Gates(Established(Theorem("gates", verdict, STATEMENT, evidence), (*ruled_out, *spent)), violations)


def _violating(execute: Execute, number: int) -> Execute:
    """Executes runs whose only aim is to violate that forbid."""

    def run(steps: Steps) -> Outcome:
        outcome = execute(steps)
        violated = not outcome.forbids[number]
        return evolve(outcome, checks=(violated,), requirements=(), forbids=())

    return run


# ---------------------------------------------------------------------------- plain calls


def _plainly_violated(task: typed.Task, execute: Execute) -> dict[int, Steps]:
    """What a call with plain arguments violates, made once or twice, tool by tool."""
    violations: dict[int, Steps] = {}
    for steps in _plain_runs(task):
        if len(violations) == len(task.forbids):
            break
        for number, held in enumerate(execute(steps).forbids):
            if not held:
                violations.setdefault(number, steps)
    return violations


def _plain_runs(task: typed.Task) -> Iterator[Steps]:
    calls = tuple(_plain_calls(task))
    yield from ((call,) for call in calls)
    yield from ((call, call) for call in calls)


def _plain_calls(task: typed.Task) -> Iterator[CallStep]:
    """Each tool with what it requires, and with everything."""
    for tool in task.tools:
        for only_required in (True, False):
            parameters = [each for each in tool.parameters.values() if each.required or not only_required]
            values = {each.name: _plain(each.type, task, hour) for hour, each in enumerate(parameters)}
            if only_required or len(parameters) > sum(each.required for each in tool.parameters.values()):
                yield CallStep(tool.wire_name, {name: to_wire(value) for name, value in values.items()})


def _plain(type: Type, task: typed.Task, hour: int) -> Any:
    """Some value of a type. Times are so many hours from now, so that of two the second is the later one."""
    core = required(type)
    if isinstance(core, EnumType):
        return core.values[-1]
    if isinstance(core, Reference):
        stores = task.records[core.record].stores
        return next((row.id for row in task.rows if row.store in stores), "no-such-id")
    if isinstance(core, ListOf):
        return (_plain(core.item, task, hour),)
    values: dict[Type, Any] = {
        INT: 1,
        DECIMAL: Fraction(1),
        BOOL: True,
        DATE: task.now.date(),
        DATETIME: task.now + timedelta(hours=hour),
        DURATION: timedelta(hours=1),
        EMAIL: "somebody@elsewhere.test",
        URL: "https://elsewhere.test/",
    }
    return values.get(core, "Text")
