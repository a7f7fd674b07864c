"""A tree of attrs values as indented text, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction
from typing import Any

import attrs


def dump(node: Any) -> str:
    """One line for each node, its children below it, two columns further in; spans are left out."""
    return "\n".join(_lines(node, "", "")) + "\n"


def _lines(value: Any, indentation: str, label: str) -> Iterator[str]:
    head = f"{indentation}{label}"
    inner = indentation + "  "
    if attrs.has(type(value)):
        shown = [(each.name, getattr(value, each.name)) for each in attrs.fields(type(value)) if each.repr]
        yield head + " ".join([type(value).__name__, *(f"{n}={_leaf(v)}" for n, v in shown if _is_leaf(v))])
        for name, child in shown:
            if not _is_leaf(child):
                yield from _lines(child, inner, f"{name}: ")
    elif isinstance(value, dict):
        yield f"{head}{len(value)} entries"
        for key, child in value.items():
            yield from _lines(child, inner, f"{_leaf(key)}: ")
    elif isinstance(value, tuple | list | frozenset | set):
        yield f"{head}{len(value)} of them"
        for child in value:
            yield from _lines(child, inner, "- ")
    else:
        yield head + _leaf(value)


def _is_leaf(value: Any) -> bool:
    return value == () or not (attrs.has(type(value)) or isinstance(value, dict | tuple | list | frozenset | set))


def _leaf(value: Any) -> str:
    match value:
        case Enum():
            return value.name
        case date():
            return value.isoformat()
        case Fraction() | timedelta():
            return str(value)
    return repr(value)
