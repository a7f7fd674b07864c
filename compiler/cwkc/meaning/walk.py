"""Walking over typed expressions and statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import fields

from cwkc.meaning import typed


def children(expr: typed.Expr) -> Iterator[typed.Expr]:
    """The expressions directly within an expression, in source order."""
    kind: type = type(expr)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(each.name for each in fields(kind) if each.name not in ("type", "span"))
    for name in _PARTS[kind]:
        value = getattr(expr, name)
        if isinstance(value, typed.Expr):
            yield value
        elif isinstance(value, tuple | typed.Order):
            yield from _expressions(value)


_PARTS: dict[type, tuple[str, ...]] = {}
"""By kind of expression, the attributes in which others may stand."""


def _expressions(value: Any) -> Iterator[typed.Expr]:
    if isinstance(value, typed.Expr):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions(item)
    elif isinstance(value, typed.Order):
        yield value.key
    elif isinstance(value, typed.Pattern):
        yield value.test


def walk(expr: typed.Expr) -> Iterator[typed.Expr]:
    """The expression and everything within it, parents first."""
    pending = [expr]
    while pending:
        part = pending.pop()
        yield part
        pending += reversed(tuple(children(part)))


def conjuncts(expr: typed.Expr) -> Iterator[typed.Expr]:
    """The conditions that an `and` joins."""
    if isinstance(expr, typed.Logical) and expr.operator == "and":
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr


def statements(body: Iterable[typed.Stmt]) -> Iterator[typed.Stmt]:
    """The statements of a body and of the branches in it."""
    for statement in body:
        yield statement
        if isinstance(statement, typed.If):
            yield from statements(statement.then)
            yield from statements(statement.otherwise)


def expressions(statement: typed.Stmt) -> Iterator[typed.Expr]:
    """The expressions directly within a statement."""
    match statement:
        case typed.Return() | typed.Let():
            yield statement.value
        case typed.Insert():
            yield from (each.value for each in statement.assignments)
            if statement.id is not None:
                yield statement.id
        case typed.Set():
            yield statement.target
            yield from (each.value for each in statement.assignments)
        case typed.Delete():
            yield statement.target
        case typed.Fail():
            if statement.when is not None:
                yield statement.when
        case typed.If():
            yield statement.condition
