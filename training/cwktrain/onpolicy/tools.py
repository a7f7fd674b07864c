"""The tools of a task as methods that TRL can read: with type hints and Google docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import reduce
from keyword import iskeyword
from operator import or_
from types import NoneType
from typing import Any, Literal

_TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": NoneType,
    "object": dict,
    "array": list,
}


def tool_method(schema: Mapping[str, Any]) -> Callable[..., str]:
    """A method that hands its arguments to `self._call` as they come: the environment answers the wrong ones.

    `schema`: of a function tool. A parameter that cannot be one in Python, such as `from`, is not in the signature.
    """
    function = schema["function"]
    name, parameters = function["name"], function["parameters"]

    def method(self: Any, **arguments: Any) -> str:
        answer: str = self._call(name, arguments)
        return answer

    method.__name__ = method.__qualname__ = name
    method.__doc__ = _docstring(function["description"], parameters["properties"])
    known = parameters["properties"].items()
    shown = [
        _parameter(each, of_it, parameters) for each, of_it in known if each.isidentifier() and not iskeyword(each)
    ]
    self_alone = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__signature__ = inspect.Signature([self_alone, *shown], return_annotation=str)  # type: ignore[attr-defined]
    method.__annotations__ = {each.name: each.annotation for each in shown} | {"return": str}
    return method


def _parameter(name: str, schema: Mapping[str, Any], parameters: Mapping[str, Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if name in parameters["required"] else schema.get("default")
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_hint(schema))


def _hint(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    kinds = schema.get("type", "object")
    hints = [_plain(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return reduce(or_, hints)


def _plain(kind: str, schema: Mapping[str, Any]) -> Any:
    return list[_hint(schema["items"])] if kind == "array" and "items" in schema else _TYPES[kind]  # type: ignore[misc]


def _docstring(description: str, properties: Mapping[str, Any]) -> str:
    entries = [f"    {name}: {_line(schema.get('description', name))}" for name, schema in properties.items()]
    return "\n".join([_line(description), *(["", "Args:"] if entries else []), *entries])


def _line(text: str) -> str:
    return " ".join(text.split())
