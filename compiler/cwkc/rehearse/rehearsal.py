"""The rehearsal of a task in its finished pack: the run that earns everything, and the agent that does nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from coworkdsl import Outcome
from coworkdsl.values import decimal_text, in_words
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.prove.run import Step
from cwkc.rehearse.execute import EmittedCodeError, Execution, execute, loaded


@frozen(eq=False)
class Rehearsal:
    """`witness` is the run that earns everything; None when there was none to rehearse. `silent` is the run of an
    agent that does nothing."""

    witness: Execution | None
    silent: Execution
    diagnostics: tuple[Diagnostic, ...]


def rehearse(task: typed.Task, files: Mapping[str, str], witness: tuple[Step, ...] | None) -> Rehearsal:
    """Runs both in the pack of these files.

    Raises EmittedCodeError when the emitted code fails, or when the witness does not earn everything: it did when it
    was found, so that the pack is not what was proved.
    """
    pack = loaded(files, task.name)
    silent = execute(pack, task.name, ())
    performed = None if witness is None else execute(pack, task.name, witness)
    if performed is not None and not performed.outcome.is_full:
        raise EmittedCodeError(task.name, "on its witness", ShortOfEverything("; ".join(shortfalls(performed))))
    return Rehearsal(performed, silent, tuple(_partly_earned(task, silent)))


class ShortOfEverything(Exception):
    """A run does not earn everything; the message names what it misses and what the grader saw there."""


def shortfalls(execution: Execution) -> Iterator[str]:
    """Each check, requirement and forbid that the run does not satisfy, with its place and the values that decided."""
    score = execution.score
    for outcome in (*score.checks, *score.requirements, *score.forbids):
        if not outcome.held:
            yield f"{outcome.place}: {outcome.label} ({seen(outcome)})"


def seen(outcome: Outcome) -> str:
    """The values that decided, in words."""
    return ", ".join(f"{label}: {in_words(value) or 'nothing'}" for label, value in outcome.evidence)


def _partly_earned(task: typed.Task, silent: Execution) -> Iterator[Diagnostic]:
    """Checks that give a share to an agent that does nothing; that one is earned in full is a theorem's to say."""
    for check, outcome in zip(task.checks, silent.score.checks, strict=True):
        if outcome.earned and not outcome.held:
            share = f"{decimal_text(outcome.earned / check.weight * 100)}"
            yield report("E430", check.span, label=check.label, share=share, seen=seen(outcome))
