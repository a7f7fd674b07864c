"""What a run is to satisfy, condition by condition: each has a literal under which it is asserted, and a place in the
source, so that a conflict can be told in the author's lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.walk import conjuncts, walk
from cwkc.prove.codes import Codes
from cwkc.prove.effects import Effect
from cwkc.prove.encoder import Encoder
from cwkc.prove.pool import Pool
from cwkc.prove.reach import Reach
from cwkc.prove.scope import NEGATIVE, POSITIVE, Scope
from cwkc.prove.terms import (
    FALSE,
    Sort,
    Term,
    at_most,
    conjunction,
    count,
    disjunction,
    equal,
    implication,
    integer,
    negation,
)
from cwkc.prove.values import known
from cwkc.source import Span


@frozen
class Condition:
    """`kind` is `check`, `requirement`, `forbid`, `frame`, `limit` or `end`. `expr` is what is to hold, for a forbid
    what is not to; a frame has `allowed` instead, a limit `most`, the end that an event makes the event's name."""

    kind: str
    literal: str
    span: Span
    expr: typed.Expr | None = None
    is_share: bool = False
    allowed: tuple[typed.Allowed, ...] = ()
    most: int = 0
    event: str = ""


def conditions(task: typed.Task) -> tuple[Condition, ...]:
    """All that a full score needs, in source order within each kind."""
    return tuple(_conditions(task))


def _conditions(task: typed.Task) -> Iterator[Condition]:
    for number, check in enumerate(task.checks):
        yield from _conjuncts("check", f"check-{number}", check.condition, check.share == "value")
    for number, requirement in enumerate(task.requirements):
        yield from _conjuncts("requirement", f"requirement-{number}", requirement.condition, False)
    for number, forbid in enumerate(task.forbids):
        if isinstance(forbid, typed.FrameDef):
            yield Condition("frame", f"frame-{number}", forbid.span, allowed=forbid.allowed)
        else:
            yield Condition("forbid", f"forbid-{number}", forbid.condition.span, forbid.condition)
    if "calls" in task.limits:
        yield Condition("limit", "limit-calls", task.span, most=task.limits["calls"])
    yield from _ends(task)


def _ends(task: typed.Task) -> Iterator[Condition]:
    """What holds of every run: behind an event that ends it nothing is done. In a conflict, that is to be told."""
    for event in task.events.values():
        if event.ends:
            yield Condition("end", f"end-{event.name}", event.span, event=event.name)


def _conjuncts(kind: str, literal: str, expr: typed.Expr, is_share: bool) -> Iterator[Condition]:
    parts = list(conjuncts(expr))
    if len(parts) == 1:
        yield Condition(kind, literal, expr.span, expr, is_share)
        return
    for number, part in enumerate(parts):
        yield Condition(kind, f"{literal}.{number}", part.span, part)


@frozen
class Encoded:
    """A task as a text for the solver. `short`: the literals of conditions for which the pool may not show every run,
    so that a contradiction with them is no proof."""

    encoder: Encoder
    conditions: tuple[Condition, ...]
    text: str
    short: frozenset[str]

    @property
    def literals(self) -> tuple[str, ...]:
        return tuple(condition.literal for condition in self.conditions)


def encode(
    task: typed.Task, wanted: tuple[Condition, ...], reach: Reach, pool: Pool, thorough: bool = False
) -> Encoded:
    """Encodes conditions of a task, again and again until the pool has every call that is asked for."""
    codes = Codes(task.now)
    while True:
        encoder = Encoder(task, reach, pool, codes, thorough)
        short: set[str] = set()
        for condition in wanted:
            encoder.start(positive=condition.kind in ("check", "requirement"))
            literal = encoder.script.symbol(condition.literal, Sort.BOOL)
            encoder.script.require(implication(literal, _formula(encoder, condition)))
            if encoder.short:
                short.add(condition.literal)
        for condition in _ends(task):
            if condition not in wanted:
                encoder.script.require(_formula(encoder, condition))
        encoder.finish()
        if not pool.grow():
            return Encoded(encoder, wanted, encoder.script.text(), frozenset(short))


def _formula(encoder: Encoder, condition: Condition) -> Term:
    if condition.kind == "frame":
        return _frame(encoder, condition.allowed)
    if condition.kind == "limit":
        made = count(encoder.calls.made(call) for call in encoder.pool.made_by_agent)
        return at_most(made, integer(condition.most))
    if condition.kind == "end":
        return encoder.course.end(condition.event)
    assert condition.expr is not None
    happened = conjunction(*(encoder.happened(event) for event in _waited_for(encoder.task, condition.expr)))
    if condition.kind == "forbid":
        return negation(conjunction(happened, _held(encoder, condition, condition.expr, NEGATIVE)))
    return conjunction(happened, _held(encoder, condition, condition.expr, POSITIVE))


def _held(encoder: Encoder, condition: Condition, expr: typed.Expr, way: int) -> Term:
    if condition.is_share:
        return encoder.operators.compare(">=", encoder.value(expr, Scope()), known(1))
    return encoder.holds(expr, Scope(), way)


def _waited_for(task: typed.Task, expr: typed.Expr) -> Iterator[str]:
    """The events without which a condition has no value, since it asks for what is known after them."""
    for part in walk(expr):
        if isinstance(part, typed.Truth) and (event := task.truths[part.name].after) is not None:
            yield event


# ---------------------------------------------------------------------------- only changes


def _frame(encoder: Encoder, allowed: tuple[typed.Allowed, ...]) -> Term:
    """No call of the pool writes anything else."""
    return conjunction(
        *(
            negation(conjunction(encoder.calls.accepted(call), effect.guard, _outside(encoder, effect, allowed)))
            for call in encoder.pool.made_by_agent
            for effect in encoder.calls.effects(call).writes
        )
    )


def _outside(encoder: Encoder, effect: Effect, allowed: tuple[typed.Allowed, ...]) -> Term:
    """Whether a write is none of those allowed."""
    whole = disjunction(*(_covers(encoder, grant, effect) for grant in allowed))
    if effect.kind != "set":
        return negation(whole)
    fields = disjunction(
        *(
            conjunction(write.guard, negation(disjunction(*_grants(encoder, allowed, effect, write.name))))
            for write in effect.fields
        )
    )
    return conjunction(negation(whole), fields)


def _covers(encoder: Encoder, grant: typed.Allowed, effect: Effect) -> Term:
    """Whether a grant allows a write whole, whatever its fields."""
    if grant.kind == "record" and grant.record == effect.record and grant.id is not None:
        return equal(effect.target, encoder.world.code(grant.id))
    if grant.kind == "new" and effect.kind == "insert":
        return FALSE if grant.store != effect.store else conjunction()
    if grant.kind == "store" and grant.store is not None:
        if effect.kind == "insert":
            return FALSE if grant.store != effect.store else conjunction()
        return encoder.lies_in(grant.store, effect)
    return FALSE


def _grants(encoder: Encoder, allowed: Iterable[typed.Allowed], effect: Effect, name: str) -> Iterator[Term]:
    """When a grant allows one field to be set."""
    for grant in allowed:
        if grant.field != name:
            continue
        if grant.kind == "field" and grant.record == effect.record and grant.id is not None:
            yield equal(effect.target, encoder.world.code(grant.id))
        if grant.kind == "column" and grant.store is not None:
            yield encoder.lies_in(grant.store, effect)
