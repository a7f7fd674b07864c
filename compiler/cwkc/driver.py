"""The pipeline: from paths to a pack, a stage a line.

    text ── parse ──▶ tree ── check ──▶ typed tasks ── emit ──▶ files ── prove, follow ──▶ proofs ── rehearse ──▶ pack

No stage raises for a user's mistake: each gives what it made of its input, and diagnostics.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from cwkc.diagnostics import Diagnostic, has_errors
from cwkc.dump import dump
from cwkc.meaning import typed
from cwkc.meaning.check import Program, check_program
from cwkc.meaning.families import Sampling
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import content_of, read

if TYPE_CHECKING:  # the later rooms are imported where they are used: a file with mistakes need not wait for them
    from coworkdsl import Pack
    from coworkdsl.files import Content
    from cwkc.families import ProvedFamily
    from cwkc.prove import Proof

ALL_BUT_TOO_MANY = Sampling()
"""Every member of a family, or a sample where there are many."""

STAGES = ("syntax", "typed", "terms", "python")

Reader = Callable[[Path, str], tuple[Source | None, tuple[Diagnostic, ...]]]
"""From a path and the name that diagnostics show for it to its source, or None and the reason."""


@frozen(eq=False)
class Checked:
    """`proofs` by the name of a task or family; a task whose proof failed has one too. `files` are the pack's, without
    the proofs, and `pack` is what they make; None where there is nothing to make."""

    diagnostics: tuple[Diagnostic, ...]
    tasks: tuple[typed.Task, ...] = ()
    proofs: Mapping[str, Proof] = field(factory=dict)
    files: Mapping[str, Content] = field(factory=dict)
    pack: Pack | None = None
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
) -> Checked:
    """Everything up to and including the proofs. `budget`: the solver's steps for each question. `sampling`: which
    members of families are built. `reader`: where texts come from."""
    program, found = understand(paths, reader)
    if not program.tasks and not program.families:
        return Checked(found)
    from coworkdsl import Pack
    from cwkc.emit import emit_family, emit_pack, service_clashes
    from cwkc.stages import prove_all, prove_families, survey_families

    surveyed, members = survey_families(program.families, sampling, tell)
    found = (*found, *members)
    firsts = (each.built.form.first for each in surveyed)
    clashes = service_clashes((*program.tasks, *firsts))
    if clashes:
        return Checked((*found, *clashes), program.tasks)
    files = emit_pack(program.tasks, {}, [emit_family(each.built) for each in surveyed])
    pack = Pack.from_files(files)
    proofs, told = prove_all(program.tasks, pack, budget, tell)
    families, of_members = prove_families(surveyed, pack, budget, tell)
    told = (*told, *of_members)
    if has_errors(found):  # what was misread may be what a warning misses
        told = tuple(diagnostic for diagnostic in told if diagnostic.is_error)
    proofs = {**proofs, **{each.surveyed.family.name: each.proof for each in families}}
    return Checked((*found, *told), program.tasks, proofs, files, pack, families)


def build(
    paths: Sequence[Path],
    tell: Callable[[str], None] = _silent,
    budget: int | None = None,
    sampling: Sampling = ALL_BUT_TOO_MANY,
    reader: Reader = read,
) -> Built:
    """Check, rehearse: the files of the pack, when everything is right."""
    checked = check(paths, tell, budget, sampling, reader)
    if has_errors(checked.diagnostics):
        return Built(checked.diagnostics, checked.tasks, checked.proofs)
    from cwkc.emit import emit_family, emit_pack, emit_proofs
    from cwkc.stages import rehearse_all, rehearse_families

    if checked.pack is None:  # services alone make a pack without tasks
        return Built(checked.diagnostics, files=emit_pack((), {}))
    proofs, told = rehearse_all(checked.tasks, checked.proofs, checked.pack, tell)
    families, of_members = rehearse_families(checked.families, checked.pack, tell)
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


def write(files: Mapping[str, Content], folder: Path) -> None:
    """The pack into its folder, whole or not at all. Raises OSError."""
    from cwkc.emit import write_pack

    write_pack(files, folder)


def understand(paths: Sequence[Path], reader: Reader = read) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The typed tasks of files, and what is wrong with the files."""
    root = _common_folder(paths)
    sources: list[Source] = []
    found: list[Diagnostic] = []
    for path in paths:
        source, diagnostics = _read(path, root, reader)
        found += diagnostics
        if source is not None:
            sources.append(source)
    program, diagnostics = check_program(sources, _library(root, reader))
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


# ---------------------------------------------------------------------------- parts


def _common_folder(paths: Sequence[Path]) -> Path:
    """The folder that all the files lie below: names in a pack are relative to it, wherever the compiler is started."""
    return Path(os.path.commonpath([os.path.abspath(path.parent) for path in paths])) if paths else Path()


def _read(path: Path, root: Path, reader: Reader) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    source, found = reader(path, path.as_posix())
    if source is None:
        return None, found
    identity = Path(os.path.relpath(path, root)).as_posix()
    return evolve(source, identity=identity), found


def _library(root: Path, reader: Reader) -> Library:
    def open_file(name: str) -> Source | None:
        return _read(Path(name), root, reader)[0]

    return Library(parse, standard_service, standard_services(), standard_words, open_file, content_of)
