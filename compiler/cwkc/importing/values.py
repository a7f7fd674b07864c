"""Values of documents as literals of a type."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

from coworkdsl.values import WireError, from_wire
from cwkc.importing.documents import Node
from cwkc.importing.wording import quoted, record_id
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    EMAIL,
    INT,
    TEXT,
    URL,
    EnumType,
    ListOf,
    Optional,
    Reference,
    Type,
    required,
)

MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?")

Known = Mapping[str, Collection[str]]
"""The ids that there are, by record."""


def literal(node: Node, type: Type, known: Known | None = None) -> str | None:
    """How a value is written where a type is expected; None when it is no such value."""
    if node.is_scalar and node.scalar is None:
        return "null" if isinstance(type, Optional) else None
    core = required(type)
    if node.is_scalar and not node.written and isinstance(type, Optional) and core != TEXT:
        return "null"  # an empty text stands where there is no such value
    if isinstance(core, ListOf):
        items = [literal(each, core.item, known) for each in node.items or ()]
        whole = node.items is not None and None not in items
        return f"[{', '.join(each or '' for each in items)}]" if whole else None
    if core == TEXT:
        return quoted(node.text if node.is_scalar else json.dumps(node.plain(), ensure_ascii=False))
    return _scalar(node, core, known or {}) if node.is_scalar else None


def _scalar(node: Node, type: Type, known: Known) -> str | None:
    if isinstance(type, EnumType):
        return _enum_value(node.text, type)
    if isinstance(type, Reference):
        return record_id(node.text) if node.text in known.get(type.record, ()) else None
    if type in (EMAIL, URL):
        return quoted(node.text) if is_wire(str(type), node.text) else None
    if type == BOOL:
        return str(node.scalar).lower() if isinstance(node.scalar, bool) else None
    if type in (INT, DECIMAL):
        return _number(node, type)
    if type == DATE:
        day = moment(node.text)
        return None if day is None else day.date().isoformat()
    if type == DATETIME:
        time = moment(node.text)
        return None if time is None else written_moment(time)
    return None


def _enum_value(text: str, enum: EnumType) -> str | None:
    """The value, whatever its case and whatever stands between its words."""
    value = re.sub(r"[\s-]+", "_", text.strip().lower())
    return next((each for each in (text, value) if each in enum.values), None)


def _number(node: Node, type: Type) -> str | None:
    number = node.scalar
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        return None
    if type == INT and number != int(number):
        return None
    return format(Decimal(int(number)) if type == INT else Decimal(number), "f")


def is_wire(type: str, text: str) -> bool:
    """Whether a text is a value of a scalar type."""
    try:
        from_wire(type, text)
    except WireError:
        return False
    return True


def written_moment(time: datetime) -> str:
    """How a time is written: to the second, with its zone."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def is_day(text: str) -> bool:
    """Whether a text is a date without a time."""
    found = MOMENT.fullmatch(text)
    return found is not None and found[2] is None and moment(text) is not None


def moment(text: str) -> datetime | None:
    """A date or a time as a time of its zone, to the second; one without a zone is taken to be in UTC."""
    found = MOMENT.fullmatch(text.strip())
    if found is None or found[1] >= "9999":  # what stands for "never" is no moment
        return None
    try:
        if found[2] is None:
            return datetime.combine(date.fromisoformat(found[1]), datetime.min.time(), UTC)
        zone = (found[4] or "Z").replace("Z", "+00:00")
        return datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3] or ':00'}{zone}")
    except (ValueError, OverflowError):
        return None
