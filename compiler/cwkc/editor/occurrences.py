"""One walk over a file's tree: every place at which something is declared or named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from cwkc.editor.paths import Paths, base_names, place_key, richest
from cwkc.editor.symbols import Occurrence, Symbol
from cwkc.meaning import typed
from cwkc.meaning.check import Program
from cwkc.meaning.names import Names
from cwkc.meaning.observing import Seen
from cwkc.meaning.types import EnumType, ListOf, Reference, Type, required
from cwkc.source import Source, Span
from cwkc.syntax import tree


def occurrences(program: Program, source: Source, seen: Iterable[Seen]) -> Iterator[Occurrence]:
    """Those in one of the program's files."""
    scope = program.scopes.get(source.name)
    if scope is not None:
        yield from _Walk(program, scope, seen).module(scope.unit.module)


class _Walk(Paths):
    """One walk over a file's tree."""

    # ------------------------------------------------------------------------ items

    def module(self, module: tree.Module) -> Iterator[Occurrence]:
        for use in module.uses:
            yield from self.use(use)
        for item in module.items:
            self.names = self.names_in(item)
            yield from ITEMS[type(item)](self, item)

    def names_in(self, item: tree.Item) -> Names:
        """The richest of the scopes in an item."""
        own = (each.names for each in self.seen.values() if _lies_in(each.node.span, item.span))
        return richest(own, base_names(self.scope))

    def use(self, use: tree.UseService | tree.UseFile) -> Iterator[Occurrence]:
        target = next((key for known, key in self.scope.unit.imports if known is use), None)
        if target is None:
            return
        other = self.program.scopes[target]
        if isinstance(use, tree.UseFile):
            place = Span(other.unit.source, 0, 0)
            yield Occurrence(use.path.span, Symbol("file", use.path.value, place, other.unit))
        elif use.name.text in other.services:
            for name in (use.name, use.alias):
                if name is not None:
                    yield self.service_named(name, other.services[use.name.text])

    def service(self, node: tree.Service) -> Iterator[Occurrence]:
        self.home = node.name.text
        definition = self.scope.services.get(node.name.text)
        if definition is not None:
            yield self.service_named(node.name, definition, declares=True)
        for enum in node.enumerations:
            yield from self.enumeration(enum)
        for record in node.records:
            yield from self.record(record)
        for store in node.stores:
            yield from self.store(store)
        for tool in node.tools:
            yield from self.tool(tool)
        self.home = ""

    def enumeration(self, node: tree.Enumeration) -> Iterator[Occurrence]:
        name = self.qualified(node.name.text)
        yield Occurrence(node.name.span, self.enum_symbol(name, node), True)
        for value in node.values:
            yield Occurrence(value.span, Symbol("value", value.text, value.span, node, name), True)

    def record(self, node: tree.Record) -> Iterator[Occurrence]:
        name = self.qualified(node.name.text)
        yield Occurrence(node.name.span, Symbol("record", node.name.text, node.name.span, name), True)
        yield from self.fields(node.fields, name)

    def fields(self, nodes: Iterable[tree.Field], record: str) -> Iterator[Occurrence]:
        for node in nodes:
            known = self.names.fields(record).get(node.name.text) or self.own_field(record, node.name.text)
            yield Occurrence(node.name.span, Symbol("field", node.name.text, node.name.span, known, record), True)
            yield from self.type(node.type)
            yield from self.expression(node.default)

    def store(self, node: tree.Store) -> Iterator[Occurrence]:
        definition = self.scope.stores.get(self.qualified(node.name.text))
        yield Occurrence(node.name.span, Symbol("store", node.name.text, node.name.span, definition, self.home), True)
        yield from self.type_path(node.record)

    def tool(self, node: tree.Tool) -> Iterator[Occurrence]:
        service = self.scope.services.get(self.home)
        definition = service.tools.get(self.qualified(node.name.text)) if service else None
        yield Occurrence(node.name.span, Symbol("tool", node.name.text, node.name.span, definition, self.home), True)
        for parameter in node.parameters:
            known = definition.parameters.get(parameter.name.text) if definition else None
            name = parameter.name
            yield Occurrence(name.span, Symbol("parameter", name.text, name.span, known, self.home), True)
            yield from self.type(parameter.type)
            yield from self.expression(parameter.default)
        yield from self.type(node.returns)
        for statement in node.body:
            yield from self.statement(statement)

    def world(self, node: tree.World) -> Iterator[Occurrence]:
        yield Occurrence(node.name.span, Symbol("world", node.name.text, node.name.span, node), True)
        yield from self.statements(node.items)

    def task(self, node: tree.Task | tree.Family) -> Iterator[Occurrence]:
        kind = "task" if isinstance(node, tree.Task) else "family"
        yield Occurrence(node.name.span, Symbol(kind, node.name.text, node.name.span, node), True)
        if isinstance(node, tree.Family):
            for parameter in node.parameters:
                name = parameter.name
                yield Occurrence(name.span, Symbol("parameter", name.text, name.span, parameter), True)
                yield from self.type(parameter.type)
                yield from self.expression(parameter.domain)
                yield from self.expression(parameter.high)
        world = self.scope.worlds.get(node.world.text) if node.world else None
        if node.world is not None and world is not None:
            yield Occurrence(node.world.span, Symbol("world", node.world.text, world.node.name.span, world.node))
        yield from self.statements(node.items)

    def grade(self, node: tree.Grade) -> Iterator[Occurrence]:
        for scope in self.program.scopes.values():
            for item in scope.unit.module.items:
                if isinstance(item, tree.Task | tree.Family) and item.name.text == node.name.text:
                    kind = "task" if isinstance(item, tree.Task) else "family"
                    yield Occurrence(node.name.span, Symbol(kind, item.name.text, item.name.span, item))
        yield from self.statements(node.items)

    def plan(self, node: tree.Plan) -> Iterator[Occurrence]:
        yield Occurrence(node.name.span, Symbol("plan", node.name.text, node.name.span, node), True)

    # ------------------------------------------------------------------------ statements

    def statements(self, nodes: Iterable[tree.Node]) -> Iterator[Occurrence]:
        for node in nodes:
            yield from self.statement(node)

    def statement(self, node: tree.Node) -> Iterator[Occurrence]:
        handler = STATEMENTS.get(type(node))
        if handler is not None:
            yield from handler(self, node)
        yield from self.within(node, BY_HAND.get(type(node), frozenset()))

    def within(self, node: tree.Node, passed_over: frozenset[str] = frozenset()) -> Iterator[Occurrence]:
        """What stands in the parts of a node."""
        for name in attrs.fields_dict(type(node)):
            if name in passed_over or name.endswith("span"):
                continue
            value = getattr(node, name)
            for child in value if isinstance(value, tuple) else (value,):
                if isinstance(child, tree.Expression):
                    yield from self.expression(child)
                elif isinstance(child, tree.TypeExpression):
                    yield from self.type(child)
                elif isinstance(child, tree.Node) and not isinstance(child, tree.Identifier | tree.Path):
                    yield from self.statement(child)

    def declares(self, node: Any, kind: str) -> Iterator[Occurrence]:
        yield Occurrence(node.name.span, Symbol(kind, node.name.text, node.name.span, node), True)

    def truth(self, node: tree.TruthLet) -> Iterator[Occurrence]:
        known = self.names.truths.get(node.name.text)
        yield Occurrence(node.name.span, Symbol("truth", node.name.text, node.name.span, known), True)
        if node.after is not None:
            yield from self.named_in_file(node.after, tree.Event, "event")

    def local(self, node: tree.Let) -> Iterator[Occurrence]:
        yield Occurrence(node.name.span, Symbol("variable", node.name.text, node.name.span), True)

    def named_in_file(self, name: tree.Identifier, kind: type[tree.Node], words: str) -> Iterator[Occurrence]:
        """A name of a statement that stands in a task or a family of this file."""
        for item in self.scope.unit.module.items:
            for each in _parts(item, kind):
                if each.name.text == name.text and _lies_in(name.span, item.span):
                    yield Occurrence(name.span, Symbol(words, name.text, each.name.span, each))

    def data(self, node: tree.Data | tree.InsertRows) -> Iterator[Occurrence]:
        store = self.store_at(node.store)
        yield from self.store_path(node.store)
        for row in node.rows:
            definition = (store.record if store else "", row)
            yield Occurrence(row.id.span, Symbol("record id", row.id.id, row.id.span, definition), True)
            yield from self.entries(row.fields, store.record if store else "")

    def entries(self, node: tree.ObjectDisplay, record: str) -> Iterator[Occurrence]:
        """The fields of a record that are given a value."""
        for entry in node.entries:
            yield from self.field(entry.key, record)
            if entry.value is not None:
                yield from self.expression(entry.value)
            else:
                yield from self.expression(tree.Name(entry.key.text, span=entry.key.span))

    def insert(self, node: tree.Insert) -> Iterator[Occurrence]:
        store = self.store_at(node.store)
        yield from self.store_path(node.store)
        yield from self.entries(node.fields, store.record if store else "")

    def set(self, node: tree.Set) -> Iterator[Occurrence]:
        seen = self.seen.get(place_key(node.target))
        core = required(seen.expr.type) if seen else None
        yield from self.entries(node.fields, core.record if isinstance(core, Reference) else "")

    def extend(self, node: tree.Extend) -> Iterator[Occurrence]:
        yield from self.type_path(node.record)
        record = self.named_type(node.record)
        yield from self.fields(node.fields, record.record if isinstance(record, Reference) else "")

    def tools(self, node: tree.ToolSelection) -> Iterator[Occurrence]:
        yield from self.tool_path(node.path)
        service = self.scope.services.get(node.path.names[0].text)
        for name in node.names if service else ():
            yield from self.tool_named(name, service)

    def changed(self, node: tree.Changed) -> Iterator[Occurrence]:
        """What `only changes` names: a truth, a store or a record, and perhaps a field of it."""
        if isinstance(node.target, tree.RecordId):
            yield from self.record_id(node.target, None)
            return
        head, *rest = node.target.names
        truth = self.names.truths.get(head.text)
        if truth is not None:
            yield Occurrence(head.span, Symbol("truth", head.text, truth.span, truth))
            core: Type | None = required(truth.type)
            core = core.item if isinstance(core, ListOf) else core
            for name in rest:
                yield from self.field(name, core.record if isinstance(core, Reference) else "")
            return
        yield from self.store_path(node.target)
        store = self.store_at(node.target)
        for name in node.target.names[2:]:
            yield from self.field(name, store.record if store else "")

    def fault(self, node: tree.Fault) -> Iterator[Occurrence]:
        yield from self.tool_path(node.tool)

    def distract(self, node: tree.Distract) -> Iterator[Occurrence]:
        yield from self.store_path(node.store)
        truth = self.names.truths.get(node.near.text)
        if truth is not None:
            yield Occurrence(node.near.span, Symbol("truth", node.near.text, truth.span, truth))

    def deliver(self, node: tree.Deliver) -> Iterator[Occurrence]:
        known = self.names.deliverables.get(node.name.text)
        yield Occurrence(node.name.span, Symbol("contract", node.name.text, node.name.span, known), True)
        if node.rows is not None:
            variable, source, key = node.rows
            yield Occurrence(variable.span, Symbol("variable", variable.text, variable.span), True)
            yield from self.expression(source)
            yield from self.expression(key)

    # ------------------------------------------------------------------------ expressions

    def expression(self, node: tree.Expression | None) -> Iterator[Occurrence]:
        if node is None:
            return
        seen = self.seen.get(place_key(node))
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            yield from self.within(node)
            return
        yield from handler(self, node, seen)

    def name(self, node: tree.Name, seen: Seen | None) -> Iterator[Occurrence]:
        symbol = self.meant(node.text, seen) if seen else None
        if symbol is not None:
            yield Occurrence(node.span, symbol)

    def meant(self, word: str, seen: Seen) -> Symbol | None:
        """What a bare name was taken for."""
        names, expr = seen.names, seen.expr
        if isinstance(expr, typed.Variable):
            known = (names.arguments if expr.kind == "argument" else names.variables).get(word)
            kind = "parameter" if expr.kind in ("parameter", "argument") else "variable"
            return Symbol(kind, word, known[1], known[0]) if known else None
        if isinstance(expr, typed.Truth):
            return Symbol("truth", word, names.truths[word].span, names.truths[word])
        if isinstance(expr, typed.StoreRecords):
            store = names.stores[expr.store]
            return Symbol("store", word, store.span, store, store.name.partition(".")[0])
        if isinstance(expr.type, EnumType) and isinstance(expr, typed.Constant) and expr.value == word:
            return self.value_symbol(word, expr.type)
        return None

    def member(self, node: tree.Member, seen: Seen | None) -> Iterator[Occurrence]:
        expr = seen.expr if seen else None
        if seen is not None and isinstance(expr, typed.StoreRecords) and isinstance(node.base, tree.Name):
            yield self.service_named(tree.Identifier(node.base.text, span=node.base.span), _service(node.base, seen))
            store = seen.names.stores[expr.store]
            yield Occurrence(
                node.name.span, Symbol("store", node.name.text, store.span, store, store.name.partition(".")[0])
            )
            return
        if seen is not None and isinstance(expr, typed.Variable) and expr.kind == "argument":
            variable, place = seen.names.arguments[expr.name]
            yield Occurrence(node.name.span, Symbol("parameter", node.name.text, place, variable))
            return
        yield from self.expression(node.base)
        if seen is not None and isinstance(expr, typed.FieldOf):
            known = seen.names.fields(expr.record).get(expr.name)
            if known is not None:
                yield Occurrence(node.name.span, Symbol("field", expr.name, known.span, known, expr.record))

    def record_id(self, node: tree.RecordId, seen: Seen | None) -> Iterator[Occurrence]:
        names = seen.names if seen else self.names
        core = required(seen.expr.type) if seen else None
        for store, place in names.ids.get(node.id, ()):
            record = names.stores[store].record
            if not isinstance(core, Reference) or core.record == record:
                yield Occurrence(node.span, Symbol("record id", node.id, place, (record, None)))
                return

    def binder(self, node: tree.Binder | tree.Sum, seen: Seen | None) -> Iterator[Occurrence]:
        variable = node.variable
        yield Occurrence(variable.span, Symbol("variable", variable.text, variable.span), True)
        yield from self.within(node)

    def call(self, node: tree.CallFact, seen: Seen | None) -> Iterator[Occurrence]:
        yield from self.tool_path(node.tool)
        head, *rest = node.tool.names
        service = self.scope.services.get(head.text)
        tool = service.tools.get(f"{service.name}.{rest[0].text}") if service and rest else None
        for argument in node.arguments:
            known = tool.parameters.get(argument.key.text) if tool else None
            if known is not None:
                yield Occurrence(argument.key.span, Symbol("parameter", argument.key.text, known.span, known))
            yield from self.expression(argument.value)
        yield from self.expression(node.where)

    def delivered(self, node: tree.Delivered, seen: Seen | None) -> Iterator[Occurrence]:
        known = self.names.deliverables.get(node.name.text)
        if known is not None:
            yield Occurrence(node.name.span, Symbol("contract", known.name, known.span, known))

    def learned(self, node: tree.Learned, seen: Seen | None) -> Iterator[Occurrence]:
        yield from self.named_in_file(node.fact, tree.Fact, "fact")

    def interpolation(self, node: tree.Interpolation, seen: Seen | None) -> Iterator[Occurrence]:
        for part in node.parts:
            if isinstance(part, tree.Path):
                expr: tree.Expression = tree.Name(part.names[0].text, span=part.names[0].span)
                for name in part.names[1:]:
                    expr = tree.Member(expr, name, span=expr.span.to(name.span))
                yield from self.expression(expr)


def _lies_in(span: Span, whole: Span) -> bool:
    return span.source.name == whole.source.name and whole.start <= span.start < whole.end


def _service(base: tree.Name, seen: Seen) -> typed.ServiceDef:
    return seen.names.services[base.text]


def _parts(item: tree.Node, kind: type[tree.Node]) -> Iterator[Any]:
    """The nodes of a kind within an item's statements."""
    for statement in getattr(item, "items", ()):
        if isinstance(statement, kind):
            yield statement
        yield from (fact for fact in getattr(statement, "facts", ()) if isinstance(fact, kind))


ITEMS: dict[type, Callable[[Any, Any], Iterator[Occurrence]]] = {
    tree.Service: _Walk.service,
    tree.World: _Walk.world,
    tree.Task: _Walk.task,
    tree.Family: _Walk.task,
    tree.Grade: _Walk.grade,
    tree.Plan: _Walk.plan,
    tree.Enumeration: _Walk.enumeration,
    tree.Record: _Walk.record,
}

STATEMENTS: dict[type, Callable[[Any, Any], Iterator[Occurrence]]] = {
    tree.TruthLet: _Walk.truth,
    tree.Let: _Walk.local,
    tree.Data: _Walk.data,
    tree.InsertRows: _Walk.data,
    tree.Insert: _Walk.insert,
    tree.Set: _Walk.set,
    tree.Extend: _Walk.extend,
    tree.ToolSelection: _Walk.tools,
    tree.Changed: _Walk.changed,
    tree.Fault: _Walk.fault,
    tree.Distract: _Walk.distract,
    tree.Deliver: _Walk.deliver,
    tree.Event: lambda walk, node: walk.declares(node, "event"),
    tree.Fact: lambda walk, node: walk.declares(node, "fact"),
}

BY_HAND: dict[type, frozenset[str]] = {
    tree.Data: frozenset({"rows"}),
    tree.InsertRows: frozenset({"rows"}),
    tree.Insert: frozenset({"fields"}),
    tree.Set: frozenset({"fields"}),
    tree.Extend: frozenset({"fields"}),
    tree.Changed: frozenset({"target"}),
    tree.Deliver: frozenset({"rows"}),
}
"""The parts of a statement that its own function goes through."""

EXPRESSIONS: dict[type, Callable[[Any, Any, Seen | None], Iterator[Occurrence]]] = {
    tree.Name: _Walk.name,
    tree.Member: _Walk.member,
    tree.RecordId: _Walk.record_id,
    tree.Binder: _Walk.binder,
    tree.Sum: _Walk.binder,
    tree.CallFact: _Walk.call,
    tree.Delivered: _Walk.delivered,
    tree.Learned: _Walk.learned,
    tree.Interpolation: _Walk.interpolation,
}
