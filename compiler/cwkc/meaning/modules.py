"""A file's scope: what it declares and what its imports bring."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning import typed
from cwkc.meaning.declarations import TypeNames, check_enumeration, check_fields, report_duplicates
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.program import Unit
from cwkc.meaning.services import check_service
from cwkc.meaning.types import EnumType, Reference, Type
from cwkc.meaning.vocabularies import Vocabularies, check_vocabularies
from cwkc.syntax import tree


@frozen(eq=False)
class WorldDecl:
    """A world, and the names of services in the file that declares it."""

    node: tree.World
    services: Mapping[str, typed.ServiceDef] = field(repr=False)


@frozen(eq=False)
class Scope:
    """What the items of a file can name."""

    unit: Unit
    services: Mapping[str, typed.ServiceDef] = field(factory=dict)
    """By the name used in this file."""
    reach: Mapping[str, typed.ServiceDef] = field(factory=dict)
    """By their own name: those, and what they use in turn."""
    enums: Mapping[str, EnumType] = field(factory=dict)
    records: Mapping[str, typed.RecordDef] = field(factory=dict)
    stores: Mapping[str, typed.StoreDef] = field(factory=dict)
    types: Mapping[str, Type] = field(factory=dict)
    """Shared enums and records, by bare name."""
    worlds: Mapping[str, WorldDecl] = field(factory=dict)
    vocabularies: Vocabularies = field(factory=dict)
    hashes: Mapping[str, str] = field(factory=dict)
    broken: bool = False


def check_module(unit: Unit, imported: Mapping[str, Scope]) -> tuple[Scope, tuple[Diagnostic, ...]]:
    """The scope of a file, with its services checked; tasks come later, since a grade may stand elsewhere."""
    sink: list[Diagnostic] = []
    scope = Scope(unit, hashes={unit.source.identity: unit.hash}, broken=unit.broken)
    for use, key in unit.imports:
        scope = _import(scope, use, imported[key], sink)
    scope = _shared_types(scope, unit.module, sink)
    for item in unit.module.items:
        if isinstance(item, tree.Service):
            scope = _service(scope, item, sink)
    worlds = [item for item in unit.module.items if isinstance(item, tree.World)]
    report_duplicates((world.name for world in worlds), "world", sink)
    own = {world.name.text: WorldDecl(world, scope.services) for world in worlds}
    vocabularies = check_vocabularies(unit.module.items, scope.vocabularies, sink)
    return evolve(scope, worlds={**scope.worlds, **own}, vocabularies=vocabularies), tuple(sink)


def _import(scope: Scope, use: tree.UseService | tree.UseFile, other: Scope, sink: list[Diagnostic]) -> Scope:
    if isinstance(use, tree.UseService):
        alias = use.alias or use.name
        brought = {alias.text: other.services[use.name.text]} if use.name.text in other.services else {}
    else:
        brought = {service.name: service for service in other.services.values() if _is_own(service, other)}
        scope = evolve(scope, types={**scope.types, **other.types}, worlds={**scope.worlds, **other.worlds})
        scope = evolve(scope, vocabularies={**scope.vocabularies, **other.vocabularies})
    for name, service in brought.items():
        if name in scope.services and scope.services[name].name != service.name:
            sink.append(report("E262", use.span, kind="service", name=name))
    return _merge(scope, brought, other)


def _is_own(service: typed.ServiceDef, scope: Scope) -> bool:
    return service.span.source is scope.unit.source


def _merge(scope: Scope, brought: Mapping[str, typed.ServiceDef], other: Scope) -> Scope:
    return evolve(
        scope,
        services={**scope.services, **brought},
        reach={**scope.reach, **other.reach},
        enums={**scope.enums, **other.enums},
        records={**scope.records, **other.records},
        stores={**scope.stores, **other.stores},
        hashes={**scope.hashes, **other.hashes},
        broken=scope.broken or other.broken,
    )


def _shared_types(scope: Scope, module: tree.Module, sink: list[Diagnostic]) -> Scope:
    enums = [item for item in module.items if isinstance(item, tree.Enumeration)]
    records = [item for item in module.items if isinstance(item, tree.Record)]
    declared: tuple[tree.Enumeration | tree.Record, ...] = (*enums, *records)
    report_duplicates((item.name for item in declared), "type", sink)
    shared = {enum.name: enum for enum in (check_enumeration(item, "", sink) for item in enums)}
    types: dict[str, Type] = {**scope.types, **shared}
    types |= {record.name.text: Reference(record.name.text) for record in records}
    known = TypeNames(types, scope.services, {**scope.enums, **shared}, scope.records, sink)
    names = Names(Stage.CONSTANT, scope.services, scope.records, scope.stores, known.enums, sink=sink)
    own = {
        record.name.text: typed.RecordDef(
            record.name.text, check_fields(record.fields, known, names), (), span=record.name.span
        )
        for record in records
    }
    return evolve(scope, types=types, enums=known.enums, records={**scope.records, **own})


def _service(scope: Scope, node: tree.Service, sink: list[Diagnostic]) -> Scope:
    name = node.name.text
    if name in scope.services or name in scope.reach:
        earlier = scope.services.get(name) or scope.reach[name]
        first = Label(earlier.span, "this is the other one")
        sink.append(report("E262", node.name.span, kind="service", name=name, related=(first,)))
        return scope
    names = Names(Stage.TOOL, scope.services, scope.records, scope.stores, scope.enums, sink=sink)
    service, enums = check_service(node, scope.types, names)
    return evolve(
        scope,
        services={**scope.services, name: service},
        reach={**scope.reach, name: service},
        enums={**scope.enums, **enums},
        records=merge_records(scope.records, service.records),
        stores={**scope.stores, **service.stores},
    )


def merge_records(
    left: Mapping[str, typed.RecordDef], right: Mapping[str, typed.RecordDef]
) -> dict[str, typed.RecordDef]:
    """Both; a shared record is held by the stores of either side."""
    merged = dict(left)
    for name, record in right.items():
        homes = left[name].stores if name in left else ()
        merged[name] = evolve(record, stores=tuple(dict.fromkeys((*homes, *record.stores))))
    return merged


__all__ = ["Scope", "WorldDecl", "check_module", "merge_records"]
