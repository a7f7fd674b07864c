"""Deliverables: `deliver`, a contract that the agent is told and that grading compares with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from coworkdsl.contracts import Contract, delivers, written
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.declarations import TypeNames, resolve_type
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.expressions import expect, infer
from cwkc.meaning.facts import CONTENT, FILE, FILES
from cwkc.meaning.modules import Scope
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.operators import named
from cwkc.meaning.truths import evaluate_fixed
from cwkc.meaning.types import ERROR, TEXT, EnumType, ErrorType, ListOf, Scalar, Type, optional, required
from cwkc.meaning.walk import walk
from cwkc.syntax import tree

_FORMATS = ("json", "csv", "xlsx", "text")


@frozen(eq=False)
class _Place:
    """The scopes of one `deliver`. `rows` are the initial records by id; `waits` are the truths that are known only
    after an event, with its name."""

    names: Names
    types: TypeNames
    values: Values
    rows: dict[str, typed.RowDef]
    waits: Mapping[str, str]
    is_whole: bool

    @property
    def mistakes(self) -> int:
        return len(self.names.sink)

    def report(self, code: str, *arguments: Any, **words: Any) -> None:
        self.names.sink.append(report(code, *arguments, **words))

    def value(self, expr: typed.Expr, values: Values) -> Any:
        return evaluate_fixed(expr, self.names, values, self.rows)


def check_deliverables(
    nodes: Iterable[tuple[tree.Deliver, Scope]],
    names: Names,
    values: Values,
    rows: Iterable[typed.RowDef],
    waits: Mapping[str, str],
    is_whole: bool,
) -> dict[str, typed.DeliverDef]:
    """Each contract by name, with its values in the initial world; without them where that is not whole, since
    something is wrong with the rows or the truths."""
    found: dict[str, typed.DeliverDef] = {}
    places = {row.id: row for row in rows}
    for node, scope in nodes:
        inner = evolve(names, services=scope.services, stage=Stage.TRUTH).statement()
        types = TypeNames(scope.types, scope.services, names.enums, names.records, names.sink)
        name = node.name.text
        if name in found:
            first = Label(found[name].span, "first written here")
            names.sink.append(report("E262", node.name.span, kind="contract", name=name, related=(first,)))
            continue
        found[name] = _deliverable(node, _Place(inner, types, values, places, waits, is_whole))
    return found


def _deliverable(node: tree.Deliver, place: _Place) -> typed.DeliverDef:
    before = place.mistakes
    _check_target(node, place)
    repeated, names = _repeated(node, place)
    fields = tuple(_promised(field, names, place) for field in node.fields)
    _check_fields(node, repeated, fields, place)
    _check_moments(repeated, [*([repeated.key] if repeated else []), *(field.expr for field in fields)], place)
    path, format = node.path.value if node.path else None, node.format.text
    contract = Contract("text", (), ())
    if place.is_whole and place.mistakes == before:
        contract = _contract(node, repeated, fields, place)
    span = node.name.span.to(node.path.span) if node.path else node.name.span
    return typed.DeliverDef(node.name.text, path, format, repeated, fields, contract, span=span)


def _check_target(node: tree.Deliver, place: _Place) -> None:
    format = node.format
    if node.path is None:
        return
    if format.text not in _FORMATS:
        place.report("E272", format.span, format=format.text, help=did_you_mean(format.text, _FORMATS))
    record = place.names.records.get(FILE)
    content = record.fields.get(CONTENT) if record and FILES in place.names.stores else None
    if content is None or content.type != TEXT:
        place.report("E270", node.path.span, path=node.path.value)


# ---------------------------------------------------------------------------- rows and fields


def _repeated(node: tree.Deliver, place: _Place) -> tuple[typed.RepeatedDef | None, Names]:
    """What the rows are of, and the scope in which the variable stands for one of it."""
    if node.rows is None:
        return None, place.names
    variable_name, source_node, key_node = node.rows
    source = infer(source_node, place.names)
    core = required(source.type)
    item: Type = core.item if isinstance(core, ListOf) else ERROR
    if not isinstance(core, ListOf | ErrorType):
        place.report("E206", source_node.span, found=named(source.type), wanted="a list")
    variable, names = place.names.bind(variable_name.text, item, variable_name.span)
    key = infer(key_node, names)
    if not isinstance(key_node, tree.Member):
        place.report("E279", key_node.span)
        return None, names
    _check_type(key.type, key_node, place)
    return typed.RepeatedDef(variable, source, key, key_node.name.text), names


def _promised(field: tree.DeliverField, names: Names, place: _Place) -> typed.PromisedDef:
    kind = resolve_type(field.type, place.types)
    _check_type(kind, field.type, place, is_declared=True)
    expr = expect(field.value, names, optional(kind))
    doc, doc_span = (field.doc.value, field.doc.span) if field.doc else (None, None)
    return typed.PromisedDef(field.name.text, kind, expr, doc, doc_span, span=field.name.span)


def _check_type(kind: Type, node: tree.Node, place: _Place, is_declared: bool = False) -> None:
    """A field and a key hold one value, of a type that a file can show."""
    core = kind if is_declared else required(kind)
    if not isinstance(core, Scalar | EnumType | ErrorType):
        place.report("E273", node.span, written=node.span.text)


def _check_fields(
    node: tree.Deliver, rows: typed.RepeatedDef | None, fields: tuple[typed.PromisedDef, ...], place: _Place
) -> None:
    if not fields:
        place.report("E277", node.name.span, name=node.name.text)
    seen = {rows.name: rows.key.span} if rows else {}
    for field in fields:
        if field.name in seen:
            first = Label(seen[field.name], "first written here")
            place.report("E262", field.span, kind="field", name=field.name, related=(first,))
        seen.setdefault(field.name, field.span)


# ---------------------------------------------------------------------------- values


def _check_moments(rows: typed.RepeatedDef | None, exprs: Iterable[typed.Expr], place: _Place) -> None:
    """A record that is known only after an event is not read at the start, where a contract has its values."""
    carriers: dict[str, typed.Truth] = {}
    if rows is not None and (truth := _waiting(rows.source, carriers, place)):
        carriers[rows.variable.name] = truth
    for part in (part for expr in exprs for part in walk(expr)):
        if isinstance(part, typed.Binder | typed.Sum) and (truth := _waiting(part.source, carriers, place)):
            carriers[part.variable.name] = truth
        elif isinstance(part, typed.FieldOf) and (truth := _waiting(part.base, carriers, place)):
            event = place.waits[truth.name]
            words = {"name": truth.name, "event": event, "place": "the start, where a contract reads its fields,"}
            help = f"take what the contract needs in a `let … after {event}`"
            place.report("E307", part.span, help=help, **words)
            return


def _waiting(expr: typed.Expr, carriers: Mapping[str, typed.Truth], place: _Place) -> typed.Truth | None:
    """The truth, known only after an event, that a record comes from; `carriers` are variables that stand for one of
    such."""
    for part in walk(expr):
        if isinstance(part, typed.Truth) and part.name in place.waits:
            return part
        if isinstance(part, typed.Variable) and part.name in carriers:
            return carriers[part.name]
    return None


def _contract(
    node: tree.Deliver, rows: typed.RepeatedDef | None, fields: tuple[typed.PromisedDef, ...], place: _Place
) -> Contract:
    columns = [(field.name, _kind(field.type)) for field in fields]
    exprs = [field.expr for field in fields]
    if rows is not None:
        columns.insert(0, (rows.name, _kind(rows.key.type)))
        exprs.insert(0, rows.key)
    format = "text" if node.path is None else node.format.text
    before = place.mistakes
    table = tuple(_table(node, rows, exprs, place))
    contract = Contract(format, tuple(columns), table, rows.name if rows else None)
    if place.mistakes == before:
        _check_table(node, contract, rows, place)
    return contract


def _kind(kind: Type) -> str:
    core = required(kind)
    return "enum" if isinstance(core, EnumType) else str(core)


def _table(
    node: tree.Deliver, rows: typed.RepeatedDef | None, exprs: list[typed.Expr], place: _Place
) -> Iterator[tuple[Any, ...]]:
    """The values of each row; the first mistake ends them."""
    before = place.mistakes
    for scope in _scopes(node, rows, place):
        values = tuple(place.value(expr, scope) for expr in exprs)
        for expr, value in zip(exprs, values, strict=True):
            if value is None and place.mistakes == before:
                place.report("E274", expr.span, written=expr.span.text)
        if place.mistakes > before:
            return
        yield values


def _scopes(node: tree.Deliver, rows: typed.RepeatedDef | None, place: _Place) -> Iterator[Values]:
    if rows is None:
        yield place.values
        return
    for value in place.value(rows.source, place.values) or ():
        yield place.values.bind(rows.variable.name, value)


def _check_table(node: tree.Deliver, contract: Contract, rows: typed.RepeatedDef | None, place: _Place) -> None:
    """There are rows, their keys differ, and what is wanted can be written so that it is read as it is meant."""
    if rows is not None and not contract.rows:
        place.report("E253", rows.source.span, name=rows.source.span.text)
    elif rows is not None and (again := _repeated_key(contract)) is not None:
        place.report("E276", rows.key.span, key=again)
    elif not delivers(written(contract), contract):
        place.report("E275", node.name.span, name=node.name.text, format=node.format.text)


def _repeated_key(contract: Contract) -> Any:
    """A key that stands in two rows, as far as a reader can tell."""
    seen: set[Any] = set()
    for key, *_ in contract.rows:
        told = key.casefold().strip() if isinstance(key, str) else key
        if told in seen:
            return key
        seen.add(told)
    return None
