"""What a bare name, a service's member and a record id stand for."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.types import DATETIME, DECIMAL, ERROR, EnumType, ErrorType, ListOf, Reference, Type, required
from cwkc.source import Span
from cwkc.syntax import tree

Meaning = tuple[typed.Expr, str, Span | None]
"""What a name may stand for: the expression, what it is in words, and where it was declared."""


def infer_name(node: tree.Name, names: Names, expected: Type | None) -> typed.Expr:
    """The one thing that the name can mean here; none, or several, is reported."""
    meanings = _meanings(node, names, expected)
    if len(meanings) > 1:
        related = tuple(Label(place, f"{words} here") for _, words, place in meanings if place)
        words: dict[str, Any] = {"name": node.text, "first": meanings[0][1], "second": meanings[1][1]}
        names.sink.append(report("E202", node.span, related=related, **words))
    elif not meanings:
        _report_unknown(node, names, expected)
    return meanings[0][0] if len(meanings) == 1 else typed.Constant(None, type=ERROR, span=node.span)


def _meanings(node: tree.Name, names: Names, expected: Type | None) -> list[Meaning]:
    found: list[Meaning] = []
    if node.text in names.variables:
        variable, place = names.variables[node.text]
        found.append((evolve(variable, span=node.span), f"a {variable.kind} name", place))
    if node.text in names.arguments:
        argument, place = names.arguments[node.text]
        found.append((evolve(argument, span=node.span), "an argument of the call", place))
    if node.text in names.truths:
        truth = names.truths[node.text]
        found.append((typed.Truth(node.text, type=truth.type, span=node.span), "a truth", truth.span))
    if node.text in names.parameters:
        value, place = names.parameters[node.text]
        found.append((evolve(value, span=node.span), "a parameter of the family", place))
    core = required(expected) if expected else None
    if isinstance(core, EnumType) and node.text in core.values:
        found.append((typed.Constant(node.text, type=core, span=node.span), f"a value of {core.name}", None))
    return found or _fallbacks(node, names)


def _fallbacks(node: tree.Name, names: Names) -> list[Meaning]:
    """What a name stands for when nothing nearer is called so."""
    if names.stage is Stage.REWARD and node.text in ("completion", "safety", "robustness"):
        return [(typed.Outcome(node.text, type=DECIMAL, span=node.span), "an outcome", None)]
    if names.store_home and (store := names.stores.get(f"{names.store_home}.{node.text}")):
        return [(_records(store, node.span), "a store", store.span)]
    if node.text == "now" and names.stage is not Stage.CONSTANT:
        clock: typed.Expr = typed.Now(type=DATETIME, span=node.span)
        if names.stage not in (Stage.TOOL, Stage.EVENT):
            clock = typed.Constant(names.now, type=DATETIME if names.now else ERROR, span=node.span)
        return [(clock, "the clock", None)]
    return []


def _records(store: typed.StoreDef, span: Span) -> typed.Expr:
    return typed.StoreRecords(store.name, type=ListOf(Reference(store.record)), span=span)


def _report_unknown(node: tree.Name, names: Names, expected: Type | None) -> None:
    core = required(expected) if expected else None
    if isinstance(core, ErrorType):
        return
    if node.text in names.later_truths:
        place = Label(names.later_truths[node.text], "defined here")
        names.sink.append(report("E222", node.span, name=node.text, related=(place,)))
    elif node.text in names.after_truths:
        event, span = names.after_truths[node.text]
        place = Label(span, "defined here")
        names.sink.append(report("E307", node.span, related=(place,), name=node.text, event=event))
    elif isinstance(core, EnumType):
        help = did_you_mean(node.text, core.values)
        names.sink.append(report("E212", node.span, value=node.text, enum=core.name, help=help))
    else:
        known = [*names.variables, *names.arguments, *names.truths, *names.parameters, *names.services]
        help = did_you_mean(node.text, known, _unknown_help(node.text, names))
        names.sink.append(report("E201", node.span, name=node.text, help=help))


def _unknown_help(word: str, names: Names) -> str:
    if word in names.services:
        return f"a store is written with its service: `{word}.…`"
    if any(name.rpartition(".")[2] == word for name in names.enums):
        return f"an enum's value is written alone, without `{word}.`"
    owners = sorted(name for name, enum in names.enums.items() if word in enum.values)
    if owners:
        return f"`{word}` is a value of {owners[0]}: compare it with something of that type"
    return ""


def infer_argument(node: tree.Member, names: Names) -> typed.Expr | None:
    """`arg.x`: an argument of the call by its full name, or None where that is not meant."""
    if not isinstance(node.base, tree.Name) or node.base.text != "arg" or not names.arguments:
        return None
    if node.name.text in names.arguments:
        argument, _ = names.arguments[node.name.text]
        return evolve(argument, span=node.span)
    help = did_you_mean(node.name.text, names.arguments)
    names.sink.append(report("E205", node.name.span, owner="this call", name=node.name.text, help=help))
    return typed.Constant(None, type=ERROR, span=node.span)


def _no_store_help(base: str, word: str, service: typed.ServiceDef, names: Names) -> str:
    """What to write where a tool or an enum stands in the place of a store."""
    if f"{service.name}.{word}" in service.tools:
        return f"it is a tool, and whether it was called is `called {base}.{word}`"
    return (
        f"an enum's value is written alone, without `{base}.{word}.`" if f"{service.name}.{word}" in names.enums else ""
    )


def infer_service_member(base: tree.Name, node: tree.Member, names: Names) -> typed.Expr | None:
    """`service.store`, or None when the base is no service."""
    if base.text in names.variables or base.text in names.truths or base.text not in names.services:
        return None
    service = names.services[base.text]
    store = names.stores.get(f"{service.name}.{node.name.text}")
    if store is not None:
        return _records(store, node.span)
    known = [name.rpartition(".")[2] for name in service.stores]
    help = _no_store_help(base.text, node.name.text, service, names)
    help = help or did_you_mean(node.name.text, known, f"`{base.text}` has " + (", ".join(known) or "no stores"))
    names.sink.append(report("E204", node.name.span, service=base.text, name=node.name.text, kind="store", help=help))
    return typed.Constant(None, type=ERROR, span=node.span)


def infer_record_id(node: tree.RecordId, names: Names, expected: Type | None) -> typed.Expr:
    """The initial record of that id: the one of the expected type, or the only one there is."""
    if names.stage in (Stage.TOOL, Stage.CONSTANT):
        names.sink.append(report("E244", node.span, id=node.id))
        return typed.Constant(None, type=ERROR, span=node.span)
    core = required(expected) if expected else None
    homes = names.ids.get(node.id, ())
    records = {names.stores[store].record: place for store, place in homes}
    if isinstance(core, Reference) and core.record in records:
        return typed.Constant(node.id, type=core, span=node.span)
    if isinstance(core, Reference) or not records:
        _report_dangling(node, core, names)
        return typed.Constant(None, type=ERROR, span=node.span)
    if len(records) > 1:
        related = tuple(Label(place, f"a {record} record") for record, place in records.items())
        first, second = list(records)[:2]
        names.sink.append(report("E202", node.span, name=f"@{node.id}", first=first, second=second, related=related))
        return typed.Constant(None, type=ERROR, span=node.span)
    return typed.Constant(node.id, type=Reference(next(iter(records))), span=node.span)


def _report_dangling(node: tree.RecordId, core: Type | None, names: Names) -> None:
    record = core.record if isinstance(core, Reference) else None
    fitting = [
        known
        for known, homes in names.ids.items()
        if record is None or any(names.stores[store].record == record for store, _ in homes)
    ]
    known = [f"@{id}" for id in fitting]
    help = did_you_mean(f"@{node.id}", known) if known else "no such record stands in `data`"
    kind = f"{record} record" if record else "record"
    names.sink.append(report("E214", node.span, id=node.id, kind=kind, help=help))


__all__ = ["infer_name", "infer_record_id", "infer_service_member"]
