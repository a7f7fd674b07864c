"""The stores that a task's fixtures fill, and the services of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cwkc.importing.documents import Node
from cwkc.importing.offers import Offer
from cwkc.importing.records import Table, inferred, key_of, rows_of
from cwkc.importing.skeleton import Record, Service, Slot, Store
from cwkc.importing.standard import Standard
from cwkc.importing.tool_lists import service_of
from cwkc.importing.wording import NO_VALUES, Names, Todo, pascal, singular, snake
from cwkc.meaning import typed
from cwkc.meaning.types import EnumType, Reference, required

NO_RECORDS = "it is no list of records"
AS_DATA = "write what the task needs of it as `data`"


def tables_of(
    root: Node, offers: Sequence[Offer], fixtures: Sequence[tuple[Path, Node]]
) -> tuple[list[Service], list[Table], list[Todo]]:
    """The services of the task's own, all stores with their records, and what is left of the fixtures."""
    services: list[Service] = []
    tables: list[Table] = []
    todos: list[Todo] = []
    by_service = {offer.service: offer for offer in offers}
    for path, node in fixtures:
        if path.parent.name not in by_service:
            todos.append(Todo(node.span, path.name, f"no tool of a service `{path.parent.name}` is offered", AS_DATA))
    for offer in offers:
        files: list[tuple[str, Sequence[Node]]] = []
        for path, node in fixtures:
            if path.parent.name == offer.service:
                if node.items and all(each.entries for each in node.items):
                    files.append((snake(path.stem), node.items))
                else:
                    todos.append(Todo(node.span, path.name, NO_RECORDS, AS_DATA))
        if offer.standard is None:
            service, own = _own(root, offer, files, todos)
            services.append(service)
            tables += own
        else:
            tables += _of_standard(offer.standard, files, todos)
    return services, [*_with_bare(tables, by_service)], todos


# ---------------------------------------------------------------------------- own services


def _own(
    root: Node, offer: Offer, files: Sequence[tuple[str, Sequence[Node]]], todos: list[Todo]
) -> tuple[Service, list[Table]]:
    """A service with a store for each file, its records typed by their values."""
    types, names = Names(), Names()
    tables: list[Table] = []
    stores: list[Store] = []
    enums: list[EnumType] = []
    for stem, nodes in files:
        key = key_of(nodes)
        if not key:
            todos.append(Todo(nodes[0].span, stem, "nothing tells its records apart", AS_DATA))
            continue
        rows, found = rows_of([nodes], key)
        todos += found
        record = Record(types.fresh(pascal(singular(stem)), "Record"), inferred(rows.values(), types))
        wire = key if key != "id" else f"{singular(stem)}_id"
        store = Store(names.fresh("" if stem in NO_VALUES else stem, "records"), record, wire)
        stores.append(store)
        enums += [core for each in record.fields.values() if isinstance(core := required(each.type), EnumType)]
        tables.append(Table(f"{offer.service}.{store.name}", f"{offer.service}.{record.name}", record.fields, rows))
    return service_of(offer.service, root, offer.listed, stores, enums), tables


# ---------------------------------------------------------------------------- standard services


def _of_standard(known: Standard, files: Sequence[tuple[str, Sequence[Node]]], todos: list[Todo]) -> Iterator[Table]:
    """The stores that files fill: each file that whose key its records have, and of several the one of its name."""
    filled: dict[str, list[Sequence[Node]]] = {}
    for stem, nodes in files:
        store = _store(known, stem, nodes)
        if store is None:
            todos.append(Todo(nodes[0].span, stem, "no store of its service has such records", AS_DATA))
        else:
            filled.setdefault(store.name, []).append(nodes)
    for name, lists in filled.items():
        store = known.service.stores[name]
        rows, found = rows_of(lists, store.key)
        todos += found
        fields = {each.name: _slot(each) for each in known.records[store.record].fields.values()}
        extra = {n: each for n, each in inferred(rows.values(), None).items() if n not in fields}
        yield Table(name, store.record, fields, rows, extra)


def _store(known: Standard, stem: str, nodes: Sequence[Node]) -> typed.StoreDef | None:
    """The store whose key tells these records apart and whose record has most of their fields; of several, the one
    that is called as the file is."""
    names = {name for node in nodes for name in node.mapped()}

    def likeness(store: typed.StoreDef) -> tuple[int, bool]:
        return len(names & known.records[store.record].fields.keys()), store.name.endswith(f".{stem}")

    fitting = [each for each in known.service.stores.values() if _tells_apart(each.key, nodes)]
    return max(fitting, key=likeness, default=None)


def _tells_apart(key: str, nodes: Sequence[Node]) -> bool:
    """Whether most records have an id of their own under this key: one that lacks it, or has another's, is a mistake
    of theirs."""
    ids = {node.said(key) for node in nodes} - {""}
    return 2 * len(ids) > len(nodes)


def _slot(field: typed.FieldDef) -> Slot:
    """A field of a standard record; of its default it matters only that there is one."""
    return Slot(field.name, field.type, "null" if field.has_default else "", scheduled=field.scheduled)


def _with_bare(tables: Sequence[Table], offers: Mapping[str, Offer]) -> Iterator[Table]:
    """The tables, and for ids that records name without there being such a record, one that says nothing else, where
    ids are names of things and all that a record must have."""
    yield from tables
    held = {table.record for table in tables}
    for offer in offers.values():
        for store in offer.standard.service.stores.values() if offer.standard else ():
            fields = offer.standard.records[store.record].fields.values() if offer.standard else ()
            if store.prefix is None and store.record not in held and all(each.has_default for each in fields):
                named = dict.fromkeys(id for table in tables for id in _named(table, store.record))
                if named:
                    yield Table(store.name, store.record, {}, {}, bare=tuple(named))


def _named(table: Table, record: str) -> Iterator[str]:
    """The ids that records name in fields that refer to another record."""
    for values in table.rows.values():
        for name, node in values.items():
            slot = table.slot(name)
            if slot is not None and required(slot.type) == Reference(record) and node.text:
                yield node.text
