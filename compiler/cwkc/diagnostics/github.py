"""Diagnostics as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable

from cwkc.diagnostics.model import Diagnostic


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One command per line."""
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    source = diagnostic.span.source
    line, column = source.position(diagnostic.span.start)
    end_line, end_column = source.position(diagnostic.span.end)
    properties = {
        "file": source.name,
        "line": str(line),
        "col": str(column),
        "endLine": str(end_line),
        "endColumn": str(end_column),
        "title": f"{diagnostic.code} {diagnostic.entry.name}",
    }
    written = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{diagnostic.entry.severity.value} {written}::{_escape(_text(diagnostic))}"


def _text(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message]
    lines += [f"{label.span.place}: {label.text}" for label in diagnostic.related]
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(lines)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
