"""The initial state of a task, as the runtime holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from coworkdsl.layout import Field, Layout, RecordType, Store
from coworkdsl.world import Base
from coworkdsl.world import View as StateView
from cwkc.meaning.typed import RecordDef, RowDef, StoreDef
from cwkc.meaning.types import EnumType, ListOf, Optional, Reference, Scalar, Type, View

Descriptor = str | dict[str, Any]


def descriptor(type: Type) -> Descriptor:
    """The type as packs and the runtime write it."""
    if isinstance(type, Optional):
        return {"optional": descriptor(type.item)}
    if isinstance(type, ListOf):
        return {"list": descriptor(type.item)}
    if isinstance(type, EnumType):
        return {"enum": list(type.values)}
    if isinstance(type, Reference):
        return {"ref": type.record}
    if isinstance(type, View):
        return {"view": type.record, "fields": list(type.fields)}
    return type.name if isinstance(type, Scalar) else "text"


def layout(records: Mapping[str, RecordDef], stores: Mapping[str, StoreDef]) -> Layout:
    return Layout(
        {name: _record(record) for name, record in records.items()},
        {name: Store(name, store.record, store.key, store.prefix) for name, store in stores.items()},
    )


def _record(record: RecordDef) -> RecordType:
    fields = {
        name: Field(descriptor(field.type), field.default, field.has_default) for name, field in record.fields.items()
    }
    return RecordType(record.name, fields, record.stores)


def initial_state(
    records: Mapping[str, RecordDef], stores: Mapping[str, StoreDef], rows: Iterable[RowDef], now: datetime
) -> Base:
    """The base that all runs of the task share."""
    held: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        held.setdefault(row.store, {})[row.id] = row.fields
    return Base(layout(records, stores), held, now)


def initial_view(
    records: Mapping[str, RecordDef], stores: Mapping[str, StoreDef], rows: Iterable[RowDef], now: datetime
) -> StateView:
    return initial_state(records, stores, rows, now).view()
