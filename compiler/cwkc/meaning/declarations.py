"""Enums, records and the types that declarations name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning.constants import constant
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.typed import FieldDef, RecordDef, ServiceDef
from cwkc.meaning.types import (
    ERROR,
    SCALARS,
    EnumType,
    ErrorType,
    ListOf,
    Optional,
    Reference,
    Type,
    View,
    optional,
)
from cwkc.syntax import tree


@frozen
class TypeNames:
    """What the names of types stand for: `own` by bare name, the rest through a service."""

    own: Mapping[str, Type]
    services: Mapping[str, ServiceDef]
    enums: Mapping[str, EnumType]
    records: Mapping[str, RecordDef]
    sink: list[Diagnostic] = field(eq=False, repr=False)


def resolve_type(node: tree.TypeExpression, names: TypeNames) -> Type:
    """The type that is written; an unknown name is reported, and stands for the type of what is broken."""
    if isinstance(node, tree.OptionalType):
        return optional(resolve_type(node.item, names))
    if isinstance(node, tree.ListType):
        return ListOf(resolve_type(node.item, names))
    if isinstance(node, tree.ViewType):
        return _view(node, names)
    assert isinstance(node, tree.NamedType)
    return _named(node.path, names)


def _named(path: tree.Path, names: TypeNames) -> Type:
    if len(path.names) == 1:
        known: dict[str, Type] = {**SCALARS, **names.own}
        if path.text in known:
            return known[path.text]
        names.sink.append(report("E220", path.span, name=path.text, help=did_you_mean(path.text, known)))
        return ERROR
    service = names.services.get(path.names[0].text)
    if service is None:
        names.sink.append(_unknown_service(path.names[0], names.services))
        return ERROR
    types = types_of(service.name, names.enums, names.records)
    word = ".".join(name.text for name in path.names[1:])
    if word in types:
        return types[word]
    help = did_you_mean(word, types)
    names.sink.append(report("E220", path.span, name=path.text, help=help))
    return ERROR


def _unknown_service(name: tree.Identifier, services: Iterable[str]) -> Diagnostic:
    help = did_you_mean(name.text, services, "name it in a `use` at the head of the file")
    return report("E203", name.span, name=name.text, help=help)


def types_of(service: str, enums: Mapping[str, EnumType], records: Mapping[str, RecordDef]) -> dict[str, Type]:
    """The types that a service declares, by bare name."""
    prefix = f"{service}."
    found: dict[str, Type] = {name[len(prefix) :]: kind for name, kind in enums.items() if name.startswith(prefix)}
    found |= {name[len(prefix) :]: Reference(name) for name in records if name.startswith(prefix)}
    return found


def _view(node: tree.ViewType, names: TypeNames) -> Type:
    base = _named(node.path, names)
    if isinstance(base, ErrorType):
        return ERROR
    if not isinstance(base, Reference):
        names.sink.append(report("E256", node.path.span, name=node.path.text))
        return ERROR
    fields = names.records[base.record].fields if base.record in names.records else {}
    for name in node.names:
        if name.text not in fields:
            help = did_you_mean(name.text, fields)
            names.sink.append(report("E205", name.span, owner=f"`{base.record}`", name=name.text, help=help))
            return ERROR
    return View(base.record, tuple(name.text for name in node.names))


def check_enumeration(node: tree.Enumeration, qualifier: str, sink: list[Diagnostic]) -> EnumType:
    report_duplicates(node.values, "value", sink)
    return EnumType(qualifier + node.name.text, tuple(dict.fromkeys(value.text for value in node.values)))


def report_duplicates(names: Iterable[tree.Identifier], kind: str, sink: list[Diagnostic]) -> None:
    """One message for each name that is declared a second time."""
    seen: dict[str, tree.Identifier] = {}
    for name in names:
        if name.text in seen:
            first = Label(seen[name.text].span, "first declared here")
            sink.append(report("E262", name.span, kind=kind, name=name.text, related=(first,)))
        seen.setdefault(name.text, name)


def check_fields(nodes: Iterable[tree.Field], types: TypeNames, names: Names) -> dict[str, FieldDef]:
    """The fields of a record or of an `extend`, with their constant defaults."""
    nodes = tuple(nodes)
    report_duplicates((node.name for node in nodes), "field", types.sink)
    return {node.name.text: _field(node, types, names.at(Stage.CONSTANT)) for node in nodes}


def _field(node: tree.Field, types: TypeNames, names: Names) -> FieldDef:
    if node.name.text == "id":
        types.sink.append(report("E263", node.name.span))
    kind = resolve_type(node.type, types)
    default: Any = None
    if node.default is not None:
        default = constant(node.default, names, kind)
    return FieldDef(
        node.name.text,
        kind,
        default,
        node.default is not None or isinstance(kind, Optional),
        node.scheduled,
        node.doc.value if node.doc else None,
        span=node.name.span,
    )
