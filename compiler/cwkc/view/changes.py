"""A write as a sentence."""

from __future__ import annotations

from coworkdsl.world import Write
from cwkc.view.words import shown

_VERBS = {"insert": "new in", "set": "changed in", "delete": "deleted from"}


def change(write: Write) -> str:
    """`TK-301 changed in helpdesk.tickets: priority low → critical`"""
    named = ", ".join(filter(None, (_field(write, field) for field in write.fields)))
    return f"{write.id} {_VERBS[write.kind]} {write.store}" + (f": {named}" if named else "")


def _field(write: Write, field: str) -> str:
    after = shown((write.after or {}).get(field))
    if write.kind != "set":
        return f"{field} {after}"
    before = shown((write.before or {}).get(field))
    return f"{field} {before} → {after}"
