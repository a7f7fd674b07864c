"""The initial state of a task, as world.json holds it."""

from __future__ import annotations

from typing import Any

from coworkdsl.families import HOLE
from coworkdsl.values import to_stored
from cwkc.emit.literals import Hole
from cwkc.meaning import typed
from cwkc.meaning.events import reserved_ids
from cwkc.meaning.initial import descriptor


def world_document(task: typed.Task) -> dict[str, Any]:
    """Every record type and store in reach, the initial records without the fields that have their default, and the
    ids of those that events bring."""
    return {
        "now": _stored(task.now),
        "records": {name: _record(record) for name, record in task.records.items()},
        "stores": {name: _store(store) for name, store in task.stores.items()},
        "rows": _rows(task),
        **({"reserved": _reserved(task)} if task.events else {}),
    }


def _stored(value: Any) -> Any:
    return {HOLE: value.name} if isinstance(value, Hole) else to_stored(value)


def _record(record: typed.RecordDef) -> dict[str, Any]:
    return {"fields": {name: _field(field) for name, field in record.fields.items()}, "stores": list(record.stores)}


def _field(field: typed.FieldDef) -> dict[str, Any]:
    default = {"default": to_stored(field.default)} if field.has_default else {}
    return {"type": descriptor(field.type), **default}


def _store(store: typed.StoreDef) -> dict[str, Any]:
    return {"record": store.record, "key": store.key, "prefix": store.prefix}


def _reserved(task: typed.Task) -> dict[str, list[str]]:
    return {store: list(ids) for store, ids in reserved_ids(task.events.values()).items()}


def _rows(task: typed.Task) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for row in task.rows:
        fields = task.records[task.stores[row.store].record].fields
        written = {name: _stored(value) for name, value in row.fields.items() if not _is_default(value, fields[name])}
        rows.setdefault(row.store, {})[row.id] = written
    return rows


def _is_default(value: Any, field: typed.FieldDef) -> bool:
    """Whether the field need not be written; what has no default is null."""
    return bool(value == field.default) and isinstance(value, bool) == isinstance(field.default, bool)
