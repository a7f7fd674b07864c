"""Tools as emitted code declares them, what they return, and how a call's arguments are read.

A result is a recipe over immutable records: `wire()` makes a fresh JSON object each time, so that what an agent gets
shares nothing with the world or with the trace.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from coworkdsl.values import Type, WireError, argument_reader, shown, to_wire
from coworkdsl.world import Fail, Record, View

LONGEST_ARGUMENTS = 2_000_000

# ---------------------------------------------------------------------------- results


class Result(Protocol):
    """What a tool returns."""

    def wire(self) -> dict[str, Any]: ...


class RecordResult:
    __slots__ = ("_fields", "_id", "_key", "_record")

    def __init__(self, key: str, id: str, record: Record, fields: tuple[str, ...] | None) -> None:
        self._key = key
        self._id = id
        self._record = record
        self._fields = fields

    def wire(self) -> dict[str, Any]:
        return self._record.shown(self._key, self._id, self._fields)


class ListResult:
    __slots__ = ("_fields", "_rows")

    def __init__(self, rows: list[tuple[str, str, Record]], fields: tuple[str, ...] | None) -> None:
        self._rows = rows
        self._fields = fields

    def wire(self) -> dict[str, Any]:
        fields = self._fields
        items = [record.shown(key, id, fields) for key, id, record in self._rows]
        return {"items": items, "total": len(items)}


class ValueResult:
    __slots__ = ("_name", "_value")

    def __init__(self, name: str, value: Any) -> None:
        self._name = name
        self._value = value

    def wire(self) -> dict[str, Any]:
        return {self._name: to_wire(self._value)}


class ItemsResult:
    __slots__ = ("_values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self._values = values

    def wire(self) -> dict[str, Any]:
        return {"items": to_wire(self._values), "total": len(self._values)}


_DONE = ValueResult("status", "ok")


def record(w: View, type: str, id: Any) -> Result:
    """`{key: id, every field}`; `{"result": null}` when the reference is null or its record is gone."""
    return view(w, type, None, id)


def view(w: View, type: str, fields: tuple[str, ...] | None, id: Any) -> Result:
    """`{key: id, these fields}`; likewise."""
    located = w.locate(type, id)
    if located is None:
        return ValueResult("result", None)
    store, found = located
    return RecordResult(w.layout.stores[store].key, id, found, fields)


def records(w: View, type: str, ids: Iterable[Any] | None) -> Result:
    """`{"items": [records], "total": n}`, without those that are gone."""
    return views(w, type, None, ids)


def views(w: View, type: str, fields: tuple[str, ...] | None, ids: Iterable[Any] | None) -> Result:
    """`{"items": [views], "total": n}`, without those that are gone."""
    return ListResult(w.keyed(type, ids or ()), fields)


def scalar(value: Any) -> Result:
    """`{"result": value}`"""
    return ValueResult("result", value)


def items(values: Iterable[Any] | None) -> Result:
    """`{"items": [values], "total": n}`"""
    return ItemsResult(tuple(values or ()))


def done() -> Result:
    """`{"status": "ok"}`"""
    return _DONE


# ---------------------------------------------------------------------------- in a tool's body


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields whose value is not null."""
    return {name: value for name, value in fields.items() if value is not None}


def lookup(w: View, store: str, id: Any) -> str | None:
    """The id when the store holds it, else null."""
    return id if w.get(store, id) is not None else None


# ---------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Parameter:
    """`default` is the value, not its JSON form; an argument left out equals it."""

    name: str
    type: Type
    required: bool
    default: Any


@dataclass(frozen=True, slots=True)
class Tool:
    """`function` takes the world and then the parameters' values, by position."""

    function: Callable[..., Result]
    parameters: tuple[Parameter, ...]


# ---------------------------------------------------------------------------- arguments


class Refused(Exception):
    """A call's arguments break the tool's schema (`invalid_arguments`) or name no record (`not_found`)."""

    def __init__(self, code: str, message: str, argument: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.argument = argument


def parsed_arguments(arguments: Any) -> dict[str, Any]:
    """The arguments as an object: as they come, or out of the JSON text in which chat formats carry them.

    Raises Refused.
    """
    if isinstance(arguments, str):
        arguments = _from_text(arguments)
    if arguments is None:
        return {}
    if not isinstance(arguments, dict):
        raise Refused("invalid_arguments", f"the arguments must be an object; got {shown(arguments)}")
    return arguments


def _from_text(text: str) -> Any:
    if len(text) > LONGEST_ARGUMENTS:
        raise Refused("invalid_arguments", f"the arguments must have at most {LONGEST_ARGUMENTS} characters")
    if not text.strip():
        return {}
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("invalid_arguments", f"the arguments must be a JSON object; got {shown(text)}") from None


class Signature:
    """A tool's parameters, compiled once: reads arguments into values."""

    __slots__ = ("_accepted", "_parameters", "_references", "names")

    def __init__(self, parameters: tuple[Parameter, ...]) -> None:
        self.names = tuple(parameter.name for parameter in parameters)
        self._accepted = ", ".join(self.names) or "none"
        self._parameters = tuple(
            (each.name, argument_reader(each.type), each.required, each.default) for each in parameters
        )
        found = ((place, each.name, _referenced(each.type)) for place, each in enumerate(parameters))
        self._references = tuple((place, name, record) for place, name, record in found if record)

    @property
    def references(self) -> dict[str, str]:
        """By parameter: the record type that its values refer to."""
        return {name: record for _, name, record in self._references}

    def read(self, arguments: Any) -> list[Any]:
        """The values in the order of the parameters, defaults filled in. Raises Refused."""
        if type(arguments) is not dict:
            arguments = parsed_arguments(arguments)
        values = []
        present = 0
        for name, read, required, default in self._parameters:
            if name in arguments:
                present += 1
                try:
                    values.append(read(arguments[name]))
                except WireError as invalid:
                    message = f"`{name}{invalid.path}` {invalid.reason}"
                    raise Refused("invalid_arguments", message, name) from None
            elif required:
                raise Refused("invalid_arguments", f"`{name}` is required", name)
            else:
                values.append(default)
        if present != len(arguments):
            self._refuse_unknown(arguments)
        return values

    def require_records(self, values: list[Any], w: View) -> None:
        """Raises Refused, `not_found`, when a reference among the values names no record."""
        for place, name, record in self._references:
            _require_record(w, record, values[place], name)

    def _refuse_unknown(self, arguments: dict[Any, Any]) -> None:
        name = next(name for name in arguments if name not in self.names)
        label = shown(name).strip('"')
        message = f"`{label}` is no parameter of this tool; its parameters are: {self._accepted}"
        raise Refused("invalid_arguments", message, label)


def _referenced(type: Type) -> str | None:
    """The record type that values of the type refer to, themselves or in a list."""
    while isinstance(type, dict) and ("optional" in type or "list" in type):
        type = type["optional"] if "optional" in type else type["list"]
    return type.get("ref") if isinstance(type, dict) else None


def _require_record(w: View, record: str, value: Any, name: str) -> None:
    if isinstance(value, tuple):
        for item in value:
            _require_record(w, record, item, name)
    elif value is not None and w.locate(record, value) is None:
        kind = record.rpartition(".")[2]
        raise Refused("not_found", f"`{name}`: no {kind} has the id {shown(value)}", name)


__all__ = [
    "Fail",
    "Parameter",
    "Refused",
    "Result",
    "Signature",
    "Tool",
    "done",
    "given",
    "items",
    "lookup",
    "parsed_arguments",
    "record",
    "records",
    "scalar",
    "view",
    "views",
]
