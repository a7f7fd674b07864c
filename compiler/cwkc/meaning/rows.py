"""The initial records of a task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from cwkc.diagnostics import Label, report
from cwkc.meaning.constants import constant
from cwkc.meaning.names import Names
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.tools import find_store
from cwkc.meaning.typed import FieldDef, RowDef, ServiceDef, StoreDef
from cwkc.source import Span
from cwkc.syntax import tree


@frozen
class DataBlock:
    """A `data` block, with the names of services in the file that it stands in."""

    node: tree.Data
    services: Mapping[str, ServiceDef]


def check_rows(blocks: Iterable[DataBlock], names: Names) -> tuple[tuple[RowDef, ...], Names]:
    """The rows with every field filled in, and the scope in which their ids are known."""
    placed = [
        (row, store)
        for block in blocks
        if (store := find_store(block.node.store, evolve(names, services=block.services))) is not None
        for row in block.node.rows
    ]
    names = evolve(names, ids=_collect_ids(placed, names))
    rows = (_row(row, store, names) for row, store in placed)
    return tuple(rows), names


def _collect_ids(placed: Iterable[tuple[tree.Row, StoreDef]], names: Names) -> dict[str, tuple[tuple[str, Span], ...]]:
    """Every id with its homes; one that stands twice among the records of one type is reported."""
    ids: dict[str, tuple[tuple[str, Span], ...]] = {}
    for row, store in placed:
        homes = ids.get(row.id.id, ())
        for other, place in homes:
            if names.stores[other].record == store.record:
                first = Label(place, "first written here")
                names.sink.append(report("E262", row.id.span, kind="record", name=f"@{row.id.id}", related=(first,)))
                break
        ids[row.id.id] = (*homes, (store.name, row.id.span))
    return ids


def _row(row: tree.Row, store: StoreDef, names: Names) -> RowDef:
    fields = names.fields(store.record)
    values: dict[str, Any] = {name: field.default for name, field in fields.items()}
    spans: dict[str, Span] = {}
    for entry in row.fields.entries:
        field = fields.get(entry.key.text)
        if field is None:
            _report_unknown(entry, store, fields, names)
        elif entry.key.text in spans:
            first = Label(spans[entry.key.text], "first written here")
            words: dict[str, Any] = {"kind": "field", "name": entry.key.text}
            names.sink.append(report("E262", entry.key.span, related=(first,), **words))
        elif entry.value is None:
            names.sink.append(report("E261", entry.span, help=f"write `{entry.key.text}: …`"))
            spans[entry.key.text] = entry.span
        else:
            place = f"{store.name} {row.id.id} {field.name}"
            values[field.name] = constant(entry.value, evolve(names, place=place), field.type)
            spans[field.name] = entry.span
    for field in fields.values():
        if not field.has_default and field.name not in spans:
            why = Label(field.span, "the field has no default")
            words = {"record": f"@{row.id.id}", "name": field.name}
            names.sink.append(report("E224", row.id.span, related=(why,), **words))
    return RowDef(store.name, row.id.id, values, spans, span=row.id.span)


def _report_unknown(entry: tree.Entry, store: StoreDef, fields: Mapping[str, FieldDef], names: Names) -> None:
    words: dict[str, Any] = {"owner": f"`{store.record}`", "name": entry.key.text}
    help = did_you_mean(entry.key.text, fields)
    close = next((name for name in fields if f"`{name}`" in help), None)
    related = (Label(fields[close].span, "declared here"),) if close and help.startswith("did") else ()
    names.sink.append(report("E205", entry.key.span, help=help, related=related, **words))
