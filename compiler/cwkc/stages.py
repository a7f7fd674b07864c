"""The later stages of the pipeline: each for all tasks, from one value to the next plus diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from coworkdsl import Pack
from cwkc.diagnostics import Diagnostic, report
from cwkc.dump import dump
from cwkc.emit import emit_services, emit_task
from cwkc.flow import follow
from cwkc.meaning import typed
from cwkc.prove import BUDGET, Proof, prove
from cwkc.rehearse import EmittedCodeError, executor, rehearse

Tell = Callable[[str], None]
"""Is told what is being done, in words."""

Proofs = Mapping[str, Proof]


def prove_all(
    tasks: Sequence[typed.Task], pack: Pack, budget: int | None, tell: Tell
) -> tuple[Proofs, tuple[Diagnostic, ...]]:
    """The proof of each task, by name, and what is wrong with the tasks."""
    proofs: dict[str, Proof] = {}
    found: list[Diagnostic] = []
    for task in tasks:
        tell(f"proving {task.name}")
        try:
            proof = prove(task, executor(task, pack), budget or BUDGET).joined(follow(task))
        except EmittedCodeError as error:
            found.append(report("E439", task.span, task=task.name, error=error))
        else:
            proofs[task.name] = proof
            found += proof.diagnostics
    return proofs, tuple(found)


def rehearse_all(
    tasks: Sequence[typed.Task], proofs: Proofs, pack: Pack, tell: Tell
) -> tuple[Proofs, tuple[Diagnostic, ...]]:
    """The proofs with what was executed in the finished pack, and what is wrong with the tasks."""
    completed = dict(proofs)
    found: list[Diagnostic] = []
    for task in tasks:
        tell(f"rehearsing {task.name}")
        proof = proofs[task.name]
        try:
            rehearsal = rehearse(task, pack, proof.witness, proof.violations)
        except EmittedCodeError as error:
            found.append(report("E439", task.span, task=task.name, error=error))
        else:
            completed[task.name] = rehearsal.completing(proof)
            found += rehearsal.diagnostics
    return completed, tuple(found)


def text_of(stage: str, task: typed.Task) -> str:
    """A task as a stage sees it: `typed`, `terms` or `python`."""
    if stage == "typed":
        return dump(task)
    if stage == "terms":
        return prove(task, executor(task)).text
    files = {**emit_services((task,)), **emit_task(task, None)}
    texts = ((path, text) for path, text in files.items() if isinstance(text, str) and path.endswith(".py"))
    return "\n".join(f"# {path}\n{text}" for path, text in texts)
