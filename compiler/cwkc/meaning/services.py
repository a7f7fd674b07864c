"""Services: enums, records, stores and tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.declarations import (
    TypeNames,
    check_enumeration,
    check_fields,
    report_duplicates,
    resolve_type,
)
from cwkc.meaning.names import Names
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.tools import check_tool
from cwkc.meaning.types import EnumType, Reference, Scalar, Type
from cwkc.syntax import tree


def check_service(
    node: tree.Service, own: Mapping[str, Type], names: Names
) -> tuple[typed.ServiceDef, Mapping[str, EnumType]]:
    """The service and its enums; `own` are the file's own types, `names` what its imports bring."""
    qualifier = f"{node.name.text}."
    _report_clashes(node, names)
    enums = {enum.name: enum for enum in (check_enumeration(e, qualifier, names.sink) for e in node.enumerations)}
    bare: dict[str, Type] = dict(own)
    bare |= {name.removeprefix(qualifier): enum for name, enum in enums.items()}
    bare |= {record.name.text: Reference(qualifier + record.name.text) for record in node.records}
    types = TypeNames(bare, names.services, {**names.enums, **enums}, names.records, names.sink)
    inner = evolve(names, enums=types.enums, store_home=node.name.text)
    records = {qualifier + record.name.text: _record(record, qualifier, types, inner) for record in node.records}
    stores = _stores(node, qualifier, types)
    shared = {store.record: types.records[store.record] for store in stores.values() if "." not in store.record}
    records = {name: evolve(record, stores=_homes(name, stores)) for name, record in (records | shared).items()}
    types = evolve(types, records={**names.records, **records})
    inner = evolve(inner, records=types.records, stores={**names.stores, **stores})
    tools = {tool.name: tool for tool in (check_tool(t, qualifier, types, inner) for t in node.tools)}
    doc = node.doc.value if node.doc else None
    return typed.ServiceDef(node.name.text, doc, records, stores, tools, span=node.name.span), enums


def _report_clashes(node: tree.Service, names: Names) -> None:
    types: tuple[tree.Enumeration | tree.Record, ...] = (*node.enumerations, *node.records)
    report_duplicates((item.name for item in types), "type", names.sink)
    report_duplicates((store.name for store in node.stores), "store", names.sink)
    report_duplicates((tool.name for tool in node.tools), "tool", names.sink)


def _record(node: tree.Record, qualifier: str, types: TypeNames, names: Names) -> typed.RecordDef:
    fields = check_fields(node.fields, types, names)
    return typed.RecordDef(qualifier + node.name.text, fields, (), span=node.name.span)


def _homes(record: str, stores: Mapping[str, typed.StoreDef]) -> tuple[str, ...]:
    return tuple(store.name for store in stores.values() if store.record == record)


def _stores(node: tree.Service, qualifier: str, types: TypeNames) -> dict[str, typed.StoreDef]:
    stores: dict[str, typed.StoreDef] = {}
    prefixes: dict[str, tree.Store] = {}
    for store in node.stores:
        record = resolve_type(tree.NamedType(store.record, span=store.record.span), types)
        if not isinstance(record, Reference) or record not in types.own.values():
            _report_no_record(store, types, record)
            continue
        if store.prefix is not None and store.prefix.value in prefixes:
            first = Label(prefixes[store.prefix.value].span, "the other store")
            words: dict[str, Any] = {"prefix": store.prefix.value}
            types.sink.append(report("E264", store.prefix.span, related=(first,), **words))
        if store.prefix is not None:
            prefixes.setdefault(store.prefix.value, store)
        prefix = store.prefix.value if store.prefix else None
        name = qualifier + store.name.text
        stores[name] = typed.StoreDef(name, record.record, store.key.text, prefix, span=store.name.span)
    return stores


def _report_no_record(store: tree.Store, types: TypeNames, found: Type) -> None:
    own = [name for name, kind in types.own.items() if isinstance(kind, Reference)]
    if isinstance(found, Scalar | Reference | EnumType):
        help = did_you_mean(store.record.text, own)
        types.sink.append(report("E265", store.record.span, name=store.record.text, help=help))


__all__ = ["check_service"]
