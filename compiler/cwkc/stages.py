"""The later stages of the pipeline: each for all tasks, from one value to the next plus diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from cwkc.bench import Bench, Shared, Subject
from cwkc.diagnostics import Diagnostic
from cwkc.dump import dump
from cwkc.emit import emit_services, emit_task
from cwkc.families import ProvedFamily, Surveyed, prove_family, rehearse_family, survey_family
from cwkc.keys import task_folder
from cwkc.meaning import typed
from cwkc.meaning.families import Family, Sampling
from cwkc.prove import Proof, prove
from cwkc.rehearse import executor
from cwkc.workshop import Answer, Workshop

Proofs = Mapping[str, Proof]
Found = tuple[Diagnostic, ...]


def prove_all(tasks: Sequence[typed.Task], bench: Bench) -> tuple[Proofs, Found]:
    """The proof of each task, by name, and what is wrong with the tasks."""
    return _by_name(tasks, bench.proofs(map(_alone, tasks), Shared(bench.pack)))


def rehearse_all(tasks: Sequence[typed.Task], proofs: Proofs, bench: Bench) -> tuple[Proofs, Found]:
    """The proofs with what was executed in the finished pack, and what is wrong with the tasks."""
    asked = ((_alone(task), proofs[task.name]) for task in tasks)
    completed, found = _by_name(tasks, bench.rehearsals(asked, Shared(bench.pack)))
    return {**proofs, **completed}, found


def _alone(task: typed.Task) -> Subject:
    return Subject(task, task.name, task.span, task_folder(task.name))


def _by_name(tasks: Sequence[typed.Task], answers: Iterable[Answer]) -> tuple[Proofs, Found]:
    """The proofs that there are."""
    proofs: dict[str, Proof] = {}
    found: list[Diagnostic] = []
    for task, answer in zip(tasks, answers, strict=True):
        found += answer.diagnostics
        if answer.proof is not None:
            proofs[task.name] = answer.proof
    return proofs, tuple(found)


def survey_families(
    families: Sequence[Family], sampling: Sampling, workshop: Workshop, tell: Callable[[str], None]
) -> tuple[tuple[Surveyed, ...], tuple[Diagnostic, ...]]:
    """The families all of whose members are right, and what is wrong with the others."""
    results = [survey_family(family, sampling, workshop, tell) for family in families]
    found = tuple(diagnostic for _, diagnostics in results for diagnostic in diagnostics)
    return tuple(surveyed for surveyed, _ in results if surveyed is not None), found


def prove_families(
    families: Sequence[Surveyed], bench: Bench
) -> tuple[tuple[ProvedFamily, ...], tuple[Diagnostic, ...]]:
    """The proofs of each family, and what is wrong with their members."""
    results = [prove_family(family, bench) for family in families]
    found = tuple(diagnostic for _, diagnostics in results for diagnostic in diagnostics)
    return tuple(proved for proved, _ in results if proved is not None), found


def rehearse_families(
    families: Sequence[ProvedFamily], bench: Bench
) -> tuple[tuple[ProvedFamily, ...], tuple[Diagnostic, ...]]:
    """The proofs of each family with what was executed, and what is wrong with their members."""
    results = [rehearse_family(family, bench) for family in families]
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
