"""The solver's room: what is true of every run of a task, and a run that earns everything.

    proof = prove(task, execute)

`execute` runs steps in the emitted environment: only what was executed is believed of a single run, and only what the
solver rules out is believed of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from cwkc.diagnostics import Diagnostic
from cwkc.meaning import typed
from cwkc.prove import theorems
from cwkc.prove.conditions import conditions
from cwkc.prove.gates import gates
from cwkc.prove.happens import happens
from cwkc.prove.independence import independent
from cwkc.prove.run import CallOutcome, CallStep, Execute, Outcome, SayStep, Step
from cwkc.prove.search import Found, search
from cwkc.prove.shapes import shape
from cwkc.prove.solver import BUDGET
from cwkc.prove.theorems import Established, Theorem

__all__ = [
    "BUDGET",
    "CallOutcome",
    "CallStep",
    "Execute",
    "Outcome",
    "Proof",
    "SayStep",
    "Step",
    "Theorem",
    "prove",
    "shape",
    "survey",
    "written_step",
]


@frozen
class Proof:
    """`witness` is a run that earns everything, or None; `violations`: by a forbid's number, a run that violates it;
    `text` is what the solver read, in SMT-LIB; `allowed` are the warnings that the author accepts, with the reason for
    each."""

    theorems: tuple[Theorem, ...]
    witness: tuple[Step, ...] | None
    violations: Mapping[int, tuple[Step, ...]]
    diagnostics: tuple[Diagnostic, ...]
    allowed: tuple[tuple[str, str], ...]
    text: str

    def joined(self, established: Iterable[Established]) -> Proof:
        """The proof with what was established besides, without the warnings that the author accepts."""
        found = tuple(established)
        accepted = {code for code, _ in self.allowed}
        told = (diagnostic for each in found for diagnostic in each.diagnostics)
        reported = (diagnostic for diagnostic in told if diagnostic.is_error or diagnostic.code not in accepted)
        return evolve(
            self,
            theorems=(*self.theorems, *(each.theorem for each in found)),
            diagnostics=(*self.diagnostics, *reported),
        )

    def to_json(self) -> dict[str, Any]:
        """The content of `proof.json`."""
        return {
            "format": 1,
            "theorems": [
                {
                    "name": theorem.name,
                    "verdict": theorem.verdict,
                    "statement": theorem.statement,
                    "evidence": dict(theorem.evidence),
                }
                for theorem in self.theorems
            ],
            "witness": None if self.witness is None else [written_step(step) for step in self.witness],
            "allowed": [{"code": code, "reason": reason} for code, reason in self.allowed],
        }


def written_step(step: Step) -> dict[str, Any]:
    """A step as `proof.json` has it."""
    if isinstance(step, CallStep):
        again = {"again": True} if step.again else {}
        return {"call": step.tool, "arguments": dict(step.arguments), **again}
    return {"say": step.text, "ends": step.ends}


def survey(task: typed.Task) -> tuple[Established, ...]:
    """The theorems that take no solver: what is asked of every member of a family, however many there are."""
    return theorems.weights(task), theorems.unique(task)


def prove(task: typed.Task, execute: Execute, budget: int = BUDGET) -> Proof:
    """Establishes every theorem of a task that can be; what fails is a diagnostic, and never an exception.

    `budget`: the solver's own steps for each question.
    """
    found = search(task, execute, budget, conditions(task))
    steps = found.result.witness.steps if isinstance(found.result, Found) else None
    opened = gates(task, execute, budget)
    established = (
        theorems.grounded(task),
        theorems.weights(task),
        theorems.consistent(task, found, execute, budget),
        theorems.witness(task, found),
        theorems.floor(task, execute),
        opened.established,
        theorems.unchecked("independent") if steps is None else independent(task, steps, execute, budget),
        theorems.unique(task),
        happens(task, steps, execute, budget),
        *theorems.left_to_rehearsal(),
    )
    allowed = tuple((allow.code, allow.reason) for allow in task.allows)
    return Proof((), steps, opened.violations, (), allowed, found.text).joined(established)
