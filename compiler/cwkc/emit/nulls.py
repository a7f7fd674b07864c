"""Which expressions are never null, so that plain operators do for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from cwkc.meaning import typed
from cwkc.meaning.types import ErrorType, JsonType, ListOf, Optional, RowType, Type, required
from cwkc.meaning.walk import walk

_NEVER_NULL = (
    typed.Now,
    typed.Said,
    typed.Outcome,
    typed.StoreRecords,
    typed.Not,
    typed.Logical,
    typed.Compare,
    typed.Membership,
    typed.IsNull,
    typed.TextTest,
    typed.Interpolation,
    typed.ListDisplay,
    typed.First,
    typed.CallFact,
    typed.Before,
    typed.Learned,
    typed.Delivered,
)
_NULL_OF_NULL = frozenset({"count", "sum", "len", "lower", "lines", "abs", "round", "date", "weekday", "business_days"})


EVERYWHERE, NOWHERE = "every state", "no state"


@frozen
class Guarantees:
    """What holds of every state that tools can lead to.

    `absent`: the records that a tool can delete, or that an event brings. `leaky`: the required fields, as (record,
    field), that a tool can leave without a value of their type, because it writes what may be null or was read from a
    json text.
    """

    absent: frozenset[str] = frozenset()
    leaky: frozenset[tuple[str, str]] = frozenset()

    def within(self, others: Iterable[Guarantees]) -> Guarantees:
        """What holds of these states and of others."""
        others = tuple(others)
        absent = self.absent.union(*(other.absent for other in others))
        return Guarantees(absent, self.leaky.union(*(other.leaky for other in others)))


@frozen
class Presence:
    """What is known of a variable: whether it is never null, the state in which the record that it refers to is
    there, and whether that record is at hand beside it."""

    surely: bool
    view: str = NOWHERE
    at_hand: bool = False


@frozen
class Known:
    """What is known where an expression stands. `view` and `start` name the state that is read and the initial one."""

    view: str
    start: str
    guarantees: Guarantees
    truths: Mapping[str, Any] = field(factory=dict)
    """The values of the task's truths."""
    variables: Mapping[tuple[str, str], Presence] = field(factory=dict)
    """By kind and name; a parameter or an argument need not be there, its type says all."""

    def of(self, variable: typed.Variable) -> Presence:
        """A parameter's record is there in the state of the call; an argument's need not be, in a call that failed."""
        there = variable.kind != "argument" and self.view != self.start
        declared = Presence(not isinstance(variable.type, Optional), self.view if there else NOWHERE)
        return self.variables.get((variable.kind, variable.name), declared)

    def having(self, kind: str, name: str, presence: Presence) -> Known:
        return evolve(self, variables={**self.variables, (kind, name): presence})

    def seeing(self, view: str) -> Known:
        return evolve(self, view=view)


def is_dynamic(type: Type) -> bool:
    """Whether values of the type, or members of a list of it, are of a kind that is known only when they are read."""
    kind = required(type)
    return is_dynamic(kind.item) if isinstance(kind, ListOf) else isinstance(kind, JsonType | ErrorType)


def surely(expr: typed.Expr, known: Known) -> bool:
    """Whether the expression is never null, and of a type that is known before it is read."""
    return not is_dynamic(expr.type) and _surely(expr, known)


def _surely(expr: typed.Expr, known: Known) -> bool:
    match expr:
        case typed.Constant(value=value):
            return value is not None
        case typed.Truth(name=name):
            return known.truths[name] is not None
        case typed.Variable():
            return known.of(expr).surely
        case typed.FieldOf():
            return _is_filled(expr, known)
        case typed.IdOf(base=operand) | typed.Negate(operand=operand):
            return surely(operand, known)
        case typed.Start(operand=operand):
            return surely(operand, known.seeing(known.start))
        case typed.Arithmetic(left=left, right=right):
            return surely(left, known) and surely(right, known)
        case typed.Apply(function=function, arguments=arguments):
            return function in _NULL_OF_NULL and all(surely(item, known) for item in arguments)
        case typed.Binder(quantifier=quantifier):
            return quantifier != "only"
        case typed.Sum(value=value):
            return not any(_is_leaky(part, known) for part in walk(value))
        case _:
            return isinstance(expr, _NEVER_NULL)


def _is_filled(expr: typed.FieldOf, known: Known) -> bool:
    """Whether the field is required, no tool leaves it empty, and its record is there."""
    if isinstance(expr.type, Optional) or _is_leaky(expr, known):
        return False
    return is_at_hand(expr.base, known) or (
        expr.record not in known.guarantees.absent and surely(expr.base, known) and _is_there(expr.base, known)
    )


def _is_leaky(expr: typed.Expr, known: Known) -> bool:
    return isinstance(expr, typed.FieldOf) and (expr.record, expr.name) in known.guarantees.leaky


def is_at_hand(expr: typed.Expr, known: Known) -> bool:
    """Whether the expression is a variable that runs over a store, read in the state of that store."""
    if not isinstance(expr, typed.Variable):
        return False
    presence = known.of(expr)
    return presence.at_hand and presence.view == known.view


def _is_there(reference: typed.Expr, known: Known) -> bool:
    """Whether a record of a kind that is always there is there in the state that is read."""
    match reference:
        case typed.Variable():
            return known.of(reference).view in (EVERYWHERE, known.view)
        case _:
            return isinstance(reference, typed.Constant | typed.Truth | typed.FieldOf | typed.Start)


def presence_of_items(source: typed.Expr, known: Known) -> Presence:
    """What is known of the members of a list."""
    match source:
        case typed.StoreRecords():
            return Presence(True, known.view, at_hand=True)
        case typed.Truth(name=name):
            return Presence(_holds_no_null(known.truths[name]), EVERYWHERE)
        case typed.Variable(kind="parameter" | "argument"):
            return Presence(_has_required_items(source.type), known.of(source).view)
        case typed.ListDisplay(items=items):
            there = all(isinstance(item, typed.Constant | typed.Truth) for item in items)
            return Presence(all(surely(item, known) for item in items), EVERYWHERE if there else NOWHERE)
        case typed.Binder(quantifier="all", source=inner) | typed.First(binder=typed.Binder(source=inner)):
            return evolve(presence_of_items(inner, known), at_hand=False)
        case _:
            return Presence(isinstance(source, typed.Apply) and source.function == "csv")


def _has_required_items(type: Type) -> bool:
    kind = required(type)
    return isinstance(kind, ListOf) and not isinstance(kind.item, Optional) and not is_dynamic(kind.item)


def _holds_no_null(value: Any) -> bool:
    return isinstance(value, tuple) and None not in value


def is_row(expr: typed.Expr, known: Known) -> bool:
    """Whether the expression is a row of a table, which has all of its columns."""
    return isinstance(expr.type, RowType) and surely(expr, known)
