"""Type descriptors: how emitted code and a pack's files say what a value may be."""

from __future__ import annotations

from typing import Any

from cwkc.emit.literals import quoted
from cwkc.emit.printer import Document, listed
from cwkc.meaning.types import EnumType, ListOf, Optional, Reference, Scalar, Type


def descriptor(type: Type) -> Any:
    """The descriptor, as JSON. Only what a field or a parameter may have has one."""
    match type:
        case Scalar(name=name):
            return name
        case EnumType(values=values):
            return {"enum": list(values)}
        case Reference(record=record):
            return {"ref": record}
        case ListOf(item=item):
            return {"list": descriptor(item)}
        case Optional(item=item):
            return {"optional": descriptor(item)}
        case _:
            raise TypeError(f"no field or parameter has the type {type}")


def spelled(described: Any) -> Document:
    """A descriptor as Python text."""
    match described:
        case str():
            return quoted(described)
        case list():
            return listed("[", map(spelled, described), "]")
        case _:
            ((form, inner),) = described.items()
            return listed("{", [(f"{quoted(form)}: ", spelled(inner))], "}")
