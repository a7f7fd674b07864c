"""What the events of a task bring, each tried behind the timed ones before it: that their values exist, and that what
they write is dated no later than they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen

from coworkdsl.operations import Undefined
from coworkdsl.world import Base, Write
from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.calendar import is_later
from cwkc.meaning.constants import without_value
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.events import before_and_with, world_after
from cwkc.meaning.execution import happen
from cwkc.meaning.walk import expressions, statements
from cwkc.source import Span


@frozen
class Brought:
    """A record as an event leaves it. `row` has all its fields, `written` names those that the event wrote; `latest` is
    the last time to which the clock can have come by then."""

    event: typed.EventDef
    latest: datetime
    row: typed.RowDef
    written: tuple[str, ...]

    def texts(self) -> Iterator[tuple[str, Span]]:
        """The texts that the event wrote, with their places."""
        for name in self.written:
            value = self.row.fields[name]
            if isinstance(value, str):
                yield value, self.row.spans.get(name, self.row.span)


def brought(
    events: Mapping[str, typed.EventDef], base: Base, truths: Mapping[str, Any], sink: list[Diagnostic]
) -> tuple[Brought, ...]:
    """The records that events insert or change. A value that does not exist is reported."""
    times = [event.time for event in events.values() if event.time is not None]
    last = max((base.view().now, *times))
    return tuple(each for event in events.values() for each in _by(event, events, base, truths, last, sink))


def _by(
    event: typed.EventDef,
    events: Mapping[str, typed.EventDef],
    base: Base,
    truths: Mapping[str, Any],
    last: datetime,
    sink: list[Diagnostic],
) -> Iterator[Brought]:
    *earlier, _ = before_and_with(event, events)
    world = world_after(earlier, base, truths)
    world.now = max(world.now, event.time or world.now)
    scope = Scope(world=world, now=world.now, truths=truths)
    spans = dict(_spans(event, scope))
    before = len(world.log)
    world.begin(-1, event.name)
    try:
        happen(event, world, truths)
    except Undefined as failure:
        world.rollback()
        sink.append(without_value(failure, _culprit(event, scope)))
        return
    world.commit()
    for write in world.log[before:]:
        if write.after is not None:
            row = _row(event, write, spans)
            yield Brought(event, event.time or last, row, write.fields)


def _spans(event: typed.EventDef, scope: Scope) -> Iterator[tuple[tuple[str, str], Span]]:
    """Where an event says a field of a record, by the record's id and the field."""
    for each in statements(event.body):
        target = each.id if isinstance(each, typed.Insert) else each.target if isinstance(each, typed.Set) else None
        if target is not None and isinstance(each, typed.Insert | typed.Set):
            id = evaluate(target, scope)
            yield from (((id, assignment.field), assignment.value.span) for assignment in each.assignments)


def _row(event: typed.EventDef, write: Write, spans: Mapping[tuple[str, str], Span]) -> typed.RowDef:
    assert write.after is not None, "a record that is gone has no row"
    known = {name: span for (id, name), span in spans.items() if id == write.id}
    return typed.RowDef(write.store, write.id, dict(write.after), known, span=event.span)


def _culprit(event: typed.EventDef, scope: Scope) -> Span:
    """The expression of an event that has no value."""
    for expr in (*(part for each in statements(event.body) for part in expressions(each)), *event.said):
        try:
            evaluate(expr, scope)
        except Undefined:
            return expr.span
    return event.span


def check_event_dates(
    found: Iterable[Brought], records: Mapping[str, typed.RecordDef], stores: Mapping[str, typed.StoreDef]
) -> Iterator[Diagnostic]:
    """What events write that has not happened by then, in fields that are not marked `scheduled`."""
    for each in found:
        for name in each.written:
            field, value = records[stores[each.row.store].record].fields[name], each.row.fields[name]
            if not field.scheduled and is_later(value, each.latest):
                related = (
                    Label(each.event.span, f"the clock is at {each.latest.isoformat()} at the latest"),
                    Label(field.span, "the field is not `scheduled`"),
                )
                words = {"field": name, "value": value.isoformat(), "event": each.event.name}
                yield report("E310", each.row.spans.get(name, each.row.span), related=related, **words)
