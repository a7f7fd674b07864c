"""What an agent that knows so much may call a tool with.

Ids, addresses and texts it must know. Words of a closed list, truth values, whole numbers and days near the clock it
may try. Where a tool looks for texts, those are tried that would find a record which was not shown yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any

from coworkdsl.world import Base
from cwkc.flow.knowledge import Knowledge
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
from cwkc.meaning.walk import expressions, statements, walk

NEAR = timedelta(days=60)
"""How far from the clock a day may be for an agent to try it without having read it."""
GUESSES = (0, 1, 2, 3, 5, 10, 100)
MANY = 1_000_000
LENGTHS = (timedelta(days=1), timedelta(days=30), timedelta(days=365))


class Arguments:
    """Arguments for the tools of a task, out of the records that there are."""

    def __init__(self, task: typed.Task, knowledge: Knowledge, base: Base) -> None:
        self._task = task
        self._knowledge = knowledge
        self._stores = {name: record.stores for name, record in task.records.items()}
        self._rows: dict[str, list[typed.RowDef]] = {}
        for name, store in task.stores.items():
            rows = [typed.RowDef(name, id, row, {}, span=store.span) for id, row in base.view().rows(name)]
            self._rows.setdefault(store.record, []).extend(rows)

    def of(self, tool: typed.ToolDef, hidden: frozenset[str] | None) -> Iterator[Mapping[str, Any]]:
        """Ways to call a tool, the likely ones first. `hidden`: the ids of the records that it may yet show."""
        parameters = tuple(tool.parameters.values())
        wanted = [each for each in parameters if each.required]
        optional = [each for each in parameters if not each.required]
        plain = {each.name: each.default for each in parameters}
        broad = {each.name: MANY for each in optional if required(each.type) == INT}
        choices = [tuple(self._values(tool, each.name, each.type, hidden)) for each in wanted]
        for values in _combined(choices):
            arguments = plain | dict(zip((each.name for each in wanted), values, strict=True))
            yield arguments
            if broad:
                yield arguments | broad
        for values in _combined(choices):
            arguments = plain | dict(zip((each.name for each in wanted), values, strict=True))
            for each in optional:
                for value in self._values(tool, each.name, each.type, hidden):
                    yield arguments | broad | {each.name: value}

    def _values(self, tool: typed.ToolDef, name: str, type: Type, hidden: frozenset[str] | None) -> Iterator[Any]:
        match required(type):
            case Reference(record=record):
                yield from self._ids(record, hidden)
            case ListOf(item=item):
                items = tuple(self._values(tool, name, item, hidden))
                yield items
                yield from ((item,) for item in items)
            case EnumType(values=values):
                yield from values
            case scalar if scalar == TEXT and not tool.reads_only:
                yield from dict.fromkeys(("text", *self._constants(tool)))
            case scalar if scalar == TEXT:
                yield from dict.fromkeys(self._texts(tool, name, hidden))
            case scalar if scalar in (EMAIL, URL):
                yield from self._known(scalar)
            case scalar if scalar == BOOL:
                yield from (True, False)
            case scalar if scalar in (INT, DECIMAL):
                yield from dict.fromkeys((*GUESSES, MANY, *self._numbers(tool, scalar, hidden)))
            case scalar if scalar == DURATION:
                yield from LENGTHS
            case scalar if scalar in (DATE, DATETIME):
                yield from self._times(scalar, tool, hidden)

    # ------------------------------------------------------------------------ what is known

    def _ids(self, record: str, hidden: frozenset[str] | None) -> list[str]:
        """The known ids of a record's kind, those not shown yet first."""
        known = [row.id for row in self._rows.get(record, ()) if self._knowledge.has_handle(row.id)]
        return sorted(known, key=lambda id: id not in (hidden or ()))

    def _known(self, kind: Type) -> Iterator[str]:
        """The known addresses that stand in the records."""
        found = (value for rows in self._rows.values() for row in rows for value in self._fields(row, kind))
        return (value for value in dict.fromkeys(found) if self._knowledge.has_handle(value))

    def _fields(self, row: typed.RowDef, kind: Type, name: str | None = None) -> Iterator[Any]:
        """The values of a type in a record's fields, those in lists one by one."""
        for field in self._task.records[self._task.stores[row.store].record].fields.values():
            core, value = required(field.type), row.fields[field.name]
            if value is None or name not in (None, field.name):
                continue
            if core == kind:
                yield value
            elif isinstance(core, ListOf) and required(core.item) == kind:
                yield from value

    def _sought(self, tool: typed.ToolDef, hidden: frozenset[str] | None) -> Iterator[typed.RowDef]:
        """The records that a tool may yet show: of a tool that shows no records, all."""
        for rows in self._rows.values():
            yield from (row for row in rows if hidden is None or row.id in hidden)

    def _texts(self, tool: typed.ToolDef, name: str, hidden: frozenset[str] | None) -> Iterator[str]:
        """Nothing, which finds everything where a part of a text is looked for; then known texts and words."""
        yield ""
        yield from self._constants(tool)
        for row in self._sought(tool, hidden):
            named = name if name in row.fields else None
            for value in (row.id, *self._fields(row, TEXT, named), *self._fields(row, EMAIL, named)):
                if self._knowledge.has_text(value):
                    yield value
                yield from (word for word in _words(value) if self._knowledge.has_text(word))

    def _constants(self, tool: typed.ToolDef) -> list[str]:
        """The texts that a tool compares with, if they are known."""
        return [text for text in _texts_of(tool) if self._knowledge.has_text(text)]

    def _numbers(self, tool: typed.ToolDef, kind: Type, hidden: frozenset[str] | None) -> Iterator[int | Fraction]:
        for row in self._sought(tool, hidden):
            yield from (value for value in self._fields(row, kind) if self._knowledge.has_number(value))

    def _times(self, kind: Type, tool: typed.ToolDef, hidden: frozenset[str] | None) -> Iterator[date]:
        """The moments of the records that may yet be shown, if they are near the clock or known, and the clock's: the
        first and the last of them first."""
        now = self._task.now
        moments = {
            moment if kind == DATETIME else moment.date(): None
            for row in self._sought(tool, hidden)
            for moment in (*self._fields(row, DATETIME), *map(_midnight(now), self._fields(row, DATE)))
            if abs(moment - now) <= NEAR or self._knowledge.has_date(moment.date())
        }
        moments[now if kind == DATETIME else now.date()] = None
        yield from dict.fromkeys((min(moments), max(moments), *moments))


def _combined(choices: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """One value for each choice, in every way: those that stand early first."""
    if all(choices):
        for steps in range(sum(len(each) - 1 for each in choices) + 1):
            yield from _combined_in(steps, choices)


def _combined_in(steps: int, choices: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Those whose values stand so many steps behind the first ones, all in all."""
    if not choices:
        if not steps:
            yield ()
        return
    first, *others = choices
    for step, value in enumerate(first[: steps + 1]):
        for rest in _combined_in(steps - step, others):
            yield (value, *rest)


def _midnight(now: datetime) -> Any:
    return lambda day: datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w[\w'-]{2,}", text))


def _texts_of(tool: typed.ToolDef) -> Iterable[str]:
    """The texts that stand in a tool's body."""
    for statement in statements(tool.body):
        for expr in expressions(statement):
            for part in walk(expr):
                if isinstance(part, typed.Constant) and isinstance(part.value, str) and required(part.type) == TEXT:
                    yield part.value
