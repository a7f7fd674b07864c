"""What the tasks of a pack are like, as far as plans count it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coworkdsl import Pack
from coworkdsl.files import DiskFiles
from cwkc.planning.words import ENTRIES, SEVERAL, Words


def tasks_of(folder: Path) -> Iterator[Words]:
    """The words of each task of the pack in a folder. A family is one task: its members differ in values alone.

    None of the pack's code is run. Raises PackError.
    """
    index = Pack.open(folder).index
    files = DiskFiles(folder)
    for kind in ("tasks", "families"):
        for entry in index.get(kind, ()):
            document = files.document(f"{kind}/{entry['id']}/task.json", {"services": list})
            said = {dimension: entry.get(name) for dimension, name in ENTRIES.items() if dimension != "service"}
            yield {dimension: _words(dimension, value) for dimension, value in said.items()} | {
                "service": _words("service", document["services"])
            }


def _words(dimension: str, value: Any) -> tuple[str, ...]:
    """What an index says of a dimension; nothing where it says nothing, or no words."""
    values = value if dimension in SEVERAL and isinstance(value, list) else [value]
    return tuple(word for word in values if isinstance(word, str))
