"""Distractors: records that miss a truth by exactly one of its conditions.

A near miss is made from a record that the truth names: a copy in which the values that one condition reads are changed
until it fails and every other condition still holds, which the evaluator says. What no condition reads is made
plausible from the vocabularies. Where a condition reads through a reference and no record at hand fails it, a record to
refer to is made likewise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice, product
from random import Random
from typing import Any

from attrs import evolve, frozen

from coworkdsl.world import Record, View
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.candidates import candidates
from cwkc.meaning.evaluator import Scope, evaluate, holds
from cwkc.meaning.names import Names
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.plausible import otherwise, some_words
from cwkc.meaning.tools import find_store
from cwkc.meaning.types import DATE, DATETIME, DECIMAL, INT, TEXT, ListOf, Reference, required
from cwkc.meaning.vocabularies import Picks
from cwkc.meaning.walk import conjuncts, walk
from cwkc.syntax import tree

MOST = 200
"""So many records one `distract` may make."""

_TRIED = 400
"""So many changes of one record are tried to break one condition."""

_WORDS = 24
"""So many values of a vocabulary are tried for a text."""

Change = Mapping[str, Any]
"""New values of fields of one record."""


@frozen
class Condition:
    """One condition of a truth, on `variable`."""

    variable: str
    expr: typed.Expr

    @property
    def words(self) -> str:
        return " ".join(self.expr.span.text.split())


@frozen(eq=False)
class Described:
    """A truth that chooses records of one store by conditions, and those that it chooses."""

    name: str
    store: typed.StoreDef
    binder: typed.Binder
    conditions: tuple[Condition, ...]
    chosen: tuple[str, ...]


@frozen(eq=False)
class State:
    """The records so far, and where expressions over them are evaluated."""

    names: Names
    scope: Scope
    rows: tuple[typed.RowDef, ...]

    @property
    def picks(self) -> Picks:
        assert self.names.picks is not None, "a task has what to pick from"
        return self.names.picks

    def with_rows(self, rows: Iterable[typed.RowDef]) -> State:
        added = tuple(rows)
        if not added:
            return self
        start = self.scope.world
        assert isinstance(start, View), "the initial state is one"
        stores = dict(start.stores)
        for row in added:
            stores[row.store] = {**stores[row.store], row.id: Record(row.fields)}
        view = View(start.layout, stores, start.now)
        return evolve(self, scope=evolve(self.scope, world=view, start=view), rows=(*self.rows, *added))

    def fields(self, record: str, id: str) -> Mapping[str, Any]:
        store = next(store for store in self.names.records[record].stores if self.row(store, id) is not None)
        row = self.row(store, id)
        assert row is not None, "it was found in that store"
        return row.fields

    def row(self, store: str, id: str) -> typed.RowDef | None:
        return next((row for row in self.rows if row.store == store and row.id == id), None)


def make_distractors(
    nodes: Iterable[tuple[tree.Distract, Mapping[str, typed.ServiceDef]]],
    truths: Mapping[str, typed.TruthDef],
    names: Names,
    scope: Scope,
    rows: tuple[typed.RowDef, ...],
) -> tuple[tuple[typed.RowDef, ...], tuple[typed.DistractorDef, ...]]:
    """The rows with near misses added, and what each misses. `scope` is the initial state, with the truths' values."""
    state = State(names, scope, rows)
    made: list[typed.DistractorDef] = []
    for node, services in nodes:
        described = _described(node, services, truths, state)
        count = _count(node, names)
        if described is not None and count is not None:
            state = _make(node, count, described, state, made)
    return state.rows, tuple(made)


def _count(node: tree.Distract, names: Names) -> int | None:
    count = node.count.value if isinstance(node.count, tree.Number) else None
    if isinstance(count, int) and 1 <= count <= MOST:
        return count
    names.sink.append(report("E235", node.count.span, wanted=f"a whole number from 1 to {MOST}"))
    return None


def _described(
    node: tree.Distract,
    services: Mapping[str, typed.ServiceDef],
    truths: Mapping[str, typed.TruthDef],
    state: State,
) -> Described | None:
    names = state.names
    store = find_store(node.store, evolve(names, services=services))
    truth = truths.get(node.near.text)
    if truth is None:
        help = did_you_mean(node.near.text, truths, "name a truth that is defined with `let`")
        names.sink.append(report("E201", node.near.span, name=node.near.text, help=help))
    if store is None or truth is None or not truth.value:
        return None
    found = _conditions(truth.expr, truths)
    if found is None or found[1] != store.name:
        place = Label(truth.span, "this is the truth")
        words = {"name": node.near.text, "store": store.name}
        names.sink.append(report("E296", node.near.span, related=(place,), **words))
        return None
    chosen = truth.value if isinstance(truth.value, tuple) else (truth.value,)
    return Described(node.near.text, store, found[0], found[2], chosen)


def _conditions(
    expr: typed.Expr, truths: Mapping[str, typed.TruthDef]
) -> tuple[typed.Binder, str, tuple[Condition, ...]] | None:
    """The choice that a truth makes, the store that it chooses from, and its conditions, those of a list that it
    chooses from included; None where it makes no such choice."""
    binder = expr.binder if isinstance(expr, typed.First) else expr
    if not isinstance(binder, typed.Binder) or binder.quantifier not in ("only", "all"):
        return None
    own = tuple(conjuncts(binder.where)) if binder.where is not None else ()
    conditions = tuple(Condition(binder.variable.name, each) for each in own)
    if isinstance(binder.source, typed.Truth):
        inner = _conditions(truths[binder.source.name].expr, truths)
        return None if inner is None else (binder, inner[1], (*inner[2], *conditions))
    if not isinstance(binder.source, typed.StoreRecords) or not conditions:
        return None
    return binder, binder.source.store, conditions


# ---------------------------------------------------------------------------- making


def _make(
    node: tree.Distract, count: int, described: Described, state: State, made: list[typed.DistractorDef]
) -> State:
    """So many near misses; the condition that each breaks is the next one in turn that can be broken alone."""
    unbroken: set[int] = set()
    turn = 0
    for number in range(count):
        for index in islice(_in_turn(len(described.conditions), turn), len(described.conditions)):
            found = None if index in unbroken else _near_miss(node, number, index, described, state)
            if found is not None:
                break
            unbroken.add(index)
        else:
            state.names.sink.append(report("E297", node.span, name=described.name))
            return state
        turn = index + 1
        state = state.with_rows(found)
        row = found[-1]
        words = described.conditions[index].words
        made.append(typed.DistractorDef(row.store, row.id, described.name, words, span=node.span))
    for index in sorted(unbroken):
        condition = described.conditions[index]
        place = Label(condition.expr.span, "this condition")
        named = {"condition": condition.words, "name": described.name}
        state.names.sink.append(report("W453", node.span, related=(place,), **named))
    return state


def _in_turn(count: int, first: int) -> Iterator[int]:
    yield from ((first + step) % count for step in range(count))


def _near_miss(
    node: tree.Distract, number: int, index: int, described: Described, state: State
) -> tuple[typed.RowDef, ...] | None:
    """A record that breaks one condition alone, behind those that it refers to and that were made for it."""
    model = described.chosen[number % len(described.chosen)]
    store, record = described.store.name, described.store.record
    id = _minted(model, record, state, ())
    place = f"{node.near.text} {store} {id}"
    random = Random(sha256(f"{state.picks.task} {place} {index}".encode()).hexdigest())
    fields = _plausible(state.fields(record, model), place, described, state)
    tried = _changes(described.conditions[index], record, id, fields, random, state)
    for change, helpers in islice(tried, _TRIED):
        row = typed.RowDef(store, id, {**fields, **change}, {}, span=node.span)
        rows = (*(evolve(helper, span=node.span) for helper in helpers), row)
        if _misses_one(rows, index, described, state):
            return _varied(rows, change, index, described, random, state)
    return None


def _varied(
    rows: tuple[typed.RowDef, ...], change: Change, index: int, described: Described, random: Random, state: State
) -> tuple[typed.RowDef, ...]:
    """The near miss with other numbers and times where the other conditions allow it: a copy of the record that it is
    near would give that one away."""
    record = described.store.record
    for condition in described.conditions:
        for name in _read_directly(condition):
            kind = required(state.names.records[record].fields[name].type)
            if name in change or kind not in (INT, DECIMAL, DATE, DATETIME):
                continue
            for value in _options(condition, record, name, rows[-1].fields[name], random, state):
                varied = (*rows[:-1], evolve(rows[-1], fields={**rows[-1].fields, name: value}))
                if value is not None and _misses_one(varied, index, described, state):
                    rows = varied
                    break
    return rows


def _misses_one(rows: tuple[typed.RowDef, ...], index: int, described: Described, state: State) -> bool:
    """Whether the last of these records breaks this condition and no other, and the truth stays what it was."""
    scope = state.with_rows(rows).scope
    for number, condition in enumerate(described.conditions):
        if holds(condition.expr, scope.bind(condition.variable, rows[-1].id)) == (number == index):
            return False
    binder = evolve(described.binder, quantifier="all", order=None)
    before = evaluate(binder, state.scope)
    return bool(before == evaluate(binder, scope))


def _minted(model: str, record: str, state: State, besides: Iterable[str]) -> str:
    """The next id of the style of another: `TK-900` is followed by `TK-901`, `orders.csv` by `orders-2.csv`."""
    taken = {row.id for row in state.rows if state.names.stores[row.store].record == record} | set(state.names.ids)
    taken.update(besides)
    found = re.fullmatch(r"(.*?)(\d*)(\.[A-Za-z]\w*)?", model, re.DOTALL)
    assert found is not None, "every text is of this form"
    stem, digits, ending = found.groups()
    width, number = len(digits), int(digits or 1)
    stem = stem if digits else f"{stem}-"
    while True:
        number += 1
        id = f"{stem}{number:0{width}}{ending or ''}"
        if id not in taken:
            return id


def _plausible(fields: Mapping[str, Any], place: str, described: Described, state: State) -> dict[str, Any]:
    """The fields of a record, with other words in those that no condition reads and a vocabulary speaks of."""
    record = described.store.record
    read = {part.name for each in described.conditions for part in walk(each.expr) if isinstance(part, typed.FieldOf)}
    return {
        name: value if name in read else _otherwise(record, name, value, place, state) for name, value in fields.items()
    }


def _otherwise(record: str, name: str, value: Any, place: str, state: State) -> Any:
    elsewhere = [row.fields[name] for row in state.rows if state.names.stores[row.store].record == record]
    return otherwise(record, state.names.records[record].fields[name], value, place, elsewhere, state.picks)


# ---------------------------------------------------------------------------- what may be changed

Tried = tuple[Change, tuple[typed.RowDef, ...]]
"""New values of a record's fields, and the records that are made for it to refer to."""


def _changes(
    condition: Condition, record: str, id: str, fields: Mapping[str, Any], random: Random, state: State
) -> Iterator[Tried]:
    """Changes that may break a condition: of one field that it reads, of a record that it reads through a reference,
    of two fields."""
    direct = _read_directly(condition)
    options = {name: _options(condition, record, name, fields[name], random, state) for name in direct}
    for name, values in options.items():
        yield from (({name: value}, ()) for value in values if value is not None)
    for name, read in _read_through(condition).items():
        yield from _other_references(condition, record, id, name, read, fields, random, state)
    yield from (({name: None}, ()) for name, values in options.items() if None in values)
    for one, other in product(options, options):
        if one < other:
            yield from (({one: a, other: b}, ()) for a, b in product(options[one][:20], options[other][:20]))


def _read_directly(condition: Condition) -> list[str]:
    """The fields of the record itself that a condition reads."""
    found = (
        part.name
        for part in walk(condition.expr)
        if isinstance(part, typed.FieldOf) and _is_variable(part.base, condition)
    )
    return list(dict.fromkeys(found))


def _read_through(condition: Condition) -> dict[str, list[str]]:
    """The references by which a condition reads on, each with the fields that it reads behind them."""
    found: dict[str, list[str]] = {}
    for part in walk(condition.expr):
        base = part.base if isinstance(part, typed.FieldOf) else None
        if isinstance(part, typed.FieldOf) and isinstance(base, typed.FieldOf) and _is_variable(base.base, condition):
            found.setdefault(base.name, []).append(part.name)
    return found


def _is_variable(expr: typed.Expr, condition: Condition) -> bool:
    return isinstance(expr, typed.Variable) and expr.name == condition.variable


def _options(condition: Condition, record: str, name: str, value: Any, random: Random, state: State) -> list[Any]:
    """Other values of a field: the near ones of what a condition compares with, and those that there are elsewhere."""
    field = state.names.records[record].fields[name]
    elsewhere = [row.fields[name] for row in state.rows if state.names.stores[row.store].record == record]
    core = required(field.type)
    if isinstance(core, Reference):
        stores = state.names.records[core.record].stores
        elsewhere = [row.id for row in state.rows if row.store in stores]
    words = some_words(record, name, _WORDS, random, state.picks)
    if core == TEXT:
        elsewhere += words
    elif core == ListOf(TEXT):
        elsewhere += [(word,) for word in words]
    found = candidates(field, value, condition.expr, elsewhere, state.scope)
    random.shuffle(found)
    return found


def _other_references(
    condition: Condition,
    record: str,
    id: str,
    name: str,
    read: list[str],
    fields: Mapping[str, Any],
    random: Random,
    state: State,
) -> Iterator[Tried]:
    """A record to refer to that was not there: a copy of the one that is referred to, with a field changed."""
    kind = required(state.names.records[record].fields[name].type)
    if not isinstance(kind, Reference) or fields[name] is None:
        return
    store = next(store for store in state.names.records[kind.record].stores if state.row(store, fields[name]))
    other = _minted(fields[name], kind.record, state, (id,))
    old = state.fields(kind.record, fields[name])
    kept = {
        key: value if key in read else _otherwise(kind.record, key, value, other, state) for key, value in old.items()
    }
    for changed in (changed for changed in read if changed in kept):
        for value in _options(condition, kind.record, changed, kept[changed], random, state):
            made = typed.RowDef(store, other, {**kept, changed: value}, {}, span=condition.expr.span)
            yield {name: other}, (made,)


__all__ = ["make_distractors"]
