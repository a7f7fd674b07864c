"""Tools and results for a person to read: nothing is cut, as a model would read it all too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cwkc.cli.human.reading import Schema, kinds

Function = Mapping[str, Any]
"""A tool in the function form of chat templates."""

_IN_WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true | false"}


# ---------------------------------------------------------------------------- results


def shown_result(result: Mapping[str, Any], columns: int) -> str:
    """A tool's answer: an error, a list of records or of values, a record, or a value."""
    if isinstance(result.get("error"), Mapping):
        error = result["error"]
        return _printable(f"error {error['code']}: {error['message']}")
    if result.keys() == {"items", "total"}:
        return "\n".join(_items(result["items"], columns))
    if result.keys() <= {"result", "status"}:
        return "\n".join(map(_shown, result.values()))
    return "\n".join(_members(result))


def _items(items: Sequence[Any], columns: int) -> Iterator[str]:
    if items and all(isinstance(item, Mapping) for item in items):
        yield from _table(items, columns)
    else:
        yield from (f"- {_shown(item)}" for item in items)
    yield f"{len(items)} in all" if items else "none"


def _table(items: Sequence[Mapping[str, Any]], columns: int) -> Iterator[str]:
    """A line for each record; where they do not fit, a line for each member."""
    names = list(dict.fromkeys(name for item in items for name in item))
    rows = [[_shown(item[name]) if name in item else "" for name in names] for item in items]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    if sum(widths) + 2 * len(widths) - 2 <= columns and not any("\n" in cell for row in rows for cell in row):
        for row in (names, *rows):
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        return
    for item in items:
        yield from _members(item)
        yield ""


def _members(record: Mapping[str, Any]) -> Iterator[str]:
    width = max(map(len, record), default=0)
    for name, value in record.items():
        indented = _shown(value).replace("\n", "\n" + " " * (width + 2))
        yield f"{name:<{width}}  {indented}".rstrip()


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return _printable(json.dumps(value, ensure_ascii=False))


def _printable(text: str) -> str:
    """The text without what a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


# ---------------------------------------------------------------------------- tools


def shown_tools(tools: Mapping[str, Function]) -> str:
    """A line for each tool: its name, and the first sentence about it."""
    width = max(map(len, tools), default=0)
    lines = (f"  {name:<{width}}  {_first_sentence(tool)}".rstrip() for name, tool in tools.items())
    return "\n".join(lines)


def _first_sentence(tool: Function) -> str:
    first, *_ = re.split(r"\.\s", tool.get("description", ""), maxsplit=1)
    return first.removesuffix(".")


def shown_tool(tool: Function) -> str:
    """A tool's name, what it does, and its arguments."""
    parameters = tool["parameters"]
    rows = [
        (name, _kind(schema), _presence(name in parameters["required"], schema), schema.get("description", ""))
        for name, schema in parameters["properties"].items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    about = [f"  {tool['description']}"] if "description" in tool else []
    return "\n".join([tool["name"], *about, *(f"    {line}" for line in lines or ["takes no arguments"])])


def _kind(schema: Schema) -> str:
    kind, _ = kinds(schema)
    if kind == "array":
        return f"list of {_kind(schema['items'])}"
    if "enum" in schema:
        return " | ".join(name for name in schema["enum"] if name is not None)
    return str(schema.get("format") or _IN_WORDS[kind])


def _presence(required: bool, schema: Schema) -> str:
    if required:
        return "required"
    return f"else {_shown(schema['default'])}" if "default" in schema else "optional"
