"""Situations that are made up: what a run was to do, and how the records were to lie, for a condition to be decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from attrs import frozen

from coworkdsl.world import World
from cwkc.meaning import typed
from cwkc.meaning.calendar import moved
from cwkc.meaning.types import (
    BOOL,
    DECIMAL,
    EnumType,
    ListOf,
    Reference,
    Type,
    required,
)

NOTHING: Mapping[Any, Any] = MappingProxyType({})
Field = tuple[str, str, str]
"""A record's type, its id and the name of a field."""


MOST_ITEMS = 2
"""So many members has a list that an agent sends."""


class Words(tuple[str, ...]):
    """A text that has all of these in it."""


class Items(tuple[Any, ...]):
    """A list that has all of these in it."""


@frozen
class MadeCall:
    """A call; `arguments` is None when it broke the schema."""

    tool: str
    arguments: Mapping[str, Any] | None
    accepted: bool = True


@frozen
class Situation:
    """`records`: by id, the stores of new records. `arguments` are those of the call that is looked at."""

    said: tuple[str, ...] = ()
    records: Mapping[str, str] = NOTHING
    fields: Mapping[Field, Any] = NOTHING
    arguments: Mapping[str, Any] = NOTHING
    calls: tuple[MadeCall, ...] = ()

    def __or__(self, other: Situation) -> Situation:
        """Both; where they cannot both be, the other one."""
        if self is ANY or other is ANY:
            return other if self is ANY else self
        return Situation(
            self.said + other.said,
            {**self.records, **other.records} if other.records else self.records,
            _joined(self.fields, other.fields),
            _joined(self.arguments, other.arguments),
            self.calls + other.calls,
        )

    def write(self, world: World, made_up: MadeUp) -> None:
        """Puts the records into a world as they are to be."""
        changed: dict[tuple[str, str], dict[str, Any]] = {}
        for (record, id, name), value in self.fields.items():
            changed.setdefault((record, id), {})[name] = plain(value)
        for id, store in self.records.items():
            record = world.layout.stores[store].record
            world.insert(store, id, {**made_up.fields(record), **changed.pop((record, id), {})})
        for (record, id), fields in changed.items():
            world.update(record, id, fields)


ANY = Situation()


def _joined(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Mapping[Any, Any]:
    if not first or not second:
        return second or first
    joined = dict(first)
    for key, value in second.items():
        before = joined.get(key)
        kind = type(value)
        joined[key] = kind(before + value) if kind in (Words, Items) and type(before) is kind else value
    return joined


def plain(value: Any) -> Any:
    """A value as a record or a call holds it."""
    if isinstance(value, Words):
        return "\n".join(value) or "nothing"
    return tuple(dict.fromkeys(value)) if isinstance(value, Items) else value


class MadeUp:
    """Values of every type, in the representation of `cwkc.meaning.typed`. `rows`: the records that there are;
    `addresses`: those that they hold."""

    def __init__(self, task: typed.Task, rows: Iterable[typed.RowDef], addresses: Sequence[str]) -> None:
        self.task = task
        self.addresses = addresses
        self._ids: dict[str, list[str]] = {name: [] for name in task.records}
        self._fields: dict[str, Mapping[str, Any]] = {}
        self._homes: dict[str, set[str]] = {}
        for row in rows:
            self._ids[task.stores[row.store].record].append(row.id)
            self._homes.setdefault(row.id, set()).add(row.store)

    def ids(self, record: str) -> list[str]:
        return self._ids[record]

    def is_kept(self, id: str, store: str) -> bool:
        """Whether there is a record of that id in the store."""
        return store in self._homes.get(id, ())

    def fields(self, record: str) -> Mapping[str, Any]:
        """Every field of a made-up record."""
        if record not in self._fields:
            fields = self.task.records[record].fields
            numbered = enumerate(fields.items(), start=1)
            self._fields[record] = {name: self.kept(each, number) for number, (name, each) in numbered}
        return self._fields[record]

    def value(self, type: Type, name: str, number: int = 0) -> Any:
        """A value of something with that name; null for a reference where there is no record."""
        kind = required(type)
        if isinstance(kind, ListOf):
            items = (self.value(kind.item, name, each) for each in (number, number + 1))
            return tuple(dict.fromkeys(item for item in items if item is not None))
        if isinstance(kind, EnumType):
            return kind.values[number % len(kind.values)]
        if isinstance(kind, Reference):
            ids = self._ids[kind.record]
            return ids[number % len(ids)] if ids else None
        make = _MADE.get(str(kind))
        return make(name, number, self.task.now) if make else f"{name} {number} made up"

    def kept(self, field: typed.FieldDef, number: int) -> Any:
        """What a made-up record holds in a field. A number with a default is close to it: most such fields tell how
        much of another one has been used up, and a tool refuses to do anything where nothing is left."""
        if required(field.type) == DECIMAL and isinstance(field.default, Fraction):
            return field.default + Fraction(number, 100)
        return self.value(field.type, field.name, number)

    def value_of(self, field: Field, number: int) -> Any:
        """A value of a field."""
        record, _, name = field
        return self.value(self.task.records[record].fields[name].type, name, number)

    def beside(self, field: Field) -> list[Field]:
        """The other fields of a record that have the same type."""
        record, id, name = field
        fields = self.task.records[record].fields
        alike = (each.name for each in fields.values() if required(each.type) == required(fields[name].type))
        return [(record, id, each) for each in alike if each != name]

    def sent(self, type: Type) -> tuple[Any, ...]:
        """The members of a list that an agent sends: of records, several."""
        kind = required(type)
        assert isinstance(kind, ListOf)
        if isinstance(kind.item, Reference):
            return tuple(self._ids[kind.item.record][:MOST_ITEMS])
        return self.list_of(kind, MOST_ITEMS)

    def list_of(self, type: Type, count: int) -> tuple[Any, ...]:
        """A list of so many members."""
        kind = required(type)
        assert isinstance(kind, ListOf)
        return tuple(self.value(kind.item, "member", number) for number in range(1, count + 1))

    def others(self, value: Any, type: Type) -> Sequence[Any]:
        """Values of a type that differ from the value."""
        kind = required(type)
        if isinstance(kind, EnumType):
            return [other for other in kind.values if other != value]
        if isinstance(kind, Reference):
            return [other for other in self._ids[kind.record] if other != value]
        if isinstance(kind, ListOf):
            return (*([value[:-1]] if value else []), (*(value or ()), *(self.value(type, "other", 3))))
        if kind == BOOL:
            return (not value,)
        if value is None or isinstance(value, str):
            return [made for number in (3, 4) if (made := self.value(type, "other", number)) != value][:1]
        below, above = around(value)
        return (above, below)


_MADE: dict[str, Callable[[str, int, datetime], Any]] = {
    "email": lambda name, number, now: f"{name}.{number}@made-up.test",
    "url": lambda name, number, now: f"https://made-up.test/{name}/{number}",
    "int": lambda name, number, now: 2 + number,
    "decimal": lambda name, number, now: Fraction(5 + 2 * number, 2),
    "bool": lambda name, number, now: number % 2 == 0,
    "date": lambda name, number, now: now.date() - timedelta(days=number),
    "datetime": lambda name, number, now: now - timedelta(days=number, minutes=number),
    "duration": lambda name, number, now: timedelta(hours=2 + number),
}
"""Values of the scalar types, but for texts."""


def around(value: Any) -> tuple[Any, Any]:
    """The next value below, and above."""
    match value:
        case bool() | None | tuple() | dict():
            return value, value
        case str():
            return value[:-1], f"{value}a"
        case int() | Fraction():
            return value - 1, value + 1
    if isinstance(value, timedelta):
        return value - timedelta(seconds=1), value + timedelta(seconds=1)
    step = timedelta(seconds=1) if isinstance(value, datetime) else timedelta(days=1)
    return moved(value, -step), moved(value, step)
