"""The theorem on gates, executed: a run that violates each forbid, and what it is left with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
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
        if number in violations:
            trials.run(violations[number], f"a run that violates `{label}`")
        violation = trials.violations.get(number)
        if violation is not None and violation.safety <= forbid.safety:
            rows.append({"forbid": label, "by": violation.what, "safety": decimal_text(violation.safety)})
        elif violation is not None or number in violations:
            left = "1" if violation is None else decimal_text(violation.safety)
            diagnostics.append(
                report("E441", forbid.span, label=label, left=left, declared=decimal_text(forbid.safety))
            )
        elif isinstance(forbid, typed.ForbidDef):  # an `only changes` that no tool can break is no fault
            unseen.append(label)
    return _established(rows, unseen, tuple(diagnostics))


def _established(rows: list[dict[str, Any]], unseen: list[str], diagnostics: tuple[Diagnostic, ...]) -> Established:
    evidence: dict[str, Any] = {"forbids": rows}
    verdict = "false" if diagnostics else "executed"
    if unseen and not diagnostics:
        verdict = "not checked"
        evidence["reason"] = f"no run was found that violates {', '.join(f'`{label}`' for label in unseen)}"
    return Established(Theorem("gates", verdict, STATEMENT, evidence), diagnostics)


def label_of(forbid: typed.ForbidDef | typed.FrameDef) -> str:
    return "only changes" if isinstance(forbid, typed.FrameDef) else forbid.label
