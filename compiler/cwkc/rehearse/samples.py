"""Values and calls made up from a task's data: what an agent could send that knows nothing of the task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from coworkdsl.values import to_wire
from cwkc.emit.pack import told
from cwkc.meaning import typed
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    EMAIL,
    INT,
    TEXT,
    URL,
    EnumType,
    ListOf,
    Reference,
    Type,
    required,
)
from cwkc.prove.run import CallStep

CONTENTLESS = "Hello, this is a preliminary reply; details will follow. Kind regards"
"""Words that answer nothing."""

MOST_FIELDS = 20
"""Of so many fields any text will do."""

STRANGER = "somebody.else@elsewhere.test"
"""An address that no data hold."""


class Samples:
    """Values on the wire for each type, out of a task's data."""

    def __init__(self, task: typed.Task) -> None:
        self._task = task
        self.addresses = tuple(_addresses(task))
        self.days = tuple(_days(task))

    def ids(self, record: str) -> tuple[str, ...]:
        """The ids of a record's initial rows."""
        stores = self._task.records[record].stores
        return tuple(row.id for row in self._task.rows if row.store in stores)

    def values(self, type: Type, place: int = 0) -> Sequence[Any]:
        """Values of a type, on the wire; times of a later `place` are later. None of a record without rows."""
        kind = required(type)
        if isinstance(kind, ListOf):
            return [[each] for each in self.values(kind.item, place)] or [[]]
        if isinstance(kind, EnumType):
            return kind.values
        if isinstance(kind, Reference):
            return self.ids(kind.record)
        if kind == EMAIL:
            return (*self.addresses, STRANGER)
        later = self._task.now + timedelta(hours=1 + place)
        fixed: dict[Type, Sequence[Any]] = {
            TEXT: (CONTENTLESS,),
            INT: (1,),
            DECIMAL: (1,),
            BOOL: (True, False),
            DATE: (to_wire(later.date()),),
            DATETIME: (to_wire(later),),
            DURATION: (to_wire(timedelta(hours=1)),),
            URL: ("https://elsewhere.test/",),
        }
        return fixed[kind]

    def texts(self, name: str) -> Iterator[str]:
        """The texts in the fields of a name, then those in any field."""
        fields = (value for row in self._task.rows for value in row.fields.values())
        for value in (*(row.fields.get(name) for row in self._task.rows), *islice(fields, MOST_FIELDS)):
            if value and isinstance(value, str):
                yield value

    def everything(self, type: ListOf) -> list[Any]:
        """A list with all that the data hold of its items."""
        if type.item == EMAIL:
            return list(self.addresses)
        return list(self.ids(type.item.record)) if isinstance(type.item, Reference) else []

    def call(self, tool: typed.ToolDef, /, **chosen: Any) -> CallStep | None:
        """A call with the chosen arguments, and for what else is required the first value that there is."""
        arguments: dict[str, Any] = {}
        for place, (name, parameter) in enumerate(tool.parameters.items()):
            if name in chosen:
                arguments[name] = chosen[name]
            elif parameter.required:
                values = self.values(parameter.type, place)
                if not values:
                    return None
                arguments[name] = values[0]
        return CallStep(tool.wire_name, arguments)


def _days(task: typed.Task) -> list[str]:
    """Every day that the data speak of, on the wire."""
    moments = (value for row in task.rows for value in row.fields.values() if isinstance(value, date))
    days = {each.date() if isinstance(each, datetime) else each for each in moments}
    return [to_wire(day) for day in sorted(days)]


def _addresses(task: typed.Task) -> Iterator[str]:
    """Every address that stands in what the agent is told or in the data, texts included, once."""
    texts = [told(task)]
    for row in task.rows:
        for value in row.fields.values():
            texts += value if isinstance(value, tuple) else (value,)
    seen: set[str] = set()
    for address in (found for text in texts if isinstance(text, str) for found in _ADDRESS.findall(text)):
        if address.casefold() not in seen:
            seen.add(address.casefold())
            yield address


_ADDRESS = re.compile(r"[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)+")
