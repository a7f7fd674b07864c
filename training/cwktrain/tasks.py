"""What a pack says about its tasks, as far as runs are sorted by it; and which pack it is."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from coworkdsl import Pack, Task

_CHUNK = 1 << 20


@frozen
class TaskFacts:
    """`family` is the task's own id where it belongs to none. `dialogue`: a simulated user takes part."""

    id: str
    family: str
    category: str | None
    capabilities: tuple[str, ...]
    services: tuple[str, ...]
    dialogue: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> TaskFacts:
        """Raises KeyError and TypeError for what is none."""
        capabilities, services = tuple(document["capabilities"]), tuple(document["services"])
        return cls(**{**document, "capabilities": capabilities, "services": services})


def facts_of(pack: Pack) -> dict[str, TaskFacts]:
    """Of each task by id, in the pack's order. Raises PackError."""
    facts = {entry["id"]: _facts(pack.task(entry["id"]), entry) for entry in pack.index["tasks"]}
    for entry in pack.index.get("families", ()):
        members = tuple(pack.families[entry["id"]])
        shared = _facts(pack.task(members[0]), entry)
        facts |= {id: evolve(shared, id=id) for id in members}
    return facts


def _facts(task: Task, entry: Mapping[str, Any]) -> TaskFacts:
    """Of a task, or of a family by one of its members: what these facts are of is the same in all."""
    return TaskFacts(
        task.id,
        entry["id"],
        entry.get("category"),
        tuple(entry.get("capabilities") or ()),
        tuple(dict.fromkeys(tool.name.partition(".")[0] for tool in task.offered.values())),
        task.script.patience is not None,
    )


def digest(folder: Path) -> str:
    """SHA-256 over the names and the bytes of a folder's files, such as a pack's: runs of packs that differ are not
    mixed."""
    total = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            while content := file.read(_CHUNK):
                total.update(content)
    return total.hexdigest()
