"""Code lenses: what can be done with a task."""

from __future__ import annotations

from attrs import frozen

from cwkc.editor.analysis import Analysis
from cwkc.source import Span
from cwkc.syntax import tree

ACTIONS = ("prove", "rehearse", "play")


@frozen(eq=False)
class Lens:
    """One of the `ACTIONS` for the task whose name has this span."""

    action: str
    task: str
    span: Span


def lenses(analysis: Analysis) -> list[Lens]:
    """Those of every task that can be read."""
    return [
        Lens(action, item.name.text, item.name.span)
        for item in analysis.readable.module.items
        if isinstance(item, tree.Task)
        for action in ACTIONS
    ]
