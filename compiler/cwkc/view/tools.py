"""The tools that a task offers, by service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from coworkdsl import Task


@frozen
class Parameter:
    """`type`: in words. One that is not `required` may be left out."""

    name: str
    type: str
    required: bool
    description: str


@frozen
class Tool:
    name: str
    description: str
    parameters: tuple[Parameter, ...]


def tools_by_service(task: Task) -> Mapping[str, tuple[Tool, ...]]:
    """Raises PackError."""
    offered, found = task.offered, dict[str, tuple[Tool, ...]]()
    for schema in task.tools():
        function = schema["function"]
        service, _, name = offered[function["name"]].name.partition(".")
        tool = Tool(name, function.get("description", ""), _parameters(function.get("parameters", {})))
        found[service] = (*found.get(service, ()), tool)
    return found


def _parameters(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    required = schema.get("required", ())
    return tuple(
        Parameter(name, _type(each), name in required, each.get("description", ""))
        for name, each in schema.get("properties", {}).items()
    )


def _type(schema: Mapping[str, Any]) -> str:
    """`string`, `open | closed`, `array of string`"""
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"] if value is not None)
    named = schema.get("type", "any value")
    names = [named] if isinstance(named, str) else [name for name in named if name != "null"]
    return " | ".join(f"array of {_type(schema['items'])}" if name == "array" else name for name in names)
