"""Scripted events: when they happen, what they change and say, and how the world looks after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import evolve, frozen

from coworkdsl.operations import Undefined
from coworkdsl.world import Base, World
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.evaluator import evaluate
from cwkc.meaning.execution import happen
from cwkc.meaning.expressions import condition, expect
from cwkc.meaning.initial import initial_state
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.tools import check_writes, find_store
from cwkc.meaning.types import DATETIME, TEXT
from cwkc.meaning.users import whole_number
from cwkc.meaning.walk import statements
from cwkc.syntax import tree


def with_event_ids(nodes: Iterable[tree.Event], names: Names) -> Names:
    """The scope in which the records that events insert are known."""
    ids = dict(names.ids)
    quiet = evolve(names, sink=[])  # what is wrong with the path is told where the event is checked
    for node in nodes:
        for action in node.actions:
            store = find_store(action.store, quiet) if isinstance(action, tree.InsertRows) else None
            for row in action.rows if isinstance(action, tree.InsertRows) and store else ():
                known = ids.get(row.id.id, ())
                if store is not None and store.name not in [name for name, _ in known]:
                    ids[row.id.id] = (*known, (store.name, row.id.span))
    return evolve(names, ids=ids)


def check_events(nodes: Iterable[tree.Event], names: Names, now: datetime) -> dict[str, typed.EventDef]:
    """The events by name, in source order: without their conditions, which may ask for what depends on events."""
    events: dict[str, typed.EventDef] = {}
    for node in nodes:
        if node.name.text in events:
            first = Label(events[node.name.text].span, "first declared here")
            names.sink.append(report("E262", node.name.span, kind="event", name=node.name.text, related=(first,)))
        else:
            events[node.name.text] = _event(node, names, now)
    return events


def _event(node: tree.Event, names: Names, now: datetime) -> typed.EventDef:
    scope = evolve(names, stage=Stage.EVENT)
    says = [action for action in node.actions if isinstance(action, tree.Say)]
    ends = any(isinstance(action, tree.End) for action in node.actions)
    if node.silent and says:
        names.sink.append(report("E302", says[0].span, name=node.name.text))
    if not any(map(_acts, node.actions)):
        names.sink.append(report("E303", node.name.span, name=node.name.text))
    return typed.EventDef(
        node.name.text,
        node.trigger,
        None,
        _time(node, names, now) if node.trigger == "at" else None,
        whole_number(node.moment, names, "E312") if node.trigger == "turn" else None,
        node.silent,
        tuple(map(_placing, check_writes(node.name, _writes(node, scope), scope))),
        tuple(expect(say.text, scope.statement(), TEXT) for say in says),
        ends,
        span=node.name.span,
    )


def _acts(action: tree.Statement) -> bool:
    """Whether an action does anything: one that says nothing does not."""
    return not (isinstance(action, tree.Say) and isinstance(action.text, tree.Text) and not action.text.value.strip())


def with_conditions(
    events: Mapping[str, typed.EventDef], nodes: Iterable[tree.Event], names: Names
) -> dict[str, typed.EventDef]:
    """The events with the conditions on which they happen."""
    moments = {node.name.text: node.moment for node in reversed(tuple(nodes)) if node.trigger == "when"}
    scope = evolve(names, stage=Stage.GRADING)
    return {
        name: evolve(event, condition=condition(moments[name], scope.statement())) if name in moments else event
        for name, event in events.items()
    }


def _time(node: tree.Event, names: Names, now: datetime) -> datetime | None:
    time: datetime | None = constant(node.moment, names.at(Stage.DATA), DATETIME)
    if time is not None and time <= now:
        names.sink.append(report("E304", node.moment.span, name=node.name.text))
    return time


def _report_existing(row: tree.Row, path: tree.Path, names: Names) -> None:
    """An event brings records that are not there yet: neither from the start nor by an event written before it."""
    store = find_store(path, evolve(names, sink=[]))
    for home, place in names.ids.get(row.id.id, ()):
        if place == row.id.span:
            return
        if store is not None and names.stores[home].record == store.record:
            related = (Label(place, "it is there already"),)
            names.sink.append(report("E308", row.id.span, id=row.id.id, related=related))
            return


def _writes(node: tree.Event, names: Names) -> Iterable[tree.Statement]:
    for action in node.actions:
        if isinstance(action, tree.InsertRows):
            for row in action.rows:
                _report_existing(row, action.store, names)
                id = tree.Text(row.id.id, span=row.id.span)
                yield tree.Insert(action.store, id, row.fields, span=row.span)
        elif isinstance(action, tree.Set | tree.Delete):
            yield action


def _placing(statement: typed.Stmt) -> typed.Stmt:
    if isinstance(statement, typed.Insert):
        return typed.Place(statement.store, statement.id, statement.assignments, None, span=statement.span)
    return statement


# ---------------------------------------------------------------------------- what they place


def reserved_ids(events: Iterable[typed.EventDef]) -> dict[str, tuple[str, ...]]:
    """By store, the ids of the records that events insert."""
    reserved: dict[str, tuple[str, ...]] = {}
    for event in events:
        for statement in statements(event.body):
            if isinstance(statement, typed.Place) and isinstance(statement.id, typed.Constant):
                reserved[statement.store] = (*reserved.get(statement.store, ()), str(statement.id.value))
    return reserved


# ---------------------------------------------------------------------------- the world after them

_ANOTHER = "another record"
"""The id of none that a task may have."""


@frozen(eq=False)
class Course:
    """What truths `after` an event are evaluated by: the events, the initial state and the tools that are offered."""

    events: Mapping[str, typed.EventDef]
    base: Base
    tools: tuple[typed.ToolDef, ...]

    def after(self, event: typed.EventDef, values: Values) -> Values:
        """The scope behind an event and the timed ones before it."""
        return self._behind(event, self.base, values)

    def is_fixed(self, expr: typed.Expr, event: typed.EventDef, values: Values, value: Any) -> bool:
        """Whether a truth is the same whatever tools have written before the event: tried with other values in all the
        fields that they can set, with a record more where they insert some, and without those that they can delete and
        the event does not speak of."""
        try:
            others = (*map(self._overwritten, range(self._choices)), self._grown(), self._shrunk(event, values))
            return all(evaluate(expr, self._behind(event, base, values)) == value for base in others)
        except Undefined:
            return False

    def _behind(self, event: typed.EventDef, base: Base, values: Values) -> Values:
        world = world_after(before_and_with(event, self.events), base, values.truths)
        return evolve(values, world=world, start=base.view(), now=world.now)

    @property
    def _written(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """The fields that a tool can set, as record and name, and values for each: those of a list that is closed, else
        null."""
        fields = {
            (each.record, assignment.field)
            for each in self._statements
            if isinstance(each, typed.Set)
            for assignment in each.assignments
        }
        return {(record, name): _closed(self.base.layout.records[record].fields[name].type) for record, name in fields}

    @property
    def _choices(self) -> int:
        return max((len(values) for values in self._written.values()), default=0)

    def _overwritten(self, number: int) -> Base:
        """The initial state, with other values in the fields that tools can set."""
        written = {key: values[number % len(values)] for key, values in self._written.items()}
        stores = self.base.layout.stores
        rows = {
            store: {
                id: {name: written.get((stores[store].record, name), value) for name, value in record.items()}
                for id, record in records.items()
            }
            for store, records in self._rows().items()
        }
        return Base(self.base.layout, rows, self.base.view().now)

    def _grown(self) -> Base:
        """The initial state, with an empty record more in each store into which a tool inserts."""
        layout, rows = self.base.layout, self._rows()
        for store in {each.store for each in self._statements if isinstance(each, typed.Insert)}:
            rows[store][_ANOTHER] = layout.records[layout.stores[store].record].blank
        return Base(layout, rows, self.base.view().now)

    def _shrunk(self, event: typed.EventDef, values: Values) -> Base:
        """The initial state without the records that tools can delete, but those that events write until then."""
        layout = self.base.layout
        deletable = {each.record for each in self._statements if isinstance(each, typed.Delete)}
        kept = {write.id for write in world_after(before_and_with(event, self.events), self.base, values.truths).log}
        rows = {
            store: {
                id: record
                for id, record in records.items()
                if layout.stores[store].record not in deletable or id in kept
            }
            for store, records in self._rows().items()
        }
        return Base(layout, rows, self.base.view().now)

    def _rows(self) -> dict[str, dict[str, Mapping[str, Any]]]:
        return {store: dict(self.base.view().rows(store)) for store in self.base.layout.stores}

    @property
    def _statements(self) -> Iterator[typed.Stmt]:
        """Those of all tools."""
        return (each for tool in self.tools for each in statements(tool.body))


def _closed(type: Any) -> tuple[Any, ...]:
    """The values of a field whose list of them is closed, by its descriptor; else null alone."""
    if isinstance(type, dict) and "optional" in type:
        return (None, *_closed(type["optional"]))
    if isinstance(type, dict) and "enum" in type:
        return tuple(type["enum"])
    return (True, False) if type == "bool" else (None,)


def scope_behind(task: typed.Task, truth: typed.TruthDef, values: Values) -> Values:
    """The scope in which a truth of a task has its value."""
    if truth.after is None:
        return values
    base = initial_state(task.records, task.stores, task.rows, task.now)
    return Course(task.events, base, task.tools).after(task.events[truth.after], values)


def states(task: typed.Task) -> Iterator[Base]:
    """The initial state, and the state behind one event after the other."""
    base = initial_state(task.records, task.stores, task.rows, task.now)
    yield base
    truths = {name: truth.value for name, truth in task.truths.items()}
    world = World(base)
    for event in in_order(task.events.values()):
        _let_happen(event, world, truths)
        yield Base(base.layout, {store: dict(world.rows(store)) for store in base.layout.stores}, world.now)


def in_order(events: Iterable[typed.EventDef]) -> tuple[typed.EventDef, ...]:
    """The timed events come last, in the order of their times."""
    earliest = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(events, key=lambda each: each.time or earliest))


def before_and_with(event: typed.EventDef, events: Mapping[str, typed.EventDef]) -> tuple[typed.EventDef, ...]:
    """The timed events before an event, in the order in which they happen, and the event."""
    timed = [each for each in events.values() if each.time is not None and each.name != event.name]
    earlier = [each for each in timed if event.time is not None and each.time is not None and each.time < event.time]
    same = [each for each in timed if each.time == event.time and _stands_before(each, event, events)]
    return (*sorted(earlier, key=lambda each: each.time or datetime.max), *same, event)


def _stands_before(one: typed.EventDef, other: typed.EventDef, events: Mapping[str, typed.EventDef]) -> bool:
    names = list(events)
    return names.index(one.name) < names.index(other.name)


def world_after(happened: Iterable[typed.EventDef], base: Base, truths: Mapping[str, Any]) -> World:
    """The initial world with what events do, one after the other."""
    world = World(base)
    for event in happened:
        _let_happen(event, world, truths)
    return world


def _let_happen(event: typed.EventDef, world: World, truths: Mapping[str, Any]) -> None:
    """One whose values do not exist changes nothing, as in a run."""
    world.begin(-1, event.name)
    try:
        happen(event, world, truths)
    except Undefined:
        world.rollback()
    world.commit()
