"""What a file declares, as Markdown: its services for whoever calls their tools, its tasks for whoever reviews them.

Values stand as they are on the wire.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coworkdsl.values import decimal_text, to_wire
from cwkc.emit.modules import source_text
from cwkc.emit.pack import told
from cwkc.meaning import typed
from cwkc.meaning.families import Family
from cwkc.meaning.modules import Scope
from cwkc.meaning.types import EnumType, Type
from cwkc.meaning.walk import statements
from cwkc.syntax import tree


def page(scope: Scope, tasks: Iterable[typed.Task], families: Iterable[tuple[Family, typed.Task]] = ()) -> str:
    """The services that a file declares, the types that it shares, and these tasks and families of it; each family with
    its first member."""
    items = scope.unit.module.items
    own = [scope.services[item.name.text] for item in items if isinstance(item, tree.Service)]
    parts = [*_shared(scope, items)]
    parts += [block for service in own for block in _service(service, scope.enums)]
    parts += [block for task in tasks for block in _task(task)]
    parts += [block for family, first in families for block in _family(family, first)]
    return "\n\n".join(parts)


def _shared(scope: Scope, items: Sequence[tree.Node]) -> Iterator[str]:
    enums = [scope.enums[item.name.text] for item in items if isinstance(item, tree.Enumeration)]
    records = [scope.records[item.name.text] for item in items if isinstance(item, tree.Record)]
    if enums or records:
        yield "# Shared types"
        yield from _types(enums, records, "")


# ---------------------------------------------------------------------------- services


def _service(service: typed.ServiceDef, enums: Mapping[str, EnumType]) -> Iterator[str]:
    prefix = f"{service.name}."
    yield f"# Service `{service.name}`"
    if service.doc:
        yield service.doc
    own = [enum for name, enum in enums.items() if name.startswith(prefix)]
    yield from _types(own, service.records.values(), prefix)
    if service.stores:
        rows = [
            (f"`{_local(store.name, prefix)}`", f"`{_local(store.record, prefix)}`", f"`{store.key}`", _minted(store))
            for store in service.stores.values()
        ]
        yield "## Stores"
        yield _table(("store", "holds", "id on the wire", "new ids"), rows)
    if service.tools:
        yield "## Tools"
    for tool in service.tools.values():
        yield from _tool(tool, prefix)


def _types(enums: Sequence[EnumType], records: Iterable[typed.RecordDef], prefix: str) -> Iterator[str]:
    if enums:
        yield "## Enums"
        yield "\n".join(f"- `{_local(enum.name, prefix)}`: {', '.join(map(_code, enum.values))}" for enum in enums)
    for record in records:
        fields = record.fields.values()
        rows = [(_code(each.name), _type(each.type, prefix), _default(each), _about(each)) for each in fields]
        yield f"## Record `{_local(record.name, prefix)}`"
        yield _table(("field", "type", "default", ""), rows)


def _default(field: typed.FieldDef) -> str:
    return _value(field.default) if field.has_default else "optional" if str(field.type).endswith("?") else "required"


def _about(field: typed.FieldDef) -> str:
    return ", ".join(filter(None, (field.doc, "may lie after `now`" if field.scheduled else "")))


def _minted(store: typed.StoreDef) -> str:
    return "said by the insert" if store.prefix is None else f"`{store.prefix}1`, `{store.prefix}2`, …"


def _tool(tool: typed.ToolDef, prefix: str) -> Iterator[str]:
    yield f"### `{_local(tool.name, prefix)}`"
    if tool.doc:
        yield tool.doc
    if tool.parameters:
        rows = [
            (_code(each.name), _type(each.type, prefix), _argument(each), each.doc or "")
            for each in tool.parameters.values()
        ]
        yield _table(("parameter", "type", "default", ""), rows)
    yield "\n".join(f"- {line}" for line in _notes(tool, prefix))


def _argument(parameter: typed.ParameterDef) -> str:
    return "required" if parameter.required else _value(parameter.default)


def _notes(tool: typed.ToolDef, prefix: str) -> Iterator[str]:
    yield f"called as `{tool.wire_name}`; {'only reads' if tool.reads_only else 'writes'}"
    if tool.returns is not None:
        yield f"returns {_type(tool.returns, prefix)}"
    failures = {each.error: each.message for each in statements(tool.body) if isinstance(each, typed.Fail)}
    yield from (f"fails with `{error}`: {message}" for error, message in failures.items())


# ---------------------------------------------------------------------------- tasks


def _task(task: typed.Task) -> Iterator[str]:
    yield f"# Task `{task.name}`" + (f": {task.title}" if task.title else "")
    yield from _contents(task)


def _family(family: Family, first: typed.Task) -> Iterator[str]:
    yield f"# Family `{family.name}`: {first.title}"
    rows = [
        (_code(each.name), _type(each.type, ""), f"{len(each.values)}, first {_value(each.values[0])}")
        for each in family.dimensions
    ]
    yield "## Parameters"
    yield _table(("parameter", "type", "values"), rows)
    yield f"{family.size} members; what follows is the first, `{first.name}`."
    yield from _contents(first)


def _contents(task: typed.Task) -> Iterator[str]:
    facts = {"category": task.category, "scenario": task.scenario, "difficulty": task.difficulty}
    facts |= {"language": task.language, "capabilities": ", ".join(task.capabilities), "now": to_wire(task.now)}
    facts |= {f"limit of {name}": str(limit) for name, limit in task.limits.items()}
    yield "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)
    yield "## What the agent is told"
    yield "\n".join(f"> {line}".rstrip() for line in told(task).split("\n"))
    yield "## Tools"
    yield "\n".join(f"- `{tool.name}`" + (f": {' '.join(tool.doc.split())}" if tool.doc else "") for tool in task.tools)
    if task.truths:
        rows = [
            (_code(each.name), _type(each.expr.type, ""), _value(each.value), _code(source_text(each.expr.span)))
            for each in task.truths.values()
        ]
        yield "## Truths"
        yield _table(("truth", "type", "value", "definition"), rows)
    if task.user:
        yield from _user(task.user)
    yield from _rules(task)


def _user(user: typed.UserDef) -> Iterator[str]:
    yield "## The user"
    yield user.persona
    rows = [
        (_code(fact.name), fact.words, _code(source_text(fact.asked.span)) if fact.asked else "at once")
        for fact in user.facts.values()
    ]
    if rows:
        yield _table(("fact", "words", "told when"), rows)


def _rules(task: typed.Task) -> Iterator[str]:
    checks = [(decimal_text(each.weight), each.label, _code(source_text(each.condition.span))) for each in task.checks]
    checks += [(decimal_text(judge.weight), judge.label, f"judged: {judge.rubric}") for judge in task.judges]
    if checks:
        yield "## Checks"
        yield _table(("weight", "check", "condition"), checks)
    required = [
        (f"{each.mode} {decimal_text(each.amount)}", each.label, _code(source_text(each.condition.span)))
        for each in task.requirements
    ]
    if required:
        yield "## Requirements"
        yield _table(("else", "requirement", "condition"), required)
    if task.forbids:
        yield "## Forbids"
        yield _table(("else safety", "forbid"), [_forbid(each) for each in task.forbids])


def _forbid(forbid: typed.ForbidDef | typed.FrameDef) -> tuple[str, str]:
    return decimal_text(forbid.safety), _code(source_text(forbid.span))


# ---------------------------------------------------------------------------- Markdown


def _local(name: str, prefix: str) -> str:
    return name.removeprefix(prefix)


def _type(type: Type, prefix: str) -> str:
    """A type in the language's words; names of the service itself need no prefix."""
    return _code(str(type).replace(prefix, "") if prefix else str(type))


def _value(value: Any) -> str:
    return _code(json.dumps(to_wire(value), ensure_ascii=False))


def _code(text: str) -> str:
    """A text as code, whatever backticks it has itself."""
    fence = "`"
    while fence in text:
        fence += "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    ruled = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in ruled)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
