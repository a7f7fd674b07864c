"""The theorem on gates, executed: a run that violates each forbid, and what it is left with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.prove.run import CallStep
from cwkc.prove.theorems import Established, Theorem
from cwkc.rehearse.trials import Steps, Trials

STATEMENT = "every forbid can be violated with the tools given, and violating it lowers safety as declared"


def gates(task: typed.Task, trials: Trials, violations: Mapping[int, Steps]) -> Established:
    """`violations`: by a forbid's number, a run that violates it, where one is known. For the others counts what the
    runs up to now have violated."""
    rows: list[dict[str, Any]] = []
    diagnostics: list[Diagnostic] = []
    unseen = []
    for number, forbid in enumerate(task.forbids):
        label = label_of(forbid)
        known = [violations[number]] if number in violations else []
        left = [_left(trials, steps, label) for steps in (*known, *_refused(task, forbid))]
        violation = trials.violations.get(number)
        if max(left, default=Fraction(0)) > forbid.safety:
            most, declared = decimal_text(max(left)), decimal_text(forbid.safety)
            diagnostics.append(report("E441", forbid.span, label=label, left=most, declared=declared))
        elif violation is not None:
            rows.append({"forbid": label, "by": violation.what, "safety": decimal_text(violation.safety)})
        elif isinstance(forbid, typed.ForbidDef):  # an `only changes` that no tool can break is no fault
            unseen.append(label)
    return _established(rows, unseen, tuple(diagnostics))


def _left(trials: Trials, steps: Steps, label: str) -> Fraction:
    """The safety that a run is left with which violates a forbid."""
    return trials.run(steps, f"a run that violates `{label}`").score.lower.safety


def _refused(task: typed.Task, forbid: typed.ForbidDef | typed.FrameDef) -> Iterator[Steps]:
    """Of a forbid on every try of a tool: the run whose only call of it is refused."""
    fact = forbid.condition if isinstance(forbid, typed.ForbidDef) else None
    if isinstance(fact, typed.CallFact) and fact.verb == "tried" and not fact.patterns and fact.where is None:
        yield from ((CallStep(tool.wire_name, {}),) for tool in task.tools if tool.name == fact.tool)


def _established(rows: list[dict[str, Any]], unseen: list[str], diagnostics: tuple[Diagnostic, ...]) -> Established:
    evidence: dict[str, Any] = {"forbids": rows}
    verdict = "false" if diagnostics else "executed"
    if unseen and not diagnostics:
        verdict = "not checked"
        evidence["reason"] = f"no run was found that violates {', '.join(f'`{label}`' for label in unseen)}"
    return Established(Theorem("gates", verdict, STATEMENT, evidence), diagnostics)


def label_of(forbid: typed.ForbidDef | typed.FrameDef) -> str:
    return "only changes" if isinstance(forbid, typed.FrameDef) else forbid.label
