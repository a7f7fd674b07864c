"""What a place expects: the record whose fields stand there, and the type of a value."""

from __future__ import annotations

from cwkc.editor.names_at import tool_named, type_of
from cwkc.editor.place import Place
from cwkc.meaning import typed
from cwkc.meaning.names import Names
from cwkc.meaning.types import ListOf, Reference, Type, required

COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})


def call_around(place: Place, names: Names) -> typed.ToolDef | None:
    """The tool within whose brackets the place lies."""
    opening = place.opening()
    if opening < 4 or place.type(opening) != "LPAR" or place.type(opening - 4) not in ("CALLED", "TRIED"):
        return None
    return tool_named(place, opening - 3, names)


def record_around(place: Place, names: Names) -> str | None:
    """The record whose fields stand in the innermost braces: those of a row, an `insert` or a `set`."""
    opening = place.opening()
    if opening < 2 or place.type(opening) != "LBRACE":
        return None
    first = place.chain_start(opening - 1)
    if place.type(first - 1) == "SET":
        core = required(type_of(place.written(first, opening - 1), names))
        return core.record if isinstance(core, Reference) else None
    if place.type(opening - 1) == "REF":
        rows = place.opening(opening - 1)
        return _record_of_store(place, place.chain_start(rows - 1), names) if is_rows(place, rows) else None
    head = next((index for index in range(opening - 1, -1, -1) if place.type(index) in ("INSERT", "LBRACE")), -1)
    return _record_of_store(place, head + 1, names) if place.type(head) == "INSERT" else None


def is_rows(place: Place, opening: int) -> bool:
    """Whether a brace is that of initial records."""
    return opening > 0 and place.type(place.chain_start(opening - 1) - 1) in ("DATA", "INSERT")


def _record_of_store(place: Place, index: int, names: Names) -> str | None:
    head = str(place.tokens[index])
    if place.type(index + 1) == "DOT" and head in names.services:
        store = names.stores.get(f"{names.services[head].name}.{place.tokens[index + 2]}")
    else:
        store = names.stores.get(f"{names.store_home}.{head}")
    return store.record if store else None


def expected_type(place: Place, names: Names) -> Type | None:
    """The type of the value that would stand there, as far as the words before it tell."""
    if place.type(-1) == "LSQB" and place.type(-2) == "IN":
        return _type_before(place, len(place.tokens) - 3, names)
    if place.type(-1) == "COMMA" and place.type(place.opening()) == "LSQB":
        opening = place.opening()
        return _type_before(place, opening - 2, names) if place.type(opening - 1) == "IN" else None
    if place.tokens and place.tokens[-1] in COMPARING:
        return _type_compared(place, names)
    return _type_of_key(place, len(place.tokens) - 1, names)


def _type_compared(place: Place, names: Names) -> Type | None:
    if place.type(-2) == "COLON":
        return _type_of_key(place, len(place.tokens) - 2, names)
    return _type_before(place, len(place.tokens) - 2, names)


def _type_before(place: Place, end: int, names: Names) -> Type | None:
    return type_of(place.written(place.chain_start(end), end), names) if end >= 0 else None


def _type_of_key(place: Place, colon: int, names: Names) -> Type | None:
    """Of `key:`, a field or an argument."""
    if colon < 1 or place.type(colon) != "COLON":
        return None
    key = str(place.tokens[colon - 1])
    tool = call_around(place, names)
    if tool is not None:
        return tool.parameters[key].type if key in tool.parameters else None
    record = record_around(place, names)
    field = names.fields(record).get(key) if record else None
    return field.type if field else None


def values_of(kind: Type | None) -> tuple[str, tuple[str, ...]]:
    """Of an enum or a list of one: its name and its values; else nothing."""
    core = required(kind) if kind else None
    core = required(core.item) if isinstance(core, ListOf) else core
    return (getattr(core, "name", ""), getattr(core, "values", ()))
