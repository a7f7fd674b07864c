"""What an import comes to: the text of a file, laid out, and what is left to do."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cwkc.diagnostics import Diagnostic
from cwkc.importing.skeleton import Service
from cwkc.importing.wording import Todo
from cwkc.source import Source
from cwkc.syntax.formatter import format_text


@frozen
class Imported:
    """`name` is what the file is called, without its suffix; `left` are the warnings, one for each thing to do."""

    name: str
    text: str
    left: tuple[Diagnostic, ...]


def imported(name: str, text: str, todos: Sequence[Todo]) -> Imported:
    """The text laid out. Raises ValueError when it is no `.cwk`, which only a defect of the import brings about."""
    laid_out, found = format_text(Source(f"{name}.cwk", text))
    if laid_out is None:
        raise ValueError("; ".join(f"{each.span.line}: {each.message}" for each in found))
    return Imported(name, laid_out, tuple(todo.diagnostic for todo in todos))


def service_file(service: Service) -> Imported:
    """A file with one service."""
    return imported(service.name, f"cwk 1\n\n{service}\n", service.all_todos)
