"""The compiler's verdict on drafts: first on the task alone, then on the task with its grading.

A draft is read with the files that its slot gives it, and with no other: what a model wrote opens no file of the
user's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from attrs import field, frozen

from coworkdsl import Pack
from coworkdsl.values import to_wire
from cwkc import driver
from cwkc.generate.faults import DRAFT, GRADE, TASK, Fault, fault, faults_of
from cwkc.generate.halves import GRADING, joined, lines_of, truths_needed
from cwkc.generate.owners import Owner
from cwkc.generate.slots import Slot
from cwkc.inputs import Reader, Reading
from cwkc.meaning import typed
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import source_of

_ANY_GRADE = 'cwk 1\ngrade {name} {{ check 1.0 "any" answer contains "any" }}'
"""Stands in for the grading while the task is looked at alone: without one, it is no task."""


_ENTRIES = ("now", "category", "scenario", "difficulty", "language", "capabilities")
"""The entries that a task and its slot have in common."""


class Verdict(NamedTuple):
    """`task` is None where there is something wrong; `pack` only where the whole was built."""

    faults: tuple[Fault, ...]
    task: typed.Task | None = None
    pack: Pack | None = None


@frozen(eq=False)
class Checker:
    """`folder`: where tasks are to lie; `files`: what they may use, by absolute path. The compiler works for one thread
    at a time."""

    folder: Path
    files: Mapping[str, str]
    _working: Lock = field(factory=Lock, init=False)

    def task_alone(self, slot: Slot, text: str) -> Verdict:
        """Whether a text is a task without grading, as the slot wants it."""
        module, found = parse(Source(DRAFT, text))
        faults = faults_of(found, lines_of(text)) or tuple(_faults_of_shape(slot, module))
        if faults:
            return Verdict(_all_of(Owner.WRITER, faults, TASK))
        path, reader = self._reading(joined(text, _ANY_GRADE.format(name=slot.name)))
        with self._working:
            program, found = driver.understand([path], reader, _no_content)
        faults = faults_of(found, lines_of(text))
        if faults or not program.tasks:
            return Verdict(_all_of(Owner.WRITER, faults, TASK))
        (task,) = program.tasks
        unlike = tuple(_unlike(slot, task))
        return Verdict(unlike, None if unlike else task)

    def whole(self, slot: Slot, task: str, grade: str) -> Verdict:
        """Whether a task, found right alone, and a grading make one that holds: proved, and rehearsed."""
        module, found = parse(Source(DRAFT, grade))
        faults = faults_of(found, 0) or tuple(_faults_of_grade(slot, module))
        if faults:
            return Verdict(_all_of(Owner.VERIFIER, faults, GRADE))
        path, reader = self._reading(joined(task, grade))
        with self._working:
            built = driver.build([path], reader=reader, content=_no_content)
        faults = faults_of(built.diagnostics, lines_of(task))
        if faults or built.files is None:
            return Verdict(faults)
        return Verdict((), built.tasks[0], Pack.from_files(built.files))

    def _reading(self, text: str) -> tuple[Path, Reader]:
        """Where a draft seems to lie, and who reads it there."""
        path = self.folder.absolute() / DRAFT
        texts = {**self.files, path.as_posix(): text}

        def reader(path: Path, name: str) -> Reading:
            return source_of(texts[name].encode(), name) if name in texts else (None, ())

        return path, reader


def _no_content(name: str) -> bytes | None:
    """No file goes with a task that a model wrote."""
    return None


def _all_of(owner: Owner, faults: Iterable[Fault], file: str) -> tuple[Fault, ...]:
    """The faults of a half that is looked at alone: whatever they mark is in it."""
    placed = ({**each.document, "file": file} if "file" in each.document else each.document for each in faults)
    return tuple(Fault(owner, document) for document in placed)


# ---------------------------------------------------------------------------- the shape of the two files


def _faults_of_shape(slot: Slot, module: tree.Module) -> Iterator[Fault]:
    tasks = [item for item in module.items if isinstance(item, tree.Task)]
    others = [item for item in module.items if not isinstance(item, tree.Task | tree.World | tree.Vocabulary)]
    if [task.name.text for task in tasks] != [slot.name] or others:
        yield fault(
            Owner.WRITER,
            "wrong-items",
            f"the file is to hold one task called `{slot.name}`, and beside it worlds and vocabularies alone",
            f'write `task {slot.name} "TITLE" {{ … }}`, and no `service`, `family`, `grade` or `plan`',
        )
        return
    yield from _faults_of_items(tasks[0])


def _faults_of_items(task: tree.Task) -> Iterator[Fault]:
    idle = {item.name.text for item in task.items if isinstance(item, tree.TruthLet)} - truths_needed(task)
    if idle or any(isinstance(item, GRADING) for item in task.items):
        shown = ", ".join(f"`{name}`" for name in sorted(idle))
        yield fault(
            Owner.WRITER,
            "grading-in-task",
            f"the task grades itself, or has truths that nothing but grading reads{': ' if idle else ''}{shown}",
            "leave the grading, and the truths for it, to its `grade`, which another author writes",
        )
    refused = {tree.Allow: "allow", tree.Asset: "asset"}
    for kind, word in refused.items():
        if any(isinstance(item, kind) for item in task.items):
            yield fault(
                Owner.WRITER,
                f"{word}-in-task",
                f"the task has an `{word}`, which a generated task cannot have",
                "leave it out",
            )


def _unlike(slot: Slot, task: typed.Task) -> Iterator[Fault]:
    """Where a task is other than its slot says."""
    said = {name: to_wire(getattr(task, name)) for name in _ENTRIES}
    for name, wanted in slot.words.items():
        if name in said and not _agrees(said[name], wanted) and not (name == "scenario" and slot.tells_freely):
            yield fault(
                Owner.WRITER,
                "unlike-slot",
                f"the task's `{name}` is {_shown(said[name])}, where its slot wants {_shown(wanted)}",
                f"write `{name}:` as the slot has it",
            )
    offered = {tool.name.partition(".")[0] for tool in task.tools}
    for service in slot.wanted.services:
        if service not in offered:
            yield fault(
                Owner.WRITER,
                "unlike-slot",
                f"the task offers no tool of `{service}`, a service of its slot",
                f"offer one in `tools`, and let the work need it: `{service}.{{…}}`",
            )


def _agrees(said: object, wanted: object) -> bool:
    """A slot may name a day where a task names a moment, and capabilities in any order."""
    if isinstance(said, list) and isinstance(wanted, list):
        return sorted(said) == sorted(wanted)
    return said == wanted or (isinstance(said, str) and isinstance(wanted, str) and said.startswith(f"{wanted}T"))


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"`[{', '.join(map(str, value))}]`"
    return "not said" if value is None else f"`{value}`"


def _faults_of_grade(slot: Slot, module: tree.Module) -> Iterable[Fault]:
    grades = [item for item in module.items if isinstance(item, tree.Grade)]
    if [grade.name.text for grade in grades] != [slot.name] or len(module.items) != 1:
        yield fault(
            Owner.VERIFIER,
            "wrong-items",
            f"the file is to hold one `grade` of `{slot.name}` and nothing else",
            f"write `cwk 1` and `grade {slot.name} {{ … }}`",
        )
    elif not any(isinstance(item, tree.Check | tree.Judge) for item in grades[0].items):
        yield fault(
            Owner.VERIFIER,
            "nothing-checked",
            "the grading has no `check`, so there is nothing to earn",
            "write checks whose weights sum to 1",
        )
