"""Tasks from texts, and what the solver says of them."""

from __future__ import annotations

from cwkc.diagnostics import has_errors
from cwkc.meaning import typed
from cwkc.meaning.check import check_program
from cwkc.meaning.program import Library
from cwkc.prove.conditions import conditions
from cwkc.prove.run import Execute
from cwkc.prove.search import Result, search
from cwkc.prove.solver import BUDGET
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse

LIBRARY = Library(parse, standard_service, standard_services(), standard_words, lambda name: None)


def task_of(text: str, name: str = "task.cwk") -> typed.Task:
    """The only task of a text, which must be free of errors."""
    program, diagnostics = check_program([Source(name, text)], LIBRARY)
    assert not has_errors(diagnostics), [diagnostic.message for diagnostic in diagnostics]
    (task,) = program.tasks
    return task


def searched(task: typed.Task, execute: Execute) -> Result:
    """What the solver says of a full score."""
    return search(task, execute, BUDGET, conditions(task)).result
