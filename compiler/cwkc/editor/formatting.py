"""Formatting: the one place in which the editor's room knows of the formatter."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

MODULE = "cwkc.syntax.formatter"


def formatter() -> Callable[[str], str] | None:
    """From a text to the text in its layout; None where this build has no formatter."""
    if find_spec(MODULE) is None:
        return None
    format_text: Callable[[str], str] = import_module(MODULE).format_text
    return format_text
