"""A pack: tasks with their services, worlds and graders, as the compiler wrote them.

Opening a pack runs none of its code; the first environment of a task runs the services that it uses, and the first
score its grader. Open packs that you trust.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from coworkdsl.environment import Environment
from coworkdsl.files import Content, DiskFiles, Files, MemoryFiles, PackError
from coworkdsl.task import Services, Task
from coworkdsl.voice import Voice

_INDEX = "pack.json"
_TASK_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class Pack:
    """`tasks`: every task by id, in the pack's order. `index`: what pack.json says."""

    def __init__(self, files: Files) -> None:
        """Raises PackError."""
        self._files = files
        self.index: Mapping[str, Any] = files.document(_INDEX, {"tasks": list})
        services = Services(files)
        entries = map(_checked_entry, self.index["tasks"])
        self.tasks: Mapping[str, Task] = {id: Task(files, services, id, title) for id, title in entries}

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
        raise PackError(f"{_INDEX}: each of `tasks` must be an object with an `id`")
    id, title = entry["id"], entry.get("title")
    if not _TASK_ID.fullmatch(id):
        raise PackError(f"{_INDEX}: `{id}` is no task id: letters, digits, `_`, `-` and `.` make one")
    return id, title if isinstance(title, str) else id
