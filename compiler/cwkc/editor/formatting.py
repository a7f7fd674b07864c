"""Formatting: the one place in which the editor's room knows of the formatter."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from cwkc.source import Source

MODULE = "cwkc.syntax.formatter"


def formatter() -> Callable[[str], str | None] | None:
    """From a text to its layout, or to None where it has mistakes. None where this build has no formatter."""
    if find_spec(MODULE) is None:
        return None
    format_text = import_module(MODULE).format_text

    def formatted(text: str) -> str | None:
        laid_out: str | None = format_text(Source("text", text))[0]
        return laid_out

    return formatted
