"""Judges: `judge`, a part of the score that is a model's opinion."""

from __future__ import annotations

from fractions import Fraction

from cwkc.diagnostics import report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.expressions import expect
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.truths import evaluate_fixed
from cwkc.meaning.types import DECIMAL, ERROR, TEXT
from cwkc.meaning.walk import walk
from cwkc.syntax import tree


def check_judge(node: tree.Judge, names: Names, values: Values) -> typed.JudgeDef:
    """The rubric with the values that it names, in the initial world."""
    weight = constant(node.weight, names.at(Stage.DATA), DECIMAL)
    before = len(names.sink)
    expr = expect(node.rubric, names.at(Stage.TRUTH).statement(), TEXT)
    is_whole = len(names.sink) == before and not any(part.type == ERROR for part in walk(expr))
    rubric = str(evaluate_fixed(expr, names, values, {}) or "").strip() if is_whole else ""
    if is_whole and not rubric:
        names.sink.append(report("E286", node.rubric.span, label=node.label.value))
    return typed.JudgeDef(weight or Fraction(0), node.label.value, expr, rubric, span=node.span)
