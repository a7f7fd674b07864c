"""Injected faults: that the run which earns everything withstands them, and that an agent which does not is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from coworkdsl import Score
from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.meaning.walk import walk
from cwkc.rehearse.execute import Execution, Manner
from cwkc.rehearse.mutants import Mutant, Original
from cwkc.rehearse.trials import Steps, Trials, is_full

SEEDS = (0, 1, 2)
"""Where faults are drawn, the run is executed with each of these."""


@frozen(eq=False)
class Withstood:
    """A row for each seed, and a diagnostic for the first with which the run does not earn everything."""

    rows: tuple[dict[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...]


def seeds(task: typed.Task) -> tuple[int, ...]:
    """Those with which a run has to be executed; none where there are no faults, one where nothing is drawn."""
    if not task.faults:
        return ()
    return SEEDS if any(fault.rate is not None for fault in task.faults) else SEEDS[:1]


def withstood(task: typed.Task, trials: Trials, steps: Steps) -> Withstood:
    """The steps, executed by an agent that repeats each call which a fault hits."""
    rows: list[dict[str, Any]] = []
    diagnostics: list[Diagnostic] = []
    for seed in seeds(task):
        execution = trials.run(steps, "the witness", Manner(seed=seed))
        exact = execution.score.upper
        faults = sum(call.fault is not None for call in execution.run.calls)
        rows.append({"seed": seed, "faults": faults, **_outcome(execution.score)})
        if not diagnostics and not (is_full(execution) and exact.robustness == 1):
            diagnostics.append(_succumbed(task, execution, seed))
    return Withstood(tuple(rows), tuple(diagnostics))


def _outcome(score: Score) -> dict[str, str]:
    exact = score.upper
    named = (("completion", exact.completion), ("safety", exact.safety), ("robustness", exact.robustness))
    return {name: decimal_text(value) for name, value in named}


def _succumbed(task: typed.Task, execution: Execution, seed: int) -> Diagnostic:
    hit = {(call.tool, call.fault) for call in execution.run.calls}
    fault = next((fault for fault in task.faults if (fault.tool, fault.kind) in hit), task.faults[0])
    what = ", ".join(f"{name} {value}" for name, value in _outcome(execution.score).items())
    return report("E284", fault.span, task=task.name, seed=seed, what=what)


def unrepeated(original: Original) -> Iterator[Mutant]:
    """The run by an agent that never repeats a call, where faults hit it and the reward depends on robustness."""
    if not _rewards_robustness(original.task):
        return
    for seed in seeds(original.task):
        what = f"no call repeated, with the seed {seed}"
        manner = Manner(repeats=False, seed=seed)
        yield Mutant("unrepeated call", what, (original.steps,), (), _is_hit, manner)


def _rewards_robustness(task: typed.Task) -> bool:
    if task.reward is None:
        return True
    return any(isinstance(part, typed.Outcome) and part.name == "robustness" for part in walk(task.reward))


def _is_hit(execution: Execution) -> bool:
    return execution.score.upper.robustness < 1
