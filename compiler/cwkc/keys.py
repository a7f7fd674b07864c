"""What the answers about a task depend on, as a digest of each task."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from coworkdsl.files import Content
from cwkc.cache import digest_of
from cwkc.meaning import typed
from cwkc.meaning.check import Program


def task_keys(program: Program, files: Mapping[str, Content]) -> dict[str, str]:
    """By name, a digest of a task's sources, of the names that diagnostics show for them, and of what is executed of
    it in a pack of these files."""
    shown = {unit.source.identity: unit.source.name for unit in program.units}
    executed = _executed(files)
    return {task.name: _key(task, shown, executed) for task in program.tasks}


def _key(task: typed.Task, shown: Mapping[str, str], executed: Mapping[str, list[tuple[str, str]]]) -> str:
    sources = [(identity, shown.get(identity), digest) for identity, digest in sorted(task.sources.items())]
    modules = [digest for name in sorted(task.services) for digest in executed.get(f"services/{name}.py", ())]
    return digest_of(task.name, sources, executed[f"tasks/{task.name}"], modules)


def _executed(files: Mapping[str, Content]) -> dict[str, list[tuple[str, str]]]:
    """The digests of files, by the folder of a task or by the path of a service."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for path, content in files.items():
        folder = "/".join(path.split("/")[:2])
        groups.setdefault(folder, []).append((path, _digest(content)))
    return groups


def _digest(content: Content) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()
