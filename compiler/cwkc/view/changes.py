"""A write as a sentence."""

from __future__ import annotations

from coworkdsl.world import Record, Write
from cwkc.view.words import shown

_VERBS = {"insert": "new in", "set": "changed in", "delete": "deleted from"}


def change(write: Write) -> str:
    """`TK-301 changed in helpdesk.tickets: priority low → critical`"""
    named = ", ".join(_field(write, field) for field in write.fields)
    return f"{write.id} {_VERBS[write.kind]} {write.store}" + (f": {named}" if named else "")


def _field(write: Write, field: str) -> str:
    after = _value(write.after, field)
    return f"{field} {_value(write.before, field)} → {after}" if write.kind == "set" else f"{field} {after}"


def _value(record: Record | None, field: str) -> str:
    return shown(None if record is None else record.get(field))
