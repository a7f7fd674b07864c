"""Judges: `judge`, a part of the score that is a model's opinion."""

from __future__ import annotations

from fractions import Fraction

from cwkc.diagnostics import report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.truths import fixed_text
from cwkc.meaning.types import DECIMAL
from cwkc.syntax import tree


def check_judge(node: tree.Judge, names: Names, values: Values) -> typed.JudgeDef:
    """The rubric with the values that it names, in the initial world."""
    weight = constant(node.weight, names.at(Stage.DATA), DECIMAL)
    expr, rubric = fixed_text(node.rubric, names, values)
    if rubric == "":
        names.sink.append(report("E286", node.rubric.span, label=node.label.value))
    return typed.JudgeDef(weight or Fraction(0), node.label.value, expr, rubric or "", span=node.span)
