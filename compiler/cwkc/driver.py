"""The pipeline: from paths to a pack, a stage a line.

    text ── parse ──▶ tree ── check ──▶ typed tasks ── emit ──▶ files ── prove, follow ──▶ proofs ── rehearse ──▶ pack

No stage raises for a user's mistake: each gives what it made of its input, and diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from cwkc import fixes
from cwkc.diagnostics import Diagnostic, has_errors
from cwkc.dump import dump
from cwkc.inputs import Reader, common_folder, identified
from cwkc.meaning import typed
from cwkc.meaning.assets import ReadFile
from cwkc.meaning.check import Program, check_program
from cwkc.meaning.families import Sampling
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import content_of, read, source_of
from cwkc.workshop import Workshop

if TYPE_CHECKING:  # the later rooms are imported where they are used: a file with mistakes need not wait for them
    from coworkdsl.files import Content
    from cwkc.bench import Bench
    from cwkc.families import ProvedFamily
    from cwkc.prove import Proof

ALL_BUT_TOO_MANY = Sampling()
"""Every member of a family, or a sample where there are many."""

STAGES = ("syntax", "typed", "terms", "python")

ALONE = Workshop()
"""This process, without a memory."""


@frozen(eq=False)
class Checked:
    """`proofs` by the name of a task or family; a task whose proof failed has one too. `files` are the pack's, without
    the proofs, and `bench` has the pack that they make; None where there is nothing to make."""

    diagnostics: tuple[Diagnostic, ...]
    tasks: tuple[typed.Task, ...] = ()
    proofs: Mapping[str, Proof] = field(factory=dict)
    files: Mapping[str, Content] = field(factory=dict)
    bench: Bench | None = None
    families: tuple[ProvedFamily, ...] = ()


@frozen(eq=False)
class Built:
    """`files` is None where something is wrong: then there is no pack."""

    diagnostics: tuple[Diagnostic, ...]
    tasks: tuple[typed.Task, ...] = ()
    proofs: Mapping[str, Proof] = field(factory=dict)
    files: Mapping[str, Content] | None = None


def _silent(doing: str) -> None:
    """Nobody wants to know."""


def check(
    paths: Sequence[Path],
    tell: Callable[[str], None] = _silent,
    budget: int | None = None,
    sampling: Sampling = ALL_BUT_TOO_MANY,
    reader: Reader = read,
    content: ReadFile = content_of,
    workshop: Workshop = ALONE,
) -> Checked:
    """Everything up to and including the proofs. `budget`: the solver's steps for each question. `sampling`: which
    members of families are built. `reader` and `content`: where texts and assets come from. `workshop`: who proves and
    rehearses."""
    program, found = understand(paths, reader, content)
    if not program.tasks and not program.families:
        return Checked(found)
    from coworkdsl import Pack
    from cwkc.bench import Bench
    from cwkc.emit import emit_family, emit_pack, service_clashes
    from cwkc.keys import family_folder, keys_of, task_folder
    from cwkc.prove import BUDGET
    from cwkc.stages import prove_all, prove_families, survey_families

    surveyed, members = survey_families(program.families, sampling, workshop, tell)
    found = (*found, *members)
    tasks = {task_folder(task.name): task for task in program.tasks}
    tasks |= {family_folder(each.family.name): each.built.form.first for each in surveyed}
    clashes = service_clashes(tasks.values())
    if clashes:
        return Checked((*found, *clashes), program.tasks)
    files = emit_pack(program.tasks, {}, [emit_family(each.built) for each in surveyed])
    keys = keys_of(program.units, tasks, files)
    bench = Bench(Pack.from_files(files), keys, budget or BUDGET, workshop, tell)
    proofs, told = prove_all(program.tasks, bench)
    families, of_members = prove_families(surveyed, bench)
    told = (*told, *of_members)
    if has_errors(found):  # what was misread may be what a warning misses
        told = tuple(diagnostic for diagnostic in told if diagnostic.is_error)
    proofs = {**proofs, **{each.surveyed.family.name: each.proof for each in families}}
    return Checked((*found, *told), program.tasks, proofs, files, bench, families)


def build(
    paths: Sequence[Path],
    tell: Callable[[str], None] = _silent,
    budget: int | None = None,
    sampling: Sampling = ALL_BUT_TOO_MANY,
    reader: Reader = read,
    content: ReadFile = content_of,
    workshop: Workshop = ALONE,
) -> Built:
    """Check, rehearse: the files of the pack, when everything is right."""
    checked = check(paths, tell, budget, sampling, reader, content, workshop)
    if has_errors(checked.diagnostics):
        return Built(checked.diagnostics, checked.tasks, checked.proofs)
    from cwkc.emit import emit_family, emit_pack, emit_proofs
    from cwkc.stages import rehearse_all, rehearse_families

    if checked.bench is None:  # services alone make a pack without tasks
        return Built(checked.diagnostics, files=emit_pack((), {}))
    proofs, told = rehearse_all(checked.tasks, checked.proofs, checked.bench)
    families, of_members = rehearse_families(checked.families, checked.bench)
    joined = {each.surveyed.family.name: each.proof for each in families}
    proofs, told = {**proofs, **joined}, (*told, *of_members)
    diagnostics = (*checked.diagnostics, *told)
    if has_errors(told):
        return Built(diagnostics, checked.tasks, proofs)
    alone = {task.name: proofs[task.name].to_json() for task in checked.tasks}
    files = {**checked.files, **emit_proofs(alone)}
    for each in families:
        files |= emit_family(each.surveyed.built, each.proof.to_json()).files
    return Built(diagnostics, checked.tasks, proofs, files)


def understand(
    paths: Sequence[Path], reader: Reader = read, content: ReadFile = content_of
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The typed tasks of files, and what is wrong with the files."""
    root = common_folder(paths)
    sources: list[Source] = []
    found: list[Diagnostic] = []
    for path in paths:
        source, diagnostics = identified(path, root, reader)
        found += diagnostics
        if source is not None:
            sources.append(source)
    program, diagnostics = check_program(sources, _library(root, reader, content))
    return program, (*found, *diagnostics)


def stage_text(stage: str, path: Path) -> tuple[str, tuple[Diagnostic, ...]]:
    """What a file looks like at one of the `STAGES`; of a family, its first member."""
    if stage == "syntax":
        source, found = read(path, path.as_posix())
        if source is None:
            return "", found
        module, found = parse(source)
        return dump(module), found
    from cwkc.stages import first_members, text_of

    program, found = understand([path])
    shown = [text_of(stage, task) for task in (*program.tasks, *first_members(program.families))]
    planned = [dump(plan) for plan in program.plans] if stage == "typed" else []
    return "\n".join((*shown, *planned)), found


def offer_fixes(paths: Sequence[Path], found: Sequence[Diagnostic], reader: Reader = read) -> tuple[Diagnostic, ...]:
    """What was found in files, with those fixes alone that were seen to work."""
    if not any(each.fix is not None for each in found):
        return tuple(found)
    return fixes.offered(found, lambda texts: understand(paths, reader_of(texts, reader))[1])


def mend(paths: Sequence[Path]) -> Mapping[Path, str]:
    """The files that can be mended, each with its text then."""
    names = {path.as_posix(): path for path in paths}
    state = fixes.mended(names, lambda texts: understand(paths, reader_of(texts))[1])
    return {names[name]: text for name, text in state.texts.items()}


def reader_of(texts: fixes.Texts, otherwise: Reader = read) -> Reader:
    """A reader to which files of these names have these texts."""

    def reader(path: Path, name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
        return source_of(texts[name].encode(), name) if name in texts else otherwise(path, name)

    return reader


def reference(path: Path) -> tuple[str, tuple[Diagnostic, ...]]:
    """What a file declares, as Markdown; tasks with mistakes are left out."""
    from cwkc.reference import page

    program, found = understand([path])
    scope = program.scopes.get(path.as_posix())
    families = []
    for family in program.families:
        first, of_first = family.check(family.member(0))
        found = (*found, *of_first)
        families += [(family, first)] if first else []
    return page(scope, program.tasks, families) if scope else "", found


def standard_reference(service: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """What a standard service declares, as Markdown. Raises KeyError when there is no such service."""
    from cwkc.reference import page

    text = standard_service(service)
    if text is None:
        raise KeyError(service)
    source = Source(f"stdlib/{service}.cwk", text)
    program, found = check_program([source], _library(Path(), read, content_of))
    return page(program.scopes[source.name], ()), found


# ---------------------------------------------------------------------------- parts


def _library(root: Path, reader: Reader, content: ReadFile) -> Library:
    def open_file(name: str) -> Source | None:
        return identified(Path(name), root, reader)[0]

    return Library(parse, standard_service, standard_services(), standard_words, open_file, content)
