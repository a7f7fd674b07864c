"""The evaluator: what an expression means.

The operators themselves (how null behaves, how texts compare) are the runtime's, so that there is one definition of
each; what is defined here is how expressions are put together from them, in which state they read, and in what order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from attrs import evolve, field, frozen

from coworkdsl import operations, tables, text
from coworkdsl.contracts import Contract, delivers
from cwkc.meaning import typed
from cwkc.meaning.types import ListOf, RowType, required
from cwkc.meaning.walk import walk


class View(Protocol):
    """A state that can be read: a world, or a world as it was."""

    def rows(self, store: str) -> Any: ...
    def get(self, store: str, id: str) -> Any: ...
    def field(self, record: str, id: Any, name: str) -> Any: ...


class Facts(Protocol):
    """A run, as grading reads it."""

    @property
    def answer(self) -> str | None: ...
    @property
    def said(self) -> Sequence[str]: ...
    def called(self, tool: str, predicate: Any = None) -> Sequence[int]: ...
    def tried(self, tool: str, predicate: Any = None) -> Sequence[int]: ...
    def learned(self, fact: str) -> bool: ...
    def after(self, event: str, value: Any) -> Any: ...


@frozen
class Scope:
    """Where an expression is evaluated: a state, the initial state, the run and what names stand for."""

    world: View | None = None
    start: View | None = None
    run: Facts | None = None
    now: Any = None
    truths: Mapping[str, Any] = field(factory=dict)
    after: Mapping[str, str] = field(factory=dict)
    """The truths that a run knows only after an event, and that event."""
    variables: Mapping[str, Any] = field(factory=dict)

    def bind(self, name: str, value: Any) -> Scope:
        variables = {**self.variables, name: value}
        return Scope(self.world, self.start, self.run, self.now, self.truths, self.after, variables)


def evaluate(expr: typed.Expr, scope: Scope) -> Any:
    """The value of an expression, in the representation of `cwkc.meaning.typed`.

    Raises `coworkdsl.operations.Undefined` where a division has no value, or a truth is asked for before its event.
    """
    return _RULES[type(expr)](expr, scope)


def holds(expr: typed.Expr, scope: Scope) -> bool:
    """Whether a condition is true: null counts as false."""
    return operations.truthy(evaluate(expr, scope))


# ---------------------------------------------------------------------------- state


def _state(scope: Scope) -> View:
    assert scope.world is not None, "the checker lets no constant read a state"
    return scope.world


def _run(scope: Scope) -> Facts:
    assert scope.run is not None, "the checker lets grading alone ask about the run"
    return scope.run


def _truth(expr: typed.Truth, scope: Scope) -> Any:
    value = scope.truths[expr.name]
    return scope.run.after(scope.after[expr.name], value) if scope.run and expr.name in scope.after else value


def _store_records(expr: typed.StoreRecords, scope: Scope) -> Any:
    return tuple(id for id, _ in _state(scope).rows(expr.store))


def _lookup(expr: typed.Lookup, scope: Scope) -> Any:
    key = evaluate(expr.key, scope)
    return key if key is not None and _state(scope).get(expr.store, key) is not None else None


def _field_of(expr: typed.FieldOf, scope: Scope) -> Any:
    return _state(scope).field(expr.record, evaluate(expr.base, scope), expr.name)


def _start(expr: typed.Start, scope: Scope) -> Any:
    return evaluate(expr.operand, evolve(scope, world=scope.start))


# ---------------------------------------------------------------------------- operators


def contract_of(expr: typed.Delivered, scope: Scope) -> Contract:
    """What is to be delivered. Raises Undefined in a run in which that is not known, since it waits for an event."""
    for part in (part for value in (*expr.values, expr.source, expr.key) if value for part in walk(value)):
        if isinstance(part, typed.Truth):
            _truth(part, scope)
    return expr.contract


OPERATIONS: dict[str, Callable[..., Any]] = {
    "==": operations.eq,
    "!=": operations.ne,
    "<": operations.lt,
    "<=": operations.le,
    ">": operations.gt,
    ">=": operations.ge,
    "+": operations.add,
    "-": operations.sub,
    "*": operations.mul,
    "/": operations.div,
    "contains": text.contains,
    "matches": text.matches,
    "states": text.states,
    "mentions_any": text.mentions_any,
    "mentions_all": text.mentions_all,
    "delivers": delivers,
    "min": operations.least,
    "max": operations.greatest,
    "abs": operations.absolute,
    "round": operations.rounded,
    "len": operations.length,
    "count": operations.length,
    "sum": operations.total,
    "lower": operations.lower_case,
    "lines": tables.text_lines,
    "json": tables.read_json,
    "date": operations.date_of,
    "weekday": operations.weekday,
    "business_days": operations.business_days,
}
"""The operators and functions that are given their values and nothing else."""


def _logical(expr: typed.Logical, scope: Scope) -> bool:
    if expr.operator == "and":
        return holds(expr.left, scope) and holds(expr.right, scope)
    return holds(expr.left, scope) or holds(expr.right, scope)


def _compare(expr: typed.Compare, scope: Scope) -> bool:
    left, right = evaluate(expr.left, scope), evaluate(expr.right, scope)
    if expr.ignore_case:
        return (operations.eq_ignoring_case if expr.operator == "==" else operations.ne_ignoring_case)(left, right)
    return bool(OPERATIONS[expr.operator](left, right))


def _membership(expr: typed.Membership, scope: Scope) -> bool:
    test = operations.member_ignoring_case if expr.ignore_case else operations.member
    return test(evaluate(expr.left, scope), evaluate(expr.right, scope))


def _arithmetic(expr: typed.Arithmetic, scope: Scope) -> Any:
    return OPERATIONS[expr.operator](evaluate(expr.left, scope), evaluate(expr.right, scope))


def _text_test(expr: typed.TextTest, scope: Scope) -> bool:
    subject = evaluate(expr.subject, scope)
    operands = tuple(evaluate(operand, scope) for operand in expr.operands)
    if expr.test == "lists":
        return text.lists(subject, operands)
    return bool(OPERATIONS[expr.test](subject, *operands))


# ---------------------------------------------------------------------------- functions


def _apply(expr: typed.Apply, scope: Scope) -> Any:
    first = expr.arguments[0]
    if isinstance(first, typed.CallFact):
        return len(matching_calls(first, scope))
    values = [evaluate(argument, scope) for argument in expr.arguments]
    if expr.function == "csv":
        assert isinstance(expr.type, ListOf)
        assert isinstance(expr.type.item, RowType)
        return tables.read_csv(values[0], {name: str(required(kind)) for name, kind in expr.type.item.columns})
    return OPERATIONS[expr.function](*values)


# ---------------------------------------------------------------------------- binders


def _matching(source: typed.Expr, variable: typed.Variable, where: typed.Expr | None, scope: Scope) -> Iterator[Any]:
    for value in operations.elements(evaluate(source, scope)):
        if where is None or holds(where, scope.bind(variable.name, value)):
            yield value


def _binder(expr: typed.Binder, scope: Scope) -> Any:
    found = _matching(expr.source, expr.variable, expr.where, scope)
    if expr.quantifier == "some":
        return any(True for _ in found)
    if expr.quantifier == "no":
        return not any(True for _ in found)
    if expr.body is not None:
        body = expr.body
        return all(holds(body, scope.bind(expr.variable.name, value)) for value in found)
    values = tuple(found)
    if expr.order is not None:
        key = expr.order.key
        values = operations.ordered(
            values, lambda value: evaluate(key, scope.bind(expr.variable.name, value)), expr.order.descending
        )
    return operations.only(values) if expr.quantifier == "only" else values


def share_of(expr: typed.Binder, scope: Scope) -> Fraction:
    """The share of an `each` that holds; 0 of none."""
    body = expr.body
    assert body is not None
    found = _matching(expr.source, expr.variable, expr.where, scope)
    return operations.share(holds(body, scope.bind(expr.variable.name, value)) for value in found)


def _first(expr: typed.First, scope: Scope) -> Any:
    return operations.first(evaluate(expr.binder, scope), evaluate(expr.count, scope))


def _sum(expr: typed.Sum, scope: Scope) -> Any:
    found = _matching(expr.source, expr.variable, expr.where, scope)
    return operations.total(tuple(evaluate(expr.value, scope.bind(expr.variable.name, value)) for value in found))


# ---------------------------------------------------------------------------- facts about the run


def matching_calls(fact: typed.CallFact, scope: Scope) -> Sequence[int]:
    """Indices of the calls that a fact speaks of."""
    run = _run(scope)
    find = run.called if fact.verb == "called" else run.tried
    tests = [pattern.test for pattern in fact.patterns] + ([fact.where] if fact.where else [])
    if not tests:
        return find(fact.tool)

    def predicate(arguments: Mapping[str, Any], world: View) -> bool:
        inner = evolve(scope, world=world, variables={**scope.variables, **_as_arguments(arguments)})
        return all(holds(test, inner) for test in tests)

    return find(fact.tool, predicate)


ARGUMENT = "argument "


def _as_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call's arguments as variables, under names that no binder can have."""
    return {ARGUMENT + name: value for name, value in arguments.items()}


def _variable(expr: typed.Variable, scope: Scope) -> Any:
    return scope.variables[ARGUMENT + expr.name if expr.kind == "argument" else expr.name]


def _before(expr: typed.Before, scope: Scope) -> bool:
    firsts, seconds = matching_calls(expr.first, scope), matching_calls(expr.second, scope)
    return bool(firsts) and bool(seconds) and min(firsts) < min(seconds)


_RULES: dict[type, Callable[[Any, Scope], Any]] = {
    typed.Constant: lambda expr, scope: expr.value,
    typed.Truth: _truth,
    typed.Learned: lambda expr, scope: _run(scope).learned(expr.fact),
    typed.Variable: _variable,
    typed.Now: lambda expr, scope: scope.now,
    typed.Answer: lambda expr, scope: _run(scope).answer,
    typed.Said: lambda expr, scope: tuple(_run(scope).said),
    typed.Outcome: lambda expr, scope: scope.variables[expr.name],
    typed.StoreRecords: _store_records,
    typed.Lookup: _lookup,
    typed.FieldOf: _field_of,
    typed.IdOf: lambda expr, scope: evaluate(expr.base, scope),
    typed.ColumnOf: lambda expr, scope: operations.column(evaluate(expr.base, scope), expr.name),
    typed.Start: _start,
    typed.Not: lambda expr, scope: not holds(expr.operand, scope),
    typed.Negate: lambda expr, scope: operations.neg(evaluate(expr.operand, scope)),
    typed.Logical: _logical,
    typed.Compare: _compare,
    typed.Membership: _membership,
    typed.Arithmetic: _arithmetic,
    typed.IsNull: lambda expr, scope: evaluate(expr.operand, scope) is None,
    typed.TextTest: _text_test,
    typed.Interpolation: lambda expr, scope: operations.interpolate(*(evaluate(part, scope) for part in expr.parts)),
    typed.ListDisplay: lambda expr, scope: tuple(evaluate(item, scope) for item in expr.items),
    typed.Apply: _apply,
    typed.Binder: _binder,
    typed.First: _first,
    typed.Sum: _sum,
    typed.CallFact: lambda expr, scope: bool(matching_calls(expr, scope)),
    typed.Before: _before,
    typed.Delivered: lambda expr, scope: delivers(evaluate(expr.subject, scope), contract_of(expr, scope)),
}
