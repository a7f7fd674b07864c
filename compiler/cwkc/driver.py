"""The pipeline: from paths to a pack, a stage a line.

    text ── parse ──▶ tree ── check ──▶ typed tasks ── emit ──▶ files ── prove, follow ──▶ proofs ── rehearse ──▶ pack

No stage raises for a user's mistake: each gives what it made of its input, and diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, has_errors
from cwkc.dump import dump
from cwkc.inputs import Disk, Files, common_folder, identified
from cwkc.meaning import typed
from cwkc.meaning.check import Program, check_program
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services
from cwkc.source import Source
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import read
from cwkc.workshop import Workshop

if TYPE_CHECKING:  # the later rooms are imported where they are used: a file with mistakes need not wait for them
    from coworkdsl.files import Content
    from cwkc.prove import Proof
    from cwkc.stages import Bench

STAGES = ("syntax", "typed", "terms", "python")

DISK, ALONE = Disk(), Workshop()
"""The files as they are stored, and this process without a memory."""


@frozen(eq=False)
class Checked:
    """`proofs` by task name; a task whose proof failed has one too. `files` are the pack's, without the proofs, and
    `bench` has the pack that they make; None where there is nothing to make."""

    diagnostics: tuple[Diagnostic, ...]
    tasks: tuple[typed.Task, ...] = ()
    proofs: Mapping[str, Proof] = field(factory=dict)
    files: Mapping[str, Content] = field(factory=dict)
    bench: Bench | None = None


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
    inputs: Files = DISK,
    workshop: Workshop = ALONE,
) -> Checked:
    """Everything up to and including the proofs. `budget`: the solver's steps for each question; `inputs`: where texts
    come from; `workshop`: who proves and rehearses."""
    program, found = understand(paths, inputs)
    if not program.tasks:
        return Checked(found)
    from coworkdsl import Pack
    from cwkc.emit import emit_pack, service_clashes
    from cwkc.keys import task_keys
    from cwkc.prove import BUDGET
    from cwkc.stages import Bench, prove_all

    clashes = service_clashes(program.tasks)
    if clashes:
        return Checked((*found, *clashes), program.tasks)
    files = emit_pack(program.tasks, {})
    bench = Bench(Pack.from_files(files), task_keys(program, files), budget or BUDGET, workshop, tell)
    proofs, told = prove_all(program.tasks, bench)
    if has_errors(found):  # what was misread may be what a warning misses
        told = tuple(diagnostic for diagnostic in told if diagnostic.is_error)
    return Checked((*found, *told), program.tasks, proofs, files, bench)


def build(
    paths: Sequence[Path],
    tell: Callable[[str], None] = _silent,
    budget: int | None = None,
    inputs: Files = DISK,
    workshop: Workshop = ALONE,
) -> Built:
    """Check, rehearse: the files of the pack, when everything is right."""
    checked = check(paths, tell, budget, inputs, workshop)
    if has_errors(checked.diagnostics):
        return Built(checked.diagnostics, checked.tasks, checked.proofs)
    from cwkc.emit import emit_pack, emit_proofs
    from cwkc.stages import rehearse_all

    if checked.bench is None:  # services alone make a pack without tasks
        return Built(checked.diagnostics, files=emit_pack((), {}))
    proofs, told = rehearse_all(checked.tasks, checked.proofs, checked.bench)
    diagnostics = (*checked.diagnostics, *told)
    if has_errors(told):
        return Built(diagnostics, checked.tasks, proofs)
    files = {**checked.files, **emit_proofs({name: proof.to_json() for name, proof in proofs.items()})}
    return Built(diagnostics, checked.tasks, proofs, files)


def understand(paths: Sequence[Path], inputs: Files = DISK) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The typed tasks of files, and what is wrong with the files."""
    root = common_folder(paths)
    sources: list[Source] = []
    found: list[Diagnostic] = []
    for path in paths:
        source, diagnostics = identified(path, root, inputs)
        found += diagnostics
        if source is not None:
            sources.append(source)
    program, diagnostics = check_program(sources, _library(root, inputs))
    return program, (*found, *diagnostics)


def stage_text(stage: str, path: Path) -> tuple[str, tuple[Diagnostic, ...]]:
    """What a file looks like at one of the `STAGES`."""
    if stage == "syntax":
        source, found = read(path, path.as_posix())
        if source is None:
            return "", found
        module, found = parse(source)
        return dump(module), found
    from cwkc.stages import text_of

    program, found = understand([path])
    return "\n".join(text_of(stage, task) for task in program.tasks), found


# ---------------------------------------------------------------------------- parts


def _library(root: Path, inputs: Files) -> Library:
    def open_file(name: str) -> Source | None:
        return identified(Path(name), root, inputs)[0]

    return Library(parse, standard_service, standard_services(), open_file, inputs.content)
