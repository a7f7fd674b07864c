"""Tasks from texts."""

from __future__ import annotations

from cwkc.diagnostics import has_errors
from cwkc.meaning import typed
from cwkc.meaning.check import check_program
from cwkc.meaning.program import Library
from cwkc.resources import standard_service, standard_services
from cwkc.source import Source
from cwkc.syntax.parser import parse

LIBRARY = Library(parse, standard_service, standard_services(), lambda name: None)


def task_of(text: str, name: str = "task.cwk") -> typed.Task:
    """The only task of a text, which must be free of errors."""
    program, diagnostics = check_program([Source(name, text)], LIBRARY)
    assert not has_errors(diagnostics), [diagnostic.message for diagnostic in diagnostics]
    (task,) = program.tasks
    return task
