"""Which fields of which records a value comes from: those that flow into it, and those that choose its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from coworkdsl.operations import Undefined
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.initial import initial_view
from cwkc.meaning.types import Reference, required
from cwkc.meaning.walk import children, walk
from cwkc.source import Span


@frozen
class Read:
    """One field of one record, or with `name` None its id. `chooses`: it decides whether the record is meant."""

    record: str
    id: str
    name: str | None
    value: Any
    chooses: bool = False


def initial_scope(task: typed.Task) -> Scope:
    """Where a truth has its value."""
    start = initial_view(task.records, task.stores, task.rows, task.now)
    truths = {name: truth.value for name, truth in task.truths.items()}
    return Scope(world=start, start=start, now=task.now, truths=truths)


def value_of(expr: typed.Expr, scope: Scope) -> Any:
    """The value of an expression, null where it has none."""
    try:
        return evaluate(expr, scope)
    except Undefined:
        return None


def is_true(expr: typed.Expr, scope: Scope) -> bool:
    return value_of(expr, scope) is True


def truths_in(expr: typed.Expr) -> Iterator[str]:
    return (part.name for part in walk(expr) if isinstance(part, typed.Truth))


def reads(expr: typed.Expr, scope: Scope) -> Iterator[Read]:
    """What the value of an expression is read from, in the initial world; what its truths read is their own."""
    match expr:
        case typed.FieldOf():
            yield from reads(expr.base, scope)
            id = value_of(expr.base, scope)
            if id is not None:
                yield Read(expr.record, id, expr.name, value_of(expr, scope))
        case typed.IdOf():
            yield from reads(expr.base, scope)
            yield from _ids((value_of(expr.base, scope),), expr.base)
        case typed.First():
            yield from reads(expr.count, scope)
            yield from _chosen(expr.binder, scope, value_of(expr, scope))
        case typed.Binder(quantifier="only" | "all"):
            found = value_of(expr, scope)
            yield from _chosen(expr, scope, found if isinstance(found, tuple) else (found,))
        case typed.Binder():
            yield from _tested(expr, scope)
        case typed.Sum():
            yield from _summed(expr, scope)
        case _:
            for child in children(expr):
                yield from reads(child, scope)


def places(task: typed.Task, read: Read) -> Iterator[Span]:
    """Where the author wrote what is read: the field, the record where that has its default, or the id."""
    for row in task.rows:
        if row.id == read.id and task.stores[row.store].record == read.record:
            yield row.span if read.name is None else row.spans.get(read.name, row.span)


def matching(expr: typed.Binder | typed.Sum, scope: Scope) -> Iterator[tuple[Any, Scope]]:
    """The members of the source that match, each with the scope in which the variable stands for it."""
    for value in value_of(expr.source, scope) or ():
        inner = scope.bind(expr.variable.name, value)
        if expr.where is None or is_true(expr.where, inner):
            yield value, inner


def _ids(values: Iterable[Any], expr: typed.Expr) -> Iterator[Read]:
    """Of references, that their ids are read."""
    core = required(expr.type)
    if isinstance(core, Reference):
        for value in values:
            if isinstance(value, str):
                yield Read(core.record, value, None, value)


def _choosing(found: Iterable[Read]) -> Iterator[Read]:
    return (Read(read.record, read.id, read.name, read.value, chooses=True) for read in found)


def _chosen(expr: typed.Binder, scope: Scope, values: Iterable[Any]) -> Iterator[Read]:
    yield from reads(expr.source, scope)
    for value in values:
        inner = scope.bind(expr.variable.name, value)
        yield from _ids((value,), expr.variable)
        if expr.where is not None:
            yield from _choosing(reads(expr.where, inner))
        if expr.order is not None:
            yield from _choosing(reads(expr.order.key, inner))


def _tested(expr: typed.Binder, scope: Scope) -> Iterator[Read]:
    """Of `some`, the members that there are; of the others, what is asked of all members alike is read of none."""
    yield from reads(expr.source, scope)
    parts = [part for part in (expr.where, expr.body) if part is not None]
    if expr.quantifier == "some":
        for _, inner in matching(expr, scope):
            for part in parts:
                yield from reads(part, inner)
    else:
        for part in parts:
            for apart in _apart(part, frozenset((expr.variable.name,))):
                yield from reads(apart, scope)


def _apart(expr: typed.Expr, names: frozenset[str]) -> Iterator[typed.Expr]:
    """The parts of an expression that speak of none of these variables, nor of one that is bound on the way."""
    if not any(isinstance(part, typed.Variable) and part.name in names for part in walk(expr)):
        yield expr
    else:
        bound = {expr.variable.name} if isinstance(expr, typed.Binder | typed.Sum) else set()
        for child in children(expr):
            if child is not getattr(expr, "variable", None):
                yield from _apart(child, names | bound)


def _summed(expr: typed.Sum, scope: Scope) -> Iterator[Read]:
    yield from reads(expr.source, scope)
    for _, inner in matching(expr, scope):
        if expr.where is not None:
            yield from _choosing(reads(expr.where, inner))
        yield from reads(expr.value, inner)
