"""The record types and stores of a task, and the reading of world.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from coworkdsl.values import Reader, Type, WireError, shown, stored_reader


@dataclass(frozen=True, slots=True)
class Field:
    """`has_default` tells a default of null from none."""

    type: Type
    default: Any
    has_default: bool


@dataclass(frozen=True, slots=True)
class RecordType:
    """`stores`: those that hold it, in the order in which a reference is looked up."""

    name: str
    fields: Mapping[str, Field]
    stores: tuple[str, ...]
    blank: dict[str, Any] = field(init=False, repr=False, compare=False)
    """Every field with its default, null where it has none."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "blank", {name: each.default for name, each in self.fields.items()})


@dataclass(frozen=True, slots=True)
class Store:
    """`key` is the id's name on the wire; `prefix` of minted ids, None where an insert names its id."""

    name: str
    record: str
    key: str
    prefix: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """By qualified name."""

    records: Mapping[str, RecordType]
    stores: Mapping[str, Store]
    homes: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    """Record to the stores that hold it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "homes", {name: record.stores for name, record in self.records.items()})

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Layout:
        """From the `records` and `stores` of world.json. Raises ValueError when they are damaged."""
        records = {name: _record(name, definition) for name, definition in document["records"].items()}
        stores = {name: _store(name, definition, records) for name, definition in document["stores"].items()}
        for record in records.values():
            for store in record.stores:
                if store not in stores:
                    raise ValueError(f"record `{record.name}` is held by the unknown store `{store}`")
        return cls(records, stores)


def _object(value: Any, name: str, *members: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"`{name}` must be an object; got {shown(value)}")
    for member in members:
        if member not in value:
            raise ValueError(f"`{name}` has no `{member}`")
    return value


def _record(name: str, definition: Any) -> RecordType:
    members = _object(definition, name, "fields", "stores")
    fields = {key: _field(f"{name}.{key}", each) for key, each in _object(members["fields"], name).items()}
    if not isinstance(members["stores"], list):
        raise ValueError(f"`{name}.stores` must be an array; got {shown(members['stores'])}")
    return RecordType(name, fields, tuple(members["stores"]))


def _field(name: str, definition: Any) -> Field:
    type = _object(definition, name, "type")["type"]
    read = _named(name, stored_reader(type))
    has_default = "default" in definition
    return Field(type, read(definition["default"]) if has_default else None, has_default)


def _store(name: str, definition: Any, records: Mapping[str, RecordType]) -> Store:
    members = _object(definition, name, "record", "key", "prefix")
    record = members["record"]
    if not isinstance(record, str) or record not in records:
        raise ValueError(f"store `{name}` holds the unknown record `{record}`")
    if not isinstance(members["key"], str) or not isinstance(members["prefix"], str | None):
        raise ValueError(f"store `{name}`: `key` must be a text, and `prefix` a text or null")
    return Store(name, record, members["key"], members["prefix"])


def _named(name: str, read: Reader) -> Reader:
    """The reader, whose errors name the value."""

    def read_named(value: Any) -> Any:
        try:
            return read(value)
        except WireError as error:
            raise ValueError(f"`{name}{error.path}` {error.reason}") from None

    return read_named


def read_now(document: Mapping[str, Any]) -> datetime:
    """The task's clock. Raises ValueError."""
    now: datetime = _named("now", stored_reader("datetime"))(document["now"])
    return now


def read_reserved(document: Mapping[str, Any], layout: Layout) -> dict[str, list[str]]:
    """By store, the ids of records that events will place there. Raises ValueError when they are damaged."""
    reserved = dict(_object(document.get("reserved", {}), "reserved"))
    for store, ids in reserved.items():
        if store not in layout.stores or not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
            raise ValueError(f"`reserved` must hold lists of ids by store; got `{store}`")
    return reserved


def read_rows(layout: Layout, store: str, rows: Any) -> dict[str, dict[str, Any]]:
    """The initial records of a store, defaults filled in. Raises ValueError when they are damaged."""
    if store not in layout.stores:
        raise ValueError(f"`rows` holds records of the unknown store `{store}`")
    record = layout.records[layout.stores[store].record]
    readers = {name: stored_reader(each.type) for name, each in record.fields.items()}
    return {id: record.blank | _row(readers, f"{store}.{id}", row) for id, row in _object(rows, store).items()}


def _row(readers: Mapping[str, Reader], name: str, row: Any) -> dict[str, Any]:
    values = {}
    for column, value in _object(row, name).items():
        if column not in readers:
            raise ValueError(f"`{name}` has no field `{column}`")
        values[column] = _named(f"{name}.{column}", readers[column])(value)
    return values
