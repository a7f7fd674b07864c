"""Diagnostics as one JSON array, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from cwkc.diagnostics.model import Diagnostic
from cwkc.source import Span


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """An array with one object per diagnostic; an end position is that after the last character.
    `fix` is what is to stand in the place of the marked text, or null."""
    return json.dumps([_object(diagnostic) for diagnostic in diagnostics], indent=2, ensure_ascii=False)


def _object(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.entry.name,
        "severity": diagnostic.entry.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "fix": diagnostic.fix,
        **_place(diagnostic.span),
        "related": [{**_place(label.span), "message": label.text} for label in diagnostic.related],
    }


def _place(span: Span) -> dict[str, Any]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }
