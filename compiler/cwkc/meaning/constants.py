"""Expressions whose value is known when the file is read."""

from __future__ import annotations

from typing import Any

from coworkdsl.operations import DivisionByZero, Undefined
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.expressions import expect
from cwkc.meaning.names import Names
from cwkc.meaning.types import ERROR, Type
from cwkc.source import Span
from cwkc.syntax import tree


def constant(node: tree.Expression, names: Names, wanted: Type) -> Any:
    """The value of an expression over literals and `now`; None where it is broken, which is reported."""
    before = len(names.sink)
    expr = expect(node, names.statement(), wanted)
    if len(names.sink) > before or expr.type == ERROR:
        return None
    try:
        return evaluate(expr, Scope())
    except Undefined as failure:
        names.sink.append(without_value(failure, node.span))
        return None


def without_value(failure: Undefined, span: Span) -> Diagnostic:
    """What is said of an expression that has no value."""
    if isinstance(failure, DivisionByZero):
        return report("E230", span)
    return report("E309", span, why=str(failure))
