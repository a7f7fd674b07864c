"""Calls of tools in a small world that is made up, in which everything that their bodies decide is decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from coworkdsl.values import to_wire
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.initial import initial_view
from cwkc.meaning.types import EnumType, ListOf, Reference, required
from cwkc.prove.run import CallStep
from cwkc.rehearse.aims import holding
from cwkc.rehearse.explored import body
from cwkc.rehearse.levers import Stage
from cwkc.rehearse.situations import ANY, MadeUp, Situation, plain

ROWS_OF_DATA, ROWS_MADE_UP = 1, 1
"""So many records of each store: of the task, and made up."""

ABSENT = "no-such-record"


@frozen
class Case:
    """A call and the situation in which it is made."""

    situation: Situation
    step: CallStep


# ---------------------------------------------------------------------------- the world


def small_rows(task: typed.Task) -> list[typed.RowDef]:
    """A few records of every store; all that refer to others refer to some of these."""
    rows = []
    for store in task.stores.values():
        rows += [row for row in task.rows if row.store == store.name][:ROWS_OF_DATA]
        rows += [
            typed.RowDef(store.name, f"{store.prefix or ''}made-up-{number}", {}, {}, span=task.span)
            for number in range(ROWS_MADE_UP)
        ]
    made_up = MadeUp(task, rows, ())
    return [evolve(row, fields=dict(_fields(row, number, made_up))) for number, row in enumerate(rows)]


def _fields(row: typed.RowDef, number: int, made_up: MadeUp) -> Iterator[tuple[str, Any]]:
    for field in made_up.task.records[made_up.task.stores[row.store].record].fields.values():
        kind = required(field.type)
        item = kind.item if isinstance(kind, ListOf) else kind
        kept = field.name in row.fields and not isinstance(item, Reference)
        yield field.name, row.fields[field.name] if kept else made_up.kept(field, number)


def held(rows: Iterable[typed.RowDef]) -> dict[str, dict[str, Mapping[str, Any]]]:
    """The records by store and id."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.store, {})[row.id] = row.fields
    return found


# ---------------------------------------------------------------------------- calls


def cases(task: typed.Task, made_up: MadeUp, rows: Iterable[typed.RowDef]) -> Iterator[Case]:
    view = initial_view(task.records, task.stores, rows, task.now)
    stage = Stage(made_up, Scope(view, view, None, task.now), holding)
    for tool in task.tools:
        seen: set[str] = set()
        for situation in _situations(tool, stage):
            step = CallStep(tool.wire_name, dict(_arguments(tool, situation.arguments, made_up)))
            shown = repr((situation.records, situation.fields, step))
            if shown not in seen:
                seen.add(shown)
                yield Case(situation, step)


def _situations(tool: typed.ToolDef, stage: Stage) -> Iterator[Situation]:
    """With what a call must have; with each other argument too, with all of them; and whatever the body decides."""
    made_up = stage.made_up
    yield ANY
    given = {name: made_up.value(each.type, name, 1) for name, each in tool.parameters.items() if not each.required}
    yield Situation(arguments=given)
    yield from (Situation(arguments={name: value}) for name, value in given.items())
    yield from body(tool.body, stage)


def _arguments(tool: typed.ToolDef, given: Mapping[str, Any], made_up: MadeUp) -> Iterator[tuple[str, Any]]:
    """The arguments on the wire; those that are null are left out."""
    for name, parameter in tool.parameters.items():
        if given.get(name) is not None:
            yield name, to_wire(plain(given[name]))
        elif parameter.required:
            yield name, to_wire(made_up.value(parameter.type, name))


def spellings(tool: typed.ToolDef, made_up: MadeUp) -> Iterator[CallStep]:
    """Calls with one argument that the tool's schema, or the records, do not have; and with each word that they do."""
    plainest = dict(_arguments(tool, {}, made_up))
    for name, parameter in tool.parameters.items():
        if parameter.required:
            yield CallStep(tool.wire_name, {key: value for key, value in plainest.items() if key != name})
        kind = required(parameter.type)
        item = kind.item if isinstance(kind, ListOf) else kind
        words = item.values if isinstance(item, EnumType) else ()
        for value in (ABSENT, None, 7, *words):
            yield CallStep(tool.wire_name, {**plainest, name: value})
