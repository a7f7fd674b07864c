"""Contracts in words: what the agent is told of what it is to deliver."""

from __future__ import annotations

from collections.abc import Iterator

from cwkc.meaning import typed
from cwkc.meaning.types import EnumType, Type, required

_IN_WORDS = {
    "text": "a text",
    "int": "a whole number",
    "decimal": "a number",
    "bool": "true or false",
    "date": "a date written YYYY-MM-DD",
    "datetime": "a time written YYYY-MM-DDThh:mm:ssZ",
    "duration": "a duration in ISO 8601",
    "email": "an email address",
    "url": "a URL",
}


def contract_words(deliverable: typed.DeliverDef) -> str:
    """What the agent is told of a contract: path, format, fields with their types, and the shape of it."""
    shape = _shape(deliverable)
    fields = "\n".join(f"- {line}" for line in _field_lines(deliverable))
    looks = "It looks like this, with values in place of <…>:"
    return f"{_opening(deliverable)} The fields are:\n{fields}\n{looks}\n{shape}"


def _opening(deliverable: typed.DeliverDef) -> str:
    rows = deliverable.rows
    what = "Your last message" if deliverable.path is None else f"Write the file {deliverable.path}"
    each = f"for each `{rows.name}` that is asked for, and for no other" if rows else ""
    if deliverable.format == "json":
        return f"{what}: JSON, {f'a list with one object {each}' if rows else 'one object'}."
    table = f"a header row with the names of the fields, then one row{f' {each}' if rows else ''}"
    if deliverable.format == "csv":
        return f"{what}: CSV, {table}."
    if deliverable.format == "xlsx":
        workbook = "an .xlsx workbook, its bytes in base64. Its first sheet has"
        return f"{what}: {workbook} {table}. A cell holds the value itself, or a text that says it."
    lines = f"a line {each or 'for each field'}"
    return f"{what} has {lines}." if deliverable.path is None else f"{what}: plain text, {lines}."


def _field_lines(deliverable: typed.DeliverDef) -> Iterator[str]:
    if deliverable.rows is not None:
        yield f"`{deliverable.rows.name}`: {_type_words(deliverable.rows.key.type)}, by which each is told apart"
    for field in deliverable.fields:
        yield f"`{field.name}`: {_type_words(field.type)}" + (f" ({field.doc})" if field.doc else "")


def _type_words(kind: Type) -> str:
    core = required(kind)
    return "one of " + ", ".join(core.values) if isinstance(core, EnumType) else _IN_WORDS[str(core)]


def _shape(deliverable: typed.DeliverDef) -> str:
    names = [*([deliverable.rows.name] if deliverable.rows else []), *(field.name for field in deliverable.fields)]
    is_many = deliverable.rows is not None
    if deliverable.format == "json":
        shape = "{" + ", ".join(f'"{name}": <{name}>' for name in names) + "}"
        return f"[{shape}, …]" if is_many else shape
    if deliverable.format in ("csv", "xlsx"):
        return ",".join(names) + "\n" + ",".join(f"<{name}>" for name in names)
    return ("; " if is_many else "\n").join(f"{name}: <{name}>" for name in names)
