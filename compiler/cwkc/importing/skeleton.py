"""A service as it is about to be written: its parts, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from cwkc.importing.wording import Todo, quoted
from cwkc.meaning.types import EnumType, Optional, Type, required

WIDEST = 60
"""Columns of parameters that stand in one line."""


@frozen
class Slot:
    """A field or a parameter. `default` is the literal after `=`."""

    name: str
    type: Type
    default: str = ""
    doc: str = ""
    scheduled: bool = False

    @property
    def may_be_left_out(self) -> bool:
        return bool(self.default) or isinstance(self.type, Optional)

    def __str__(self) -> str:
        parts = [f"{self.name}: {self.type}", "scheduled" if self.scheduled else ""]
        parts += [f"= {self.default}" if self.default else "", quoted(self.doc) if self.doc else ""]
        return " ".join(filter(None, parts))


@frozen
class Record:
    name: str
    fields: Mapping[str, Slot]
    doc: str = ""


@frozen
class Store:
    """`key` is what an id is called on the wire."""

    name: str
    record: Record
    key: str

    @property
    def prefix(self) -> str:
        """What minted ids begin with."""
        return f"{self.record.name.upper()[:6]}-"


@frozen
class Tool:
    """`body` holds statements; an empty one is left to be written."""

    name: str
    parameters: Sequence[Slot]
    returns: str = ""
    body: str = ""
    doc: str = ""
    todos: Sequence[Todo] = ()


@frozen
class Service:
    name: str
    doc: str
    enums: Sequence[EnumType]
    stores: Sequence[Store]
    tools: Sequence[Tool]
    todos: Sequence[Todo] = field(default=())
    """Of the service as a whole."""

    @property
    def all_todos(self) -> tuple[Todo, ...]:
        return (*self.todos, *(todo for tool in self.tools for todo in tool.todos))

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(service: Service) -> Iterator[str]:
    yield " ".join(filter(None, ("service", service.name, quoted(service.doc) if service.doc else "", "{")))
    yield from (todo.comment for todo in service.todos)
    for enum in service.enums:
        yield f"enum {enum.name} {{ {', '.join(enum.values)} }}\n"
    for record in {store.record.name: store.record for store in service.stores}.values():
        yield f"record {record.name} {quoted(record.doc) if record.doc else ''} {{"
        yield from map(str, record.fields.values())
        yield "}\n"
    for store in service.stores:
        yield f"store {store.name}: {store.record.name} key {store.key} ids {quoted(store.prefix)}"
    for tool in service.tools:
        yield ""
        yield from (todo.comment for todo in tool.todos)
        yield from _tool(tool)
    yield "}"


def _tool(tool: Tool) -> Iterator[str]:
    parameters = [*map(str, tool.parameters)]
    short = ", ".join(parameters)
    within = short if len(short) <= WIDEST and "\n" not in short else "\n" + ",\n".join(parameters) + "\n"
    yield f"tool {tool.name} {quoted(tool.doc) if tool.doc else ''} ({within})"
    yield f"{'-> ' + tool.returns if tool.returns else ''} {{\n{tool.body}\n}}"


def agrees(parameter: Slot, field: Slot | None) -> bool:
    """Whether a parameter's value can stand in a field."""
    return field is not None and required(parameter.type) == required(field.type)
