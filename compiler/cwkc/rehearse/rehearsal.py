"""The rehearsal of a task in its finished pack: the run that earns everything, its variants and its mutants, and the
agents that do nothing of use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from coworkdsl import Outcome, Pack
from coworkdsl.files import Content
from coworkdsl.values import decimal_text, in_words
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.prove import Proof
from cwkc.prove.run import Step
from cwkc.prove.theorems import Established, Theorem
from cwkc.rehearse.agreement import require_agreement, require_evidence
from cwkc.rehearse.execute import EmittedCodeError, Execution, loaded
from cwkc.rehearse.faults import Withstood, withstood
from cwkc.rehearse.gates import gates
from cwkc.rehearse.idle import floor
from cwkc.rehearse.mutants import Original
from cwkc.rehearse.readings import readings
from cwkc.rehearse.samples import Samples
from cwkc.rehearse.sharpness import sharp
from cwkc.rehearse.tolerance import tolerant
from cwkc.rehearse.trials import Steps, Trials, is_full
from cwkc.rehearse.verdicts import require_tables, require_verdicts


@frozen(eq=False)
class Rehearsal:
    """`witness` is the run that earns everything; None when there was none to rehearse. `silent` is the run of an
    agent that does nothing. `theorems` are those that were executed; `faulted` says what injected faults did to the
    witness, a row for each seed; `runs` counts all that was executed."""

    witness: Execution | None
    silent: Execution
    theorems: tuple[Theorem, ...]
    faulted: tuple[Mapping[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...]
    runs: int

    def completing(self, proof: Proof) -> Proof:
        """A proof with what was executed in the place of what had to wait for it, and the calls of the witness that
        faults hit as steps of their own."""
        executed = {theorem.name: theorem for theorem in self.theorems}
        kept = tuple(executed.pop(theorem.name, self._faulted(theorem)) for theorem in proof.theorems)
        witness = proof.witness
        if self.witness is not None:
            witness = self.witness.steps
        return evolve(proof, theorems=(*kept, *executed.values()), witness=witness)

    def _faulted(self, theorem: Theorem) -> Theorem:
        if theorem.name != "witness" or self.witness is None or not self.faulted:
            return theorem
        return evolve(theorem, evidence={**theorem.evidence, "steps": len(self.witness.steps), "faults": self.faulted})


def rehearse(
    task: typed.Task,
    pack: Pack | Mapping[str, Content],
    witness: tuple[Step, ...] | None,
    violations: Mapping[int, Steps] = MappingProxyType({}),
) -> Rehearsal:
    """Runs all of them in a pack, or in that of some files. `violations`: by a forbid's number, a run that violates it.

    Raises EmittedCodeError when the emitted code fails, when the witness does not earn everything, or when an agent
    that does nothing earns a check: the witness did when it was found and the agent did not, so that the pack is not
    what was proved.
    """
    trials = Trials(pack if isinstance(pack, Pack) else loaded(pack, task.name), task)
    samples = Samples(task)
    silent = trials.run((), "an agent that does nothing")
    require_tables(task, trials.pack)
    _require_nothing_held(task, silent)
    performed = None if witness is None else trials.run(witness, "the witness")
    faulted = Withstood((), ()) if witness is None else withstood(task, trials, witness)
    established = [floor(task, trials, silent, samples)]
    if witness is not None and performed is not None:
        if not is_full(performed):
            raise EmittedCodeError(task.name, "on its witness", ShortOfEverything("; ".join(shortfalls(performed))))
        require_evidence(task, trials.pack, performed.run)
        require_agreement(task, trials.pack, witness, samples)
        require_verdicts(task, trials.pack, performed.run, samples)
        original = Original(task, witness, performed, readings(task), samples)
        idle_earns = bool(established[0].diagnostics)
        established += [tolerant(original, trials), sharp(original, trials, violations, idle_earns)]
    established.append(gates(task, trials, violations))
    return Rehearsal(
        performed,
        silent,
        tuple(each.theorem for each in established),
        faulted.rows,
        (*faulted.diagnostics, *_partly_earned(task, silent), *_unaccepted(task, established)),
        trials.count,
    )


def _unaccepted(task: typed.Task, established: list[Established]) -> Iterator[Diagnostic]:
    """The diagnostics, without the warnings that the author accepts."""
    accepted = {allow.code for allow in task.allows}
    for each in established:
        yield from (found for found in each.diagnostics if found.is_error or found.code not in accepted)


class ShortOfEverything(Exception):
    """A run does not earn everything; the message names what it misses and what the grader saw there."""


def shortfalls(execution: Execution) -> Iterator[str]:
    """Each check, requirement and forbid that the run does not satisfy, with its place and the values that decided."""
    score = execution.score
    for outcome in (*score.checks, *score.requirements, *score.forbids):
        if not outcome.held:
            yield f"{outcome.place}: {outcome.label} ({seen(outcome)})"
    if score.upper.completion != 1:
        yield f"completion {decimal_text(score.upper.completion)}"


def seen(outcome: Outcome) -> str:
    """The values that decided, in words."""
    return ", ".join(f"{label}: {in_words(value) or 'nothing'}" for label, value in outcome.evidence)


class EarnedByNothing(Exception):
    """An agent that does nothing earns a check; the message names it."""


def _require_nothing_held(task: typed.Task, silent: Execution) -> None:
    for outcome in silent.score.checks:
        if outcome.held:
            raise EmittedCodeError(task.name, "on an idle agent", EarnedByNothing(f"{outcome.place}: {outcome.label}"))


def _partly_earned(task: typed.Task, silent: Execution) -> Iterator[Diagnostic]:
    """Checks that give a share to an agent that does nothing; that one is earned in full is a theorem's to say."""
    for check, outcome in zip(task.checks, silent.score.checks, strict=True):
        if outcome.earned and not outcome.held:
            share = decimal_text(round(outcome.earned / check.weight * 100, 1))
            yield report("E430", check.span, label=check.label, share=share)
