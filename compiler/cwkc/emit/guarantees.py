"""What no tool and no event can break: found by reading every one that there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cwkc.emit.nulls import Guarantees, Known, Presence, is_dynamic, surely
from cwkc.meaning import typed
from cwkc.meaning.types import Optional
from cwkc.meaning.walk import statements

VIEW = "w"
_NO_START = "no initial state"


def guarantees_of(
    tools: Sequence[typed.ToolDef],
    stores: Mapping[str, typed.StoreDef],
    records: Mapping[str, typed.RecordDef],
    truths: Mapping[str, Any] = MappingProxyType({}),
) -> Guarantees:
    """The guarantees that hold when these are all the tools and events that write, into these stores of these records.

    A field is leaky when it is given a value that may be null; since that may be read from another leaky field,
    the search is repeated until it finds no more.
    """
    absent = frozenset(
        stores[each.store].record if isinstance(each, typed.Place) else each.record
        for tool in tools
        for each in statements(tool.body)
        if isinstance(each, typed.Delete | typed.Place)
    )
    found = Guarantees(absent)
    while True:
        known = Known(VIEW, _NO_START, found, truths)
        leaky = frozenset(leak for tool in tools for leak in _leaks(tool.body, known, stores, records))
        if leaky == found.leaky:
            return found
        found = Guarantees(absent, leaky)


def after(statement: typed.Stmt, known: Known) -> Known:
    """What is known behind a statement: a local that it sets."""
    if isinstance(statement, typed.Let):
        return known.having("local", statement.name, Presence(surely(statement.value, known), known.view))
    if isinstance(statement, typed.Insert) and statement.name:
        return known.having("local", statement.name, Presence(True, known.view))
    return known


def _leaks(
    body: Iterable[typed.Stmt],
    known: Known,
    stores: Mapping[str, typed.StoreDef],
    records: Mapping[str, typed.RecordDef],
) -> Iterator[tuple[str, str]]:
    for statement in body:
        if isinstance(statement, typed.If):
            yield from _leaks(statement.then, known, stores, records)
            yield from _leaks(statement.otherwise, known, stores, records)
        if isinstance(statement, typed.Set):
            yield from _written_leaks(statement.record, statement.assignments, known, records)
        if isinstance(statement, typed.Insert):
            record = stores[statement.store].record
            yield from _written_leaks(record, statement.assignments, known, records)
            yield from _left_out(records[record], statement)
        known = after(statement, known)


def _written_leaks(
    record: str, assignments: Iterable[typed.Assignment], known: Known, records: Mapping[str, typed.RecordDef]
) -> Iterator[tuple[str, str]]:
    for assignment in assignments:
        if isinstance(records[record].fields[assignment.field].type, Optional):
            continue
        filled = not is_dynamic(assignment.value.type) if assignment.if_given else surely(assignment.value, known)
        if not filled:
            yield record, assignment.field


def _left_out(record: typed.RecordDef, statement: typed.Insert) -> Iterator[tuple[str, str]]:
    """Required fields that a new record gets no value for: those that a task adds without a default."""
    written = {assignment.field for assignment in statement.assignments if not assignment.if_given}
    for field in record.fields.values():
        if field.name not in written and field.default is None and not isinstance(field.type, Optional):
            yield record.name, field.name
