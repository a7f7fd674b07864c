"""The bodies of tools."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.declarations import TypeNames, report_duplicates, resolve_type
from cwkc.meaning.expressions import condition, expect, infer
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.operators import assignable, is_dynamic, named
from cwkc.meaning.types import (
    ERROR,
    TEXT,
    ListOf,
    Optional,
    Reference,
    Type,
    View,
    is_textual,
    required,
)
from cwkc.syntax import tree


def check_tool(node: tree.Tool, qualifier: str, types: TypeNames, names: Names) -> typed.ToolDef:
    parameters = _parameters(node, types, names)
    variables = {
        name: (typed.Variable(name, "parameter", type=parameter.type, span=parameter.span), parameter.span)
        for name, parameter in parameters.items()
    }
    returns = resolve_type(node.returns, types) if node.returns else None
    scope = evolve(names, stage=Stage.TOOL, variables=variables)
    body = _Body(returns, node).check(node.body, scope)
    if returns is not None and not _always_ends(node.body):
        names.sink.append(report("E242", node.name.span, tool=node.name.text, type=named(returns)))
    doc = node.doc.value if node.doc else None
    name = f"{qualifier}{node.name.text}"
    return typed.ToolDef(name, doc, parameters, returns, body, not _writes(body), span=node.name.span)


def _parameters(node: tree.Tool, types: TypeNames, names: Names) -> dict[str, typed.ParameterDef]:
    report_duplicates((parameter.name for parameter in node.parameters), "parameter", types.sink)
    parameters = {}
    for parameter in node.parameters:
        kind = resolve_type(parameter.type, types)
        default = None
        if parameter.default is not None:
            default = constant(parameter.default, names.at(Stage.CONSTANT), kind)
        mandatory = parameter.default is None and not isinstance(kind, Optional)
        doc = parameter.doc.value if parameter.doc else None
        span = parameter.name.span
        parameters[parameter.name.text] = typed.ParameterDef(
            parameter.name.text, kind, default, mandatory, doc, span=span
        )
    return parameters


def _always_ends(body: Iterable[tree.Statement]) -> bool:
    """Whether every path through the body comes to a `return` or an unconditional `fail`."""
    for statement in body:
        if isinstance(statement, tree.Return) or (isinstance(statement, tree.Fail) and statement.when is None):
            return True
        if isinstance(statement, tree.If) and _always_ends(statement.then) and _always_ends(statement.otherwise):
            return True
    return False


def _writes(body: Iterable[typed.Stmt]) -> bool:
    return any(
        isinstance(statement, typed.Insert | typed.Set | typed.Delete)
        or (isinstance(statement, typed.If) and (_writes(statement.then) or _writes(statement.otherwise)))
        for statement in body
    )


def check_writes(event: tree.Identifier, body: Iterable[tree.Statement], names: Names) -> tuple[typed.Stmt, ...]:
    """The statements of an event, which write."""
    tool = tree.Tool(event, None, (), None, (), span=event.span)
    return _Body(None, tool).check(body, names)


class _Body:
    """Checks the statements of one tool."""

    def __init__(self, returns: Type | None, tool: tree.Tool):
        self.returns = returns
        self.tool = tool

    def check(self, body: Iterable[tree.Statement], names: Names) -> tuple[typed.Stmt, ...]:
        checked: list[typed.Stmt] = []
        for node in body:
            statement, names = self.statement(node, names.statement())
            if statement is not None:
                checked.append(statement)
        return tuple(checked)

    def statement(self, node: tree.Statement, names: Names) -> tuple[typed.Stmt | None, Names]:
        if isinstance(node, tree.Let):
            return self.let(node, names)
        if isinstance(node, tree.Return):
            return self.return_(node, names), names
        if isinstance(node, tree.Insert):
            return self.insert(node, names, None), names
        if isinstance(node, tree.Set):
            return self.set(node, names), names
        if isinstance(node, tree.Delete):
            target, record = self.target(node.target, names)
            return (typed.Delete(target, record, span=node.span) if record else None), names
        if isinstance(node, tree.Fail):
            when = condition(node.when, names) if node.when else None
            return typed.Fail(node.error.text, node.message.value, when, span=node.span), names
        assert isinstance(node, tree.If)
        test = condition(node.condition, names)
        then, otherwise = self.check(node.then, names), self.check(node.otherwise, names)
        return typed.If(test, then, otherwise, span=node.span), names

    def let(self, node: tree.Let, names: Names) -> tuple[typed.Stmt | None, Names]:
        if node.name.text in names.variables:
            first = Label(names.variables[node.name.text][1], "first declared here")
            names.sink.append(report("E262", node.name.span, kind="name", name=node.name.text, related=(first,)))
            return None, names
        statement: typed.Stmt | None
        if isinstance(node.value, tree.Insert):
            statement = self.insert(node.value, names, node.name.text)
            kind: Type = Reference(names.stores[statement.store].record) if statement else ERROR
        else:
            value = infer(node.value, names)
            statement, kind = typed.Let(node.name.text, value, span=node.span), value.type
        variable = typed.Variable(node.name.text, "local", type=kind, span=node.name.span)
        return statement, names.with_variable(variable, node.name.span)

    def return_(self, node: tree.Return, names: Names) -> typed.Stmt | None:
        if self.returns is None:
            names.sink.append(report("E241", node.span, tool=self.tool.name.text))
            return None
        wanted = _underlying(self.returns)
        value = infer(node.value, names, wanted)
        if not (assignable(value.type, wanted) or assignable(required(value.type), required(wanted))):
            why = Label(self.tool.returns.span, "the tool says so here") if self.tool.returns else None
            words: dict[str, Any] = {"found": named(value.type), "wanted": named(wanted)}
            names.sink.append(report("E206", node.value.span, related=(why,) if why else (), **words))
            return None
        return typed.Return(value, span=node.span)

    def insert(self, node: tree.Insert, names: Names, local: str | None) -> typed.Insert | None:
        store = find_store(node.store, names)
        if store is None:
            return None
        id = infer(node.id, names, TEXT) if node.id else None
        if id is not None and not (is_textual(id.type) or is_dynamic(id.type)):
            names.sink.append(report("E206", id.span, found=named(id.type), wanted="a text"))
            return None
        if id is None and store.prefix is None:
            why = Label(store.span, "the store is declared here")
            names.sink.append(report("E229", node.store.span, store=store.name, related=(why,)))
            return None
        assignments = self.assignments(node.fields, store.record, names)
        self.report_missing(node, store, names)
        return typed.Insert(store.name, id, assignments, local, span=node.span)

    def report_missing(self, node: tree.Insert, store: typed.StoreDef, names: Names) -> None:
        written = {entry.key.text for entry in node.fields.entries}
        for field in names.fields(store.record).values():
            if not field.has_default and field.name not in written:
                why = Label(field.span, "the field has no default")
                words: dict[str, Any] = {"record": store.record, "name": field.name}
                names.sink.append(report("E224", node.fields.span, related=(why,), **words))

    def set(self, node: tree.Set, names: Names) -> typed.Stmt | None:
        target, record = self.target(node.target, names)
        if not record:
            return None
        return typed.Set(target, record, self.assignments(node.fields, record, names), span=node.span)

    def target(self, node: tree.Expression, names: Names) -> tuple[typed.Expr, str]:
        """What is written to, and its record; the latter is empty where it is broken."""
        target = infer(node, names)
        core = required(target.type)
        if isinstance(core, Reference):
            return target, core.record
        if not is_dynamic(core):
            names.sink.append(report("E206", node.span, found=named(target.type), wanted="a record"))
        return target, ""

    def assignments(self, node: tree.ObjectDisplay, record: str, names: Names) -> tuple[typed.Assignment, ...]:
        report_duplicates((entry.key for entry in node.entries), "field", names.sink)
        assigned = (self.assignment(entry, record, names) for entry in node.entries)
        return tuple(assignment for assignment in assigned if assignment is not None)

    def assignment(self, entry: tree.Entry, record: str, names: Names) -> typed.Assignment | None:
        field = names.fields(record).get(entry.key.text)
        if field is None:
            help = did_you_mean(entry.key.text, names.fields(record))
            words: dict[str, Any] = {"owner": f"`{record}`", "name": entry.key.text}
            names.sink.append(report("E205", entry.key.span, help=help, **words))
            return None
        why = Label(field.span, f"`{field.name}` is declared here")
        if entry.value is not None:
            return typed.Assignment(field.name, expect(entry.value, names, field.type, why), False)
        bare = tree.Name(entry.key.text, span=entry.key.span)
        wanted = field.type if isinstance(field.type, Optional) else Optional(field.type)
        value = expect(bare, names, wanted, why)
        return typed.Assignment(field.name, value, isinstance(value.type, Optional))


def _underlying(returns: Type) -> Type:
    """What a body must give for a return type: records where it says a view of them."""
    if isinstance(returns, Optional):
        return Optional(_underlying(returns.item))
    if isinstance(returns, ListOf):
        return ListOf(_underlying(returns.item))
    return Reference(returns.record) if isinstance(returns, View) else returns


def find_store(path: tree.Path, names: Names) -> typed.StoreDef | None:
    """The store of that path; an unknown one is reported."""
    head, *rest = path.names
    if not rest and names.store_home:
        prefix = f"{names.store_home}."
        store = names.stores.get(prefix + head.text)
        known = [name[len(prefix) :] for name in names.stores if name.startswith(prefix)]
        service = names.store_home
    elif head.text in names.services:
        service = head.text
        word = ".".join(name.text for name in rest)
        store = names.stores.get(f"{names.services[service].name}.{word}")
        known = [name.rpartition(".")[2] for name in names.services[service].stores]
    else:
        help = did_you_mean(head.text, names.services, "name it in a `use` at the head of the file")
        names.sink.append(report("E203", head.span, name=head.text, help=help))
        return None
    if store is None:
        last = path.names[-1]
        help = did_you_mean(last.text, known, "" if rest else f"a store is written `{service}.{(known or ['…'])[0]}`")
        names.sink.append(report("E204", last.span, service=service, name=last.text, kind="store", help=help))
    return store
