"""Tools as the agent sees them: JSON Schemas in the function form of chat templates."""

from __future__ import annotations

from typing import Any

from coworkdsl.values import to_wire
from cwkc.meaning import typed
from cwkc.meaning.types import EnumType, ListOf, Optional, Reference, Scalar, Type

_SCALARS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "decimal": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "duration": {"type": "string", "format": "duration"},
    "email": {"type": "string", "format": "email"},
    "url": {"type": "string", "format": "uri"},
}


def tool_schema(tool: typed.ToolDef) -> dict[str, Any]:
    """A tool as a chat template takes it. A null stands for an optional argument that is left out."""
    parameters = {
        "type": "object",
        "properties": {name: parameter_schema(parameter) for name, parameter in tool.parameters.items()},
        "required": [name for name, parameter in tool.parameters.items() if parameter.required],
        "additionalProperties": False,
    }
    described = {"description": tool.doc} if tool.doc else {}
    return {"type": "function", "function": {"name": tool.wire_name, **described, "parameters": parameters}}


def parameter_schema(parameter: typed.ParameterDef) -> dict[str, Any]:
    """The schema of one argument, with its default when it has one."""
    schema = type_schema(parameter.type)
    if parameter.doc and "description" in schema:
        schema["description"] = f"{parameter.doc} ({schema['description']})"
    elif parameter.doc:
        schema["description"] = parameter.doc
    if not parameter.required and parameter.default is not None:
        schema["default"] = to_wire(parameter.default)
    return schema


def type_schema(type: Type) -> dict[str, Any]:
    """The schema of the values of a type that a parameter may have."""
    match type:
        case Scalar(name=name):
            return dict(_SCALARS[name])
        case EnumType(values=values):
            return {"type": "string", "enum": list(values)}
        case Reference(record=record):
            return {"type": "string", "description": f"id of a {record}"}
        case ListOf(item=item):
            return {"type": "array", "items": type_schema(item)}
        case Optional(item=item):
            return _nullable(type_schema(item))
        case _:
            raise TypeError(f"no parameter has the type {type}")


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **choices}
