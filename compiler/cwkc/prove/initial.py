"""The initial state of a task, for the evaluator."""

from __future__ import annotations

from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.initial import initial_view


def initial_scope(task: typed.Task) -> Scope:
    """Where a truth is evaluated."""
    start = initial_view(task.records, task.stores, task.rows, task.now)
    truths = {name: truth.value for name, truth in task.truths.items()}
    return Scope(world=start, start=start, now=task.now, truths=truths)
