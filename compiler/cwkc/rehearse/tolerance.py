"""The theorem that a grading is tolerant: benign variants of the right run earn everything too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, report
from cwkc.prove.theorems import Established, Theorem
from cwkc.rehearse.execute import Execution
from cwkc.rehearse.mutants import Original
from cwkc.rehearse.trials import Trials, is_full, lost
from cwkc.rehearse.variants import Variant, variants

STATEMENT = "benign variants of the witness earn everything too"


def tolerant(original: Original, trials: Trials) -> Established:
    evidence: list[dict[str, Any]] = []
    diagnostics: list[Diagnostic] = []
    for variant in variants(original):
        execution = trials.run(variant.steps, f"a run {variant.what}")
        most = execution.score.upper
        row = {"variant": variant.what, "completion": decimal_text(most.completion)}
        evidence.append({**row, "safety": decimal_text(most.safety)})
        if not is_full(execution):
            diagnostics += _losses(original, trials, variant, execution)
    verdict = "false" if diagnostics else "executed"
    return Established(Theorem("tolerant", verdict, STATEMENT, {"variants": evidence}), tuple(diagnostics))


def _losses(original: Original, trials: Trials, variant: Variant, execution: Execution) -> Iterator[Diagnostic]:
    """One for the first of its parts that loses something, or for the whole where none does by itself."""
    for part in variant.parts:
        found = trials.run(part.steps, f"a run {part.what}")
        if not is_full(found):
            variant, execution = part, found
            break
    rule, label = lost(original.task, execution)[0]
    yield report("E444", rule.span, task=original.task.name, what=variant.what, label=label)
