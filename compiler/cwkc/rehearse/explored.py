"""Situations that show what an expression, or the body of a tool, makes of its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from cwkc.meaning import typed
from cwkc.meaning.types import BOOL
from cwkc.meaning.walk import children, expressions
from cwkc.rehearse.aims import all_of, counting, holding, members, plainest
from cwkc.rehearse.levers import Stage, is_lever, put, solved
from cwkc.rehearse.situations import ANY, Items, Situation

ROWS = 3
"""So many records show in which order they are put."""

ORDER = (2, 3, 1)
"""Numbers of their keys: neither rising nor falling."""

MOST_COUNTED = 3


def explored(expr: typed.Expr, stage: Stage) -> Iterator[Situation]:
    """A condition true and false; of other expressions, the conditions in them, and lists of several members."""
    if stage.is_fixed(expr):
        return
    if expr.type == BOOL and not isinstance(expr, typed.FieldOf | typed.Variable):
        yield from holding(expr, True, stage)
        yield from holding(expr, False, stage)
        return
    match expr:
        case typed.Binder() | typed.Sum():
            yield from _gathered(expr, stage)
        case typed.First():
            several = next(_gathered(expr.binder, stage), ANY)
            yield from (several | each for count in (1, 2) for each in solved(expr.count, count, stage))
            yield from _gathered(expr.binder, stage)
        case typed.Apply(function="count", arguments=(counted,)):
            yield from chain.from_iterable(counting(counted, count, stage) for count in range(MOST_COUNTED))
            if isinstance(counted, typed.Binder):
                yield from _gathered(counted, stage)
        case _:
            yield from chain.from_iterable(explored(child, stage) for child in children(expr))


def _gathered(expr: typed.Binder | typed.Sum, stage: Stage) -> Iterator[Situation]:
    """Several members at once, and one that is chosen or not for each reason that there is."""
    where = expr.where
    if is_lever(expr.source, stage):
        yield from _listed(expr, stage)
    found, present = members(expr, stage, ROWS)
    if not found:
        return
    stages = [stage.bound(expr.variable, each) for each in found]
    several = present | all_of(plainest(where, True, each) for each in stages if where is not None)
    if isinstance(expr, typed.Binder) and expr.order is not None:
        several |= all_of(_ordered(expr.order.key, stages))
    yield several
    yield from _one_by_one(expr, stage)
    inner = expr.value if isinstance(expr, typed.Sum) else expr.body
    if inner is not None:
        yield from (several | situation for situation in explored(inner, stages[0]))


def _one_by_one(expr: typed.Binder | typed.Sum, stage: Stage) -> Iterator[Situation]:
    """One member, chosen or not for each reason that there is; the others, where there must be others, are not."""
    where = expr.where
    (first, *others), present = members(expr, stage)
    if where is None:
        yield present
        return
    rest = present | all_of(plainest(where, False, stage.bound(expr.variable, each)) for each in others)
    for wanted in (True, False):
        yield from (rest | situation for situation in holding(where, wanted, stage.bound(expr.variable, first)))


def _ordered(key: typed.Expr, stages: list[Stage]) -> Iterator[Situation]:
    """Keys that differ, in another order than that of the records."""
    for number, stage in zip(ORDER, stages, strict=False):
        value = stage.made_up.value(key.type, "key", number)
        yield from islice(solved(key, value, stage), 1)


def _listed(expr: typed.Binder | typed.Sum, stage: Stage) -> Iterator[Situation]:
    kind = stage.made_up.sent(expr.source.type)
    for count in range(len(kind) + 1):
        situation = put(expr.source, Items(kind[:count]), stage)
        if situation is not None:
            yield situation


# ---------------------------------------------------------------------------- bodies


def _switched(statement: typed.Stmt, stage: Stage) -> Iterator[Situation]:
    """Where a field alone decides what a statement does, the field true and false."""
    match statement:
        case typed.Fail(when=typed.FieldOf() as switch) | typed.If(condition=typed.FieldOf() as switch):
            yield from holding(switch, True, stage)
            yield from holding(switch, False, stage)


def body(statements: Iterable[typed.Stmt], stage: Stage, base: Situation = ANY) -> Iterator[Situation]:
    """Situations for everything that a tool's body decides, each in one that comes as far as there."""
    for statement in statements:
        for expr in expressions(statement):
            yield from (base | situation for situation in explored(expr, stage))
        yield from (base | situation for situation in _switched(statement, stage))
        match statement:
            case typed.Let(name=name, value=value):
                stage = stage.having(name, value)
            case typed.Fail(when=typed.Expr() as when):
                base |= plainest(when, False, stage)
            case typed.If(condition=condition, then=then, otherwise=otherwise):
                for branch, is_taken in ((then, True), (otherwise, False)):
                    yield from body(branch, stage, base | plainest(condition, is_taken, stage))
