"""What the answers about tasks depend on, as digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from coworkdsl.files import Content
from cwkc.cache import digest_of
from cwkc.meaning import typed
from cwkc.meaning.program import Unit

MEMBERS = "members.jsonl"
"""The file of a family's folder that has a row for each member: an answer about one depends on its own row alone."""


def task_folder(name: str) -> str:
    """Where a pack has a task."""
    return f"tasks/{name}"


def family_folder(name: str) -> str:
    """Where a pack has a family."""
    return f"families/{name}"


def keys_of(units: Sequence[Unit], tasks: Mapping[str, typed.Task], files: Mapping[str, Content]) -> dict[str, str]:
    """By folder, a digest of its task's sources, of the names that diagnostics show for them, and of what is executed
    of it in a pack of these files. `tasks`: by folder, the task, or the first member of the family."""
    shown: dict[str, list[str]] = {}
    for unit in units:
        shown.setdefault(unit.source.identity, []).append(unit.source.name)
    executed = _executed(files)
    return {folder: _key(folder, task, shown, executed) for folder, task in tasks.items()}


def _key(folder: str, task: typed.Task, shown: Mapping[str, list[str]], executed: Mapping[str, list[list[str]]]) -> str:
    sources = [(identity, shown.get(identity), digest) for identity, digest in sorted(task.sources.items())]
    modules = [executed.get(f"services/{name}.py") for name in sorted(task.services)]
    return digest_of(folder, sources, executed[folder], modules)


def _executed(files: Mapping[str, Content]) -> dict[str, list[list[str]]]:
    """The digests of files, by the folder of a task or a family, or by the path of a service."""
    groups: dict[str, list[list[str]]] = {}
    for path, content in files.items():
        folder, name = "/".join(path.split("/")[:2]), path.rpartition("/")[2]
        if name != MEMBERS:
            groups.setdefault(folder, []).append([path, _digest(content)])
    return groups


def _digest(content: Content) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()
