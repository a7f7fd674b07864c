"""Expressions whose value is known when the file is read."""

from __future__ import annotations

from typing import Any

from coworkdsl.operations import DivisionByZero, Undefined
from cwkc.diagnostics import Diagnostic, report
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.expressions import expect
from cwkc.meaning.names import Names
from cwkc.meaning.types import ERROR, Type
from cwkc.meaning.walk import walk
from cwkc.source import Span
from cwkc.syntax import tree


def constant(node: tree.Expression, names: Names, wanted: Type) -> Any:
    """The value of an expression over literals and `now`; None where it is broken, which is reported."""
    before = len(names.sink)
    expr = expect(node, names.statement(), wanted)
    return value_of(expr, names) if len(names.sink) == before else None


_OF_A_STATE = (typed.StoreRecords, typed.Lookup, typed.FieldOf)


def value_of(expr: typed.Expr, names: Names) -> Any:
    """The value of an expression over literals and `now`; None where it is broken, which is reported."""
    if expr.type == ERROR:
        return None
    reading = next((part for part in walk(expr) if isinstance(part, _OF_A_STATE)), None)
    if reading is not None:
        names.sink.append(report("E290", reading.span, written=" ".join(reading.span.text.split())))
        return None
    try:
        return evaluate(expr, Scope())
    except Undefined as failure:
        names.sink.append(without_value(failure, expr.span))
        return None


def without_value(failure: Undefined, span: Span) -> Diagnostic:
    """What is said of an expression that has no value."""
    if isinstance(failure, DivisionByZero):
        return report("E230", span)
    return report("E309", span, why=str(failure))
