"""The user and the events of a task: that each of them matters, and that none undoes what the agent is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from coworkdsl.operations import Undefined
from coworkdsl.text import normalise, numbers_in
from coworkdsl.world import Base
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.flow.exploration import shown_by
from cwkc.meaning import typed
from cwkc.meaning.calendar import dates_in
from cwkc.meaning.evaluator import Scope, holds
from cwkc.meaning.events import states
from cwkc.meaning.walk import statements, walk

SHORTEST_TEXT = 3

_OF_THE_RUN = (typed.CallFact, typed.Before, typed.Learned, typed.Answer, typed.Said, typed.Delivered, typed.Start)


def idle_facts(task: typed.Task, spoken_of: frozenset[Any]) -> Iterator[Diagnostic]:
    """Facts that nothing asks for and that tell none of the values which the task speaks of."""
    asked = {part.fact for expr in conditions(task) for part in walk(expr) if isinstance(part, typed.Learned)}
    for fact in task.user.facts.values() if task.user else ():
        if fact.name not in asked and not _tells(fact, spoken_of, task.now):
            yield report("W406", fact.span, name=fact.name)


def _tells(fact: typed.FactDef, spoken_of: frozenset[Any], now: datetime) -> bool:
    words = normalise(fact.words)
    days = {day for _, day in dates_in(fact.words, now)}
    numbers = set(numbers_in(fact.words))
    for value in spoken_of:
        if isinstance(value, str):
            told = len(value) >= SHORTEST_TEXT and value in words
        elif isinstance(value, date):
            told = value in days or value == fact.value
        else:
            told = isinstance(value, int | Fraction) and not isinstance(value, bool) and value in numbers
        if told:
            return True
    return False


def of_rules(task: typed.Task) -> Iterator[typed.Expr]:
    for rule in (*task.checks, *task.requirements, *task.forbids):
        if not isinstance(rule, typed.FrameDef):
            yield rule.condition


def conditions(task: typed.Task) -> Iterator[typed.Expr]:
    """Whatever is asked of a run: by rules, by events, and by what a user tells when."""
    yield from of_rules(task)
    for event in task.events.values():
        if event.condition is not None:
            yield event.condition
    for fact in task.user.facts.values() if task.user else ():
        if fact.asked is not None:
            yield fact.asked


# ---------------------------------------------------------------------------- events


def idle_events(task: typed.Task) -> Iterator[Diagnostic]:
    """Silent events that write what no rule and no tool reads."""
    parts = [part for expr in conditions(task) for part in walk(expr)]
    read = {(part.record, part.name) for part in parts if isinstance(part, typed.FieldOf)}
    waited = {truth.after for truth in task.truths.values()}
    shown = {kind[0] for tool in task.tools if (kind := shown_by(tool)) is not None}
    for event in task.events.values():
        if event.said or event.ends or not event.silent or event.name in waited:
            continue
        writes = _written_records(task, event)
        if not any(record in shown or (record, field) in read for record, field in writes):
            yield report("W407", event.span, name=event.name)


def _written_records(task: typed.Task, event: typed.EventDef) -> Iterator[tuple[str, str | None]]:
    for each in statements(event.body):
        if isinstance(each, typed.Place):
            record = task.records[task.stores[each.store].record]
            yield from ((record.name, name) for name in record.fields)
        elif isinstance(each, typed.Set):
            yield from ((each.record, assignment.field) for assignment in each.assignments)
        elif isinstance(each, typed.Delete):
            yield each.record, None


# ---------------------------------------------------------------------------- overwritten work


def overwritten(task: typed.Task) -> Iterator[Diagnostic]:
    """Events that set a field by which a check judges what the agent did to the same record, or delete the record. What
    a check reads after the event it expects, and one that events alone fulfil is an error of its own."""
    values = {name: truth.value for name, truth in task.truths.items()}
    *_, last = states(task)
    for event in task.events.values():
        losses = dict(_losses(event, values))
        for check in task.checks:
            if _waits(task, check.condition, event.name) or _holds(check.condition, last, values):
                continue
            for record, field, id, part in _read_fields(check.condition, values):
                loss = losses.get((record, field, id)) or losses.get((record, None, id))
                if loss is not None:
                    related = (Label(part.span, "this check reads it"),)
                    yield report("W408", event.span, related=related, name=event.name, does=loss, label=check.label)
                    break


def _losses(event: typed.EventDef, values: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str | None, str], str]]:
    """Record, field and id of what an event sets, without field of what it deletes, and in words what it does."""
    for each in statements(event.body):
        if isinstance(each, typed.Set):
            for id in _ids(each.target, values):
                names = (assignment.field for assignment in each.assignments)
                yield from (((each.record, name, id), f"sets the `{name}` of `@{id}`") for name in names)
        elif isinstance(each, typed.Delete):
            yield from (((each.record, None, id), f"deletes `@{id}`") for id in _ids(each.target, values))


def _holds(condition: typed.Expr, state: Base, values: Mapping[str, Any]) -> bool:
    """Whether a condition that asks about the state alone holds there."""
    if any(isinstance(part, _OF_THE_RUN) for part in walk(condition)):
        return False
    try:
        return holds(condition, Scope(world=state.view(), start=state.view(), now=state.view().now, truths=values))
    except Undefined:
        return False


def _waits(task: typed.Task, expr: typed.Expr, event: str) -> bool:
    return any(isinstance(part, typed.Truth) and task.truths[part.name].after == event for part in walk(expr))


def _read_fields(expr: typed.Expr, values: Mapping[str, Any]) -> Iterator[tuple[str, str, str, typed.Expr]]:
    for part in walk(expr):
        if isinstance(part, typed.FieldOf):
            for id in _ids(part.base, values):
                yield part.record, part.name, id, part


def _ids(expr: typed.Expr, values: Mapping[str, Any]) -> Iterator[str]:
    """The record that an expression names, where that is known beforehand."""
    value = expr.value if isinstance(expr, typed.Constant) else None
    if isinstance(expr, typed.Truth):
        value = values[expr.name]
    if isinstance(expr, typed.Lookup):
        yield from _ids(expr.key, values)
    elif isinstance(value, str):
        yield value
