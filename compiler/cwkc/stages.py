"""The later stages of the pipeline: each for all tasks, from one value to the next plus diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from coworkdsl import Pack
from cwkc.diagnostics import Diagnostic, report
from cwkc.dump import dump
from cwkc.emit import emit_services, emit_task
from cwkc.families import ProvedFamily, Surveyed, prove_family, rehearse_family, survey_family
from cwkc.flow import follow
from cwkc.meaning import typed
from cwkc.meaning.families import Family, Sampling
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


def survey_families(
    families: Sequence[Family], sampling: Sampling, tell: Tell
) -> tuple[tuple[Surveyed, ...], tuple[Diagnostic, ...]]:
    """The families all of whose members are right, and what is wrong with the others."""
    results = [survey_family(family, sampling, tell) for family in families]
    found = tuple(diagnostic for _, diagnostics in results for diagnostic in diagnostics)
    return tuple(surveyed for surveyed, _ in results if surveyed is not None), found


def prove_families(
    families: Sequence[Surveyed], pack: Pack, budget: int | None, tell: Tell
) -> tuple[tuple[ProvedFamily, ...], tuple[Diagnostic, ...]]:
    """The proofs of each family, and what is wrong with their members."""
    results = [prove_family(family, pack, budget, tell) for family in families]
    found = tuple(diagnostic for _, diagnostics in results for diagnostic in diagnostics)
    return tuple(proved for proved, _ in results if proved is not None), found


def rehearse_families(
    families: Sequence[ProvedFamily], pack: Pack, tell: Tell
) -> tuple[tuple[ProvedFamily, ...], tuple[Diagnostic, ...]]:
    """The proofs of each family with what was executed, and what is wrong with their members."""
    results = [rehearse_family(family, pack, tell) for family in families]
    return tuple(proved for proved, _ in results), tuple(found for _, each in results for found in each)


def first_members(families: Sequence[Family]) -> tuple[typed.Task, ...]:
    """The first member of each family, where it has no errors."""
    checked = (family.check(family.member(0))[0] for family in families)
    return tuple(task for task in checked if task is not None)


def text_of(stage: str, task: typed.Task) -> str:
    """A task as a stage sees it: `typed`, `terms` or `python`."""
    if stage == "typed":
        return dump(task)
    if stage == "terms":
        return prove(task, executor(task)).text
    files = {**emit_services((task,)), **emit_task(task, None)}
    texts = ((path, text) for path, text in files.items() if isinstance(text, str) and path.endswith(".py"))
    return "\n".join(f"# {path}\n{text}" for path, text in texts)
