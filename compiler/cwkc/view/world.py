"""The initial records of a task as tables, a table for each store that has any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from coworkdsl import Task
from coworkdsl.layout import Field
from coworkdsl.world import Record
from cwkc.view.words import shown


@frozen
class Distractor:
    """A record that misses the truth `near` by one condition, `misses`."""

    near: str
    misses: str


@frozen
class Row:
    id: str
    cells: tuple[str, ...]
    distractor: Distractor | None


@frozen
class Table:
    """The rows of a store. `columns`: the fields in which some row has another value than the default; `left_out`:
    the others."""

    store: str
    key: str
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def has_distractors(self) -> bool:
        return any(row.distractor for row in self.rows)


def tables(task: Task) -> Iterator[Table]:
    """Raises PackError."""
    view = task.base.view()
    distractors = _distractors(task.proof)
    for store in view.layout.stores.values():
        records = dict(view.rows(store.name))
        fields = view.layout.records[store.record].fields
        columns = tuple(name for name, field in fields.items() if _tells(records, name, field))
        rows = tuple(
            Row(id, tuple(_cell(record[name]) for name in columns), distractors.get((store.name, id)))
            for id, record in records.items()
        )
        if rows:
            left_out = tuple(name for name in fields if name not in columns)
            yield Table(store.name, store.key, columns, left_out, rows)


def _tells(records: Mapping[str, Record], name: str, field: Field) -> bool:
    return any(record[name] != field.default for record in records.values())


def _cell(value: Any) -> str:
    return "" if value is None else shown(value)


def _distractors(proof: Mapping[str, Any]) -> dict[tuple[str, str], Distractor]:
    """By store and id, what the proof says of the records that are near misses."""
    listed = (each for theorem in proof["theorems"] for each in theorem["evidence"].get("distractors", ()))
    return {(each["store"], each["id"]): Distractor(each["near"], each["misses"]) for each in listed}
