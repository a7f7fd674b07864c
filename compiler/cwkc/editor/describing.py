"""What is said of a symbol: its declaration as the language writes it, and what its author says about it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from coworkdsl.values import decimal_text
from cwkc.editor.analysis import Analysis
from cwkc.editor.symbols import Symbol
from cwkc.meaning import typed
from cwkc.meaning.names import TruthName
from cwkc.meaning.types import EnumType, ListOf, Reference, Type, required
from cwkc.syntax import tree

# As much of a value is shown.
LONGEST = 80


def declaration(symbol: Symbol, analysis: Analysis) -> str:
    """The symbol as the language would declare it, without what stands in its braces."""
    describe = DECLARATIONS.get(symbol.kind)
    return describe(symbol, analysis) if describe else f"{symbol.kind} {symbol.name}"


def documentation(symbol: Symbol) -> str:
    """What its author says about it, in words; empty where nothing is said."""
    declared = symbol.declared
    if isinstance(declared, tree.Task | tree.Family):
        return declared.title.value if declared.title else ""
    doc = getattr(declared, "doc", None)
    return doc if isinstance(doc, str) else ""


def signature(tool: typed.ToolDef) -> str:
    """`helpdesk.get_ticket(ticket_id: helpdesk.Ticket) -> helpdesk.Ticket`"""
    parameters = ", ".join(parameter(each) for each in tool.parameters.values())
    return f"{tool.name}({parameters})" + (f" -> {tool.returns}" if tool.returns else "")


def parameter(definition: typed.ParameterDef) -> str:
    default = ""
    if not definition.required and definition.default is not None:
        default = f" = {shown(definition.default, definition.type)}"
    return f"{definition.name}: {definition.type}{default}"


def truth_value(name: str, task: typed.Task | None) -> str:
    """What a truth of a task is worth in the initial world; empty where the task has errors."""
    truth = task.truths.get(name) if task else None
    return shown(truth.value, truth.expr.type) if truth else ""


def shown(value: Any, kind: Type) -> str:
    """A value as the language writes it, its end cut off when it is long."""
    text = " ".join(_written(value, required(kind)).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _written(value: Any, kind: Type) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, tuple):
        item = kind.item if isinstance(kind, ListOf) else kind
        return "[" + ", ".join(_written(each, required(item)) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_written(each, kind)}" for name, each in value.items()) + "}"
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(kind, Reference):
        return f"@{value}"
    return str(value) if isinstance(kind, EnumType) or not isinstance(value, str) else f'"{value}"'


def _duration(value: timedelta) -> str:
    seconds = int(value.total_seconds())
    size, unit = next(each for each in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")) if seconds % each[0] == 0)
    return f"{seconds // size}{unit}"


# ---------------------------------------------------------------------------- one function for each kind


def _service(symbol: Symbol, analysis: Analysis) -> str:
    definition: typed.ServiceDef = symbol.declared
    stores = [f"  store {each.name.partition('.')[2]}: {each.record}" for each in definition.stores.values()]
    tools = [f"  tool {each.name.partition('.')[2]}" for each in definition.tools.values()]
    return "\n".join([f"service {definition.name}", *stores, *tools])


def _enum(symbol: Symbol, analysis: Analysis) -> str:
    return f"enum {symbol.owner} {{ {', '.join(value.text for value in symbol.declared.values)} }}"


def _value(symbol: Symbol, analysis: Analysis) -> str:
    return f"{symbol.name}: {symbol.owner}"


def _record(symbol: Symbol, analysis: Analysis) -> str:
    definition = analysis.scope.records.get(symbol.declared)
    fields = [f"  {_field_text(each)}" for each in definition.fields.values()] if definition else []
    return "\n".join([f"record {symbol.declared} {{", *fields, "}"])


def _field_text(definition: typed.FieldDef) -> str:
    scheduled = " scheduled" if definition.scheduled else ""
    has_default = definition.has_default and definition.default is not None
    default = f" = {shown(definition.default, definition.type)}" if has_default else ""
    return f"{definition.name}: {definition.type}{scheduled}{default}"


def _field(symbol: Symbol, analysis: Analysis) -> str:
    known = isinstance(symbol.declared, typed.FieldDef)
    return f"{symbol.owner}.{_field_text(symbol.declared) if known else symbol.name}"


def _store(symbol: Symbol, analysis: Analysis) -> str:
    definition: typed.StoreDef | None = symbol.declared
    if definition is None:
        return f"store {symbol.name}"
    ids = f' ids "{definition.prefix}"' if definition.prefix is not None else ""
    return f"store {definition.name}: {definition.record} key {definition.key}{ids}"


def _tool(symbol: Symbol, analysis: Analysis) -> str:
    definition: typed.ToolDef | None = symbol.declared
    return f"tool {signature(definition)}" if definition else f"tool {symbol.name}"


def _parameter(symbol: Symbol, analysis: Analysis) -> str:
    if isinstance(symbol.declared, typed.ParameterDef):
        return parameter(symbol.declared)
    return _variable(symbol, analysis)


def _variable(symbol: Symbol, analysis: Analysis) -> str:
    kind = getattr(symbol.declared, "type", None)
    return f"{symbol.name}: {kind}" if isinstance(kind, Type) else symbol.name


def _truth(symbol: Symbol, analysis: Analysis) -> str:
    kind = f": {symbol.declared.type}" if isinstance(symbol.declared, TruthName) else ""
    value = truth_value(symbol.name, task_at(analysis, symbol))
    return f"let {symbol.name}{kind}" + (f" = {value}" if value else "")


def _record_id(symbol: Symbol, analysis: Analysis) -> str:
    record, _ = symbol.declared
    for task in analysis.tasks.values():
        for row in task.rows:
            if (row.span.source.name, row.span.start) == symbol.key:
                known = task.records[record].fields
                fields = [f"  {name}: {shown(row.fields[name], known[name].type)}" for name in row.spans]
                return "\n".join([f"@{symbol.name}: {record} {{", *fields, "}"])
    return f"@{symbol.name}: {record}"


def _contract(symbol: Symbol, analysis: Analysis) -> str:
    definition = symbol.declared
    if not isinstance(definition, typed.DeliverDef):
        return f"deliver {symbol.name}"
    path = "" if definition.path is None else f' "{definition.path}"'
    fields = [f"  {each.name}: {each.type}" for each in definition.fields]
    return "\n".join([f"deliver {definition.name}{path} {definition.format} {{", *fields, "}"])


def task_at(analysis: Analysis, symbol: Symbol) -> typed.Task | None:
    """The task, when it has no errors, whose truth a symbol is."""
    for task in analysis.tasks.values():
        truth = task.truths.get(symbol.name)
        if truth is not None and (truth.span.source.name, truth.span.start) == symbol.key:
            return task
    return None


DECLARATIONS: dict[str, Callable[[Symbol, Analysis], str]] = {
    "service": _service,
    "enum": _enum,
    "value": _value,
    "record": _record,
    "field": _field,
    "store": _store,
    "tool": _tool,
    "parameter": _parameter,
    "variable": _variable,
    "truth": _truth,
    "record id": _record_id,
    "contract": _contract,
}
