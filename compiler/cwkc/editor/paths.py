"""Paths and types as a file writes them: the services, stores, tools, records and enums that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cwkc.editor.symbols import Occurrence, Symbol
from cwkc.meaning import typed
from cwkc.meaning.check import Program
from cwkc.meaning.modules import Scope
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.observing import Seen
from cwkc.meaning.types import EnumType, Reference, Type
from cwkc.syntax import tree


def place_key(node: tree.Node) -> tuple[str, int, int, type]:
    return node.span.source.name, node.span.start, node.span.end, type(node)


def base_names(scope: Scope) -> Names:
    """What a file's imports and services bring, without anything of a task."""
    return Names(Stage.GRADING, scope.services, scope.records, scope.stores, scope.enums)


def richest(known: Iterable[Names], otherwise: Names) -> Names:
    """The scope in which most is known."""
    return max(known, key=_richness, default=otherwise)


def _richness(names: Names) -> tuple[int, ...]:
    return len(names.deliverables), len(names.truths), len(names.ids), len(names.tools)


class Paths:
    """What the paths in one file name. `names` is the scope of the item at hand."""

    def __init__(self, program: Program, scope: Scope, seen: Iterable[Seen]) -> None:
        self.program = program
        self.scope = scope
        self.seen = {place_key(each.node): each for each in seen}
        self.home = ""
        """In a service, its name: its own stores and types need no prefix."""
        self.names = Names(stage=Stage.GRADING)
        self.enums = dict(_enumerations(program))

    def qualified(self, name: str) -> str:
        return f"{self.home}.{name}" if self.home else name

    def service_named(self, name: tree.Identifier, service: typed.ServiceDef, declares: bool = False) -> Occurrence:
        return Occurrence(name.span, Symbol("service", service.name, service.span, service), declares)

    def store_at(self, path: tree.Path) -> typed.StoreDef | None:
        head, *rest = path.names
        service = self.scope.services.get(head.text)
        if service is not None and rest:
            return self.scope.stores.get(f"{service.name}.{rest[0].text}")
        return self.scope.stores.get(self.qualified(head.text)) if self.home else None

    def store_path(self, path: tree.Path) -> Iterator[Occurrence]:
        head, *rest = path.names
        service = self.scope.services.get(head.text)
        if service is not None and rest:
            yield self.service_named(head, service)
        store = self.store_at(path)
        if store is not None:
            name = rest[0] if rest else head
            yield Occurrence(name.span, Symbol("store", name.text, store.span, store, store.name.partition(".")[0]))

    def tool_path(self, path: tree.Path) -> Iterator[Occurrence]:
        head, *rest = path.names
        service = self.scope.services.get(head.text)
        if service is None:
            return
        yield self.service_named(head, service)
        if rest:
            yield from self.tool_named(rest[0], service)

    def tool_named(self, name: tree.Identifier, service: typed.ServiceDef | None) -> Iterator[Occurrence]:
        tool = service.tools.get(f"{service.name}.{name.text}") if service else None
        if tool is not None and service is not None:
            yield Occurrence(name.span, Symbol("tool", name.text, tool.span, tool, service.name))

    def type(self, node: tree.TypeExpression | None) -> Iterator[Occurrence]:
        if isinstance(node, tree.OptionalType | tree.ListType):
            yield from self.type(node.item)
        elif isinstance(node, tree.NamedType):
            yield from self.type_path(node.path)
        elif isinstance(node, tree.ViewType):
            yield from self.type_path(node.path)
            record = self.named_type(node.path)
            for name in node.names:
                yield from self.field(name, record.record if isinstance(record, Reference) else "")

    def named_type(self, path: tree.Path) -> Type | None:
        """The enum or the record that a path names, as far as it is one."""
        name = path.text
        head, *rest = path.names
        service = self.scope.services.get(head.text)
        if rest:
            name = f"{service.name if service else head.text}.{rest[0].text}"
        elif self.home and (self.qualified(name) in self.scope.records or self.qualified(name) in self.scope.enums):
            name = self.qualified(name)
        if name in self.scope.records:
            return Reference(name)
        return self.scope.enums.get(name)

    def type_path(self, path: tree.Path) -> Iterator[Occurrence]:
        head, *rest = path.names
        service = self.scope.services.get(head.text)
        if rest and service is not None:
            yield self.service_named(head, service)
        kind, name = self.named_type(path), path.names[-1]
        if isinstance(kind, Reference):
            record = self.scope.records[kind.record]
            yield Occurrence(name.span, Symbol("record", name.text, record.span, kind.record))
        elif isinstance(kind, EnumType) and kind.name in self.enums:
            yield Occurrence(name.span, self.enum_symbol(kind.name, self.enums[kind.name]))

    def enum_symbol(self, name: str, node: tree.Enumeration) -> Symbol:
        return Symbol("enum", node.name.text, node.name.span, node, name)

    def value_symbol(self, word: str, enum: EnumType) -> Symbol | None:
        node = self.enums.get(enum.name)
        place = next((value.span for value in node.values if value.text == word), None) if node else None
        return Symbol("value", word, place, node, enum.name) if place else None

    def field(self, name: tree.Identifier, record: str) -> Iterator[Occurrence]:
        known = self.names.fields(record).get(name.text) or self.own_field(record, name.text)
        if known is not None:
            yield Occurrence(name.span, Symbol("field", name.text, known.span, known, record))

    def own_field(self, record: str, name: str) -> typed.FieldDef | None:
        definition = self.scope.records.get(record)
        return definition.fields.get(name) if definition else None


def _enumerations(program: Program) -> Iterator[tuple[str, tree.Enumeration]]:
    """Every enum in reach, by qualified name."""
    for scope in program.scopes.values():
        for item in scope.unit.module.items:
            if isinstance(item, tree.Enumeration):
                yield item.name.text, item
            elif isinstance(item, tree.Service):
                yield from ((f"{item.name.text}.{each.name.text}", each) for each in item.enumerations)
