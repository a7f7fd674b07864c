"""Inlay hints: what a truth is worth, and how far the weights of the checks have come."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import frozen

from coworkdsl.values import decimal_text
from cwkc.editor.analysis import Analysis
from cwkc.editor.describing import truth_value
from cwkc.syntax import tree


@frozen
class Hint:
    """`label` is shown at an offset, and is no part of the text; `tooltip` says more."""

    offset: int
    label: str
    tooltip: str


def hints(analysis: Analysis, start: int, end: int) -> list[Hint]:
    """The hints between two offsets."""
    return [hint for hint in _all(analysis.readable) if start <= hint.offset <= end]


def _all(analysis: Analysis) -> Iterator[Hint]:
    for item in analysis.module.items:
        if isinstance(item, tree.Task | tree.Grade):
            yield from _truths(analysis, item)
        if isinstance(item, tree.Task | tree.Family | tree.Grade):
            yield from _weights(item)


def _truths(analysis: Analysis, item: tree.Task | tree.Grade) -> Iterator[Hint]:
    task = analysis.tasks.get(item.name.text)
    for node in item.items:
        value = truth_value(node.name.text, task) if isinstance(node, tree.TruthLet) else ""
        if value:
            yield Hint(node.span.end, f"= {value}", "its value in the initial world")


def _weights(item: tree.Task | tree.Family | tree.Grade) -> Iterator[Hint]:
    total = Fraction(0)
    for node in item.items:
        if isinstance(node, tree.Check | tree.Judge) and isinstance(node.weight, tree.Number):
            total += node.weight.value
            yield Hint(node.span.end, f"Σ {decimal_text(total)}", "the weights so far, which must come to 1")
