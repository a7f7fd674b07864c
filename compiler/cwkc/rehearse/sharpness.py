"""The theorem that a grading is sharp: every mutant of the right run scores less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from attrs import frozen

from coworkdsl.values import decimal_text
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.flow.effect import costs_nothing
from cwkc.meaning import typed
from cwkc.prove.theorems import Established, Theorem
from cwkc.rehearse.additions import extra_writes, forbidden
from cwkc.rehearse.changes import EMPTIED, changed, emptied
from cwkc.rehearse.execute import AT_ONCE, Execution
from cwkc.rehearse.faults import unrepeated
from cwkc.rehearse.mutants import Mutant, Original, dropped, dumped, reversed_order
from cwkc.rehearse.readings import rules
from cwkc.rehearse.swaps import swapped
from cwkc.rehearse.sweep import reads, words_of
from cwkc.rehearse.trials import Steps, Trials, is_full, lost

STATEMENT = "every mutant of the witness scores less"
MOST_TOLD = 4
"""So many survivors are listed in a message; the proof has all of them."""

KINDS = {
    "dropped call": "without a call that it needs",
    "dropped write": "without a write that it needs",
    "dropped answer": "without its answer",
    "changed argument": "with another value where a check reads one",
    EMPTIED: "with a message that says nothing",
    "swapped target": "about another record",
    "dumped answer": "that says everything it can read",
    "reversed order": "in reversed order",
    "extra write": "with one more write",
    "forbidden call": "with a forbidden call",
    "unrepeated call": "that never repeats a call which a fault hit",
}


@frozen(eq=False)
class Judged:
    """What a mutant came to: the run that was noticed, or the last one when none was."""

    mutant: Mutant
    execution: Execution
    reward: Fraction
    """The witness's."""

    @property
    def is_killed(self) -> bool:
        return not is_full(self.execution) or self.execution.score.upper.reward < self.reward


def sharp(
    original: Original, trials: Trials, violations: Mapping[int, Steps], is_earned_by_nothing: bool
) -> Established:
    """`violations`: by a forbid's number, a run that violates it. `is_earned_by_nothing`: that empty words earn
    something has been said already."""
    reward = original.execution.score.upper.reward
    mutants = _mutants(original, trials, violations)
    judged = [each for mutant in mutants for each in _judged(mutant, trials, reward)]
    survivors = sorted(
        (each for each in judged if not each.is_killed), key=lambda each: [*KINDS].index(each.mutant.kind)
    )
    told = [
        each
        for each in survivors
        if not _is_without_effect(original.task, each.mutant)
        and not (is_earned_by_nothing and each.mutant.kind == EMPTIED)
    ]
    diagnostics = [
        _survived(original.task, kind, tuple(group)) for kind, group in groupby(told, key=lambda each: each.mutant.kind)
    ]
    verdict = "false" if survivors else "executed"
    evidence = {"mutants": [_row(original.task, each) for each in judged]}
    return Established(Theorem("sharp", verdict, STATEMENT, evidence), tuple(diagnostics))


def _mutants(original: Original, trials: Trials, violations: Mapping[int, Steps]) -> Iterator[Mutant]:
    yield from dropped(original)
    yield from changed(original)
    yield from emptied(original)
    yield from swapped(original)
    yield from dumped(original, lambda: everything(original, trials))
    yield from reversed_order(original)
    yield from extra_writes(original)
    yield from forbidden(original, violations)
    yield from unrepeated(original)


def everything(original: Original, trials: Trials) -> str:
    """Everything that can be read at the start, as text."""
    execution = trials.run(reads(original.task, original.samples), "an agent that reads everything", AT_ONCE)
    words = (word for call in execution.run.calls if call.accepted for word in words_of(call.result))
    return "\n".join(dict.fromkeys(words))


def _judged(mutant: Mutant, trials: Trials, reward: Fraction) -> Iterator[Judged]:
    """Its runs, until one is noticed; nothing where none of them did what the mutant is about."""
    last: Judged | None = None
    for steps in mutant.runs:
        execution = trials.run(steps, mutant.what, mutant.manner)
        if mutant.is_done(execution):
            last = Judged(mutant, execution, reward)
            if last.is_killed:
                break
    if last is not None:
        yield last


def _is_without_effect(task: typed.Task, mutant: Mutant) -> bool:
    """Whether all the rules that should notice it cost nothing, of which they are told where they stand."""
    every = rules(task)
    blamed = [every[number] for number in mutant.rules]
    return bool(blamed) and all(not isinstance(rule, typed.CheckDef) and costs_nothing(rule) for rule in blamed)


def _row(task: typed.Task, judged: Judged) -> dict[str, Any]:
    most = judged.execution.score.upper  # so that a mutant is noticed by what is checked, or not at all
    by = [label for _, label in lost(task, judged.execution)]
    return {
        "kind": judged.mutant.kind,
        "step": judged.mutant.what,
        "killed": judged.is_killed,
        "completion": decimal_text(most.completion),
        "safety": decimal_text(most.safety),
        "by": [*by, "robustness"] if most.robustness < 1 else by,
    }


def _survived(task: typed.Task, kind: str, survivors: Sequence[Judged]) -> Diagnostic:
    """One warning for all that survived of a kind, at the first rule that should have noticed it."""
    blamed = tuple(dict.fromkeys(number for each in survivors for number in each.mutant.rules))
    spans = [rules(task)[number].span for number in blamed] or [task.span]
    done = tuple(dict.fromkeys(each.mutant.what for each in survivors))
    told = "; ".join(done[:MOST_TOLD])
    more = f"; and {len(done) - MOST_TOLD} more" if len(done) > MOST_TOLD else ""
    related = tuple(Label(span, "should notice it") for span in spans[1:])
    return report("W441", spans[0], task=task.name, how=KINDS[kind], survivors=told + more, related=related)
