"""Type descriptors: how emitted code and a pack's files say what a value may be."""

from __future__ import annotations

from typing import Any

from cwkc.emit.literals import quoted
from cwkc.emit.printer import Document, listed


def spelled(described: Any) -> Document:
    """A descriptor as Python text."""
    match described:
        case str():
            return quoted(described)
        case list():
            return listed("[", map(spelled, described), "]")
        case _:
            ((form, inner),) = described.items()
            return listed("{", [(f"{quoted(form)}: ", spelled(inner))], "}")
