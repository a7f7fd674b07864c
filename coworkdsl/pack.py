"""A pack: tasks with their services, worlds and graders, as the compiler wrote them.

Opening a pack runs none of its code; the first environment of a task runs the services that it uses, and the first
score its grader. Open packs that you trust.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from coworkdsl.environment import Environment
from coworkdsl.families import Family
from coworkdsl.files import Content, DiskFiles, Files, MemoryFiles, PackError
from coworkdsl.task import Services, Task
from coworkdsl.voice import Voice

_INDEX = "pack.json"
_TASK_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class Tasks(Mapping[str, Task]):
    """Every task of a pack by id: those that stand alone, then the members of each family, none of which is read
    before it is asked for. May raise PackError."""

    def __init__(self, alone: Mapping[str, Task], families: Mapping[str, Family]) -> None:
        self._alone = alone
        self._families = families

    def __getitem__(self, id: str) -> Task:
        if id in self._alone:
            return self._alone[id]
        return self._families[id.partition(".")[0]].member(id)

    def __iter__(self) -> Iterator[str]:
        yield from self._alone
        for family in self._families.values():
            yield from family

    def __len__(self) -> int:
        return len(self._alone) + sum(family.count for family in self._families.values())


class Pack:
    """`tasks`: every task by id, in the pack's order. `families`: by id. `index`: what pack.json says."""

    def __init__(self, files: Files) -> None:
        """Raises PackError."""
        self._files = files
        self.index: Mapping[str, Any] = files.document(_INDEX, {"tasks": list})
        services = Services(files)
        entries = map(_checked_entry, self.index["tasks"])
        alone = {id: Task(files, services, id, title) for id, title in entries}
        self.families: Mapping[str, Family] = {
            id: Family(files, services, id, title, _members(entry))
            for entry in self.index.get("families", ())
            for id, title in (_checked_entry(entry),)
        }
        self.tasks: Mapping[str, Task] = Tasks(alone, self.families)

    def __reduce__(self) -> tuple[type[Pack], tuple[Files]]:
        """Pickled, a pack is its files, without the code that was loaded from them."""
        return Pack, (self._files,)

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Pack:
        """The pack in a folder. Raises PackError."""
        root = Path(path)
        if not root.is_dir():
            raise PackError(f"{root}: no such folder")
        return cls(DiskFiles(root))

    @classmethod
    def from_files(cls, files: Mapping[str, Content]) -> Pack:
        """The pack of these files by relative path. Raises PackError."""
        return cls(MemoryFiles(files))

    def task(self, id: str) -> Task:
        """Raises PackError."""
        try:
            return self.tasks[id]
        except KeyError:
            raise PackError(f"the pack has no task `{id}`") from None

    def env(self, task: str, seed: int = 0, voice: Voice | None = None) -> Environment:
        """A fresh environment of the task; `voice` words what its user says. Raises PackError."""
        return Environment(self.task(task), seed, voice)


def _checked_entry(entry: Any) -> tuple[str, str]:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise PackError(f"{_INDEX}: each of `tasks` and `families` must be an object with an `id`")
    id, title = entry["id"], entry.get("title")
    if not _TASK_ID.fullmatch(id):
        raise PackError(f"{_INDEX}: `{id}` is no task id: letters, digits, `_`, `-` and `.` make one")
    return id, title if isinstance(title, str) else id


def _members(entry: Mapping[str, Any]) -> int:
    members = entry.get("members")
    if not isinstance(members, int) or members < 1:
        raise PackError(f"{_INDEX}: each of `families` must have `members`, a number of 1 or more")
    return members
