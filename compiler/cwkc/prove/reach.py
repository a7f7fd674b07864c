"""Which tools of a task's offer, and which of its events, can write what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.types import JsonType, NullType, Optional
from cwkc.meaning.walk import statements
from cwkc.prove.effects import Footprint, footprint

Tools = tuple[typed.ToolDef, ...]


@frozen
class Written:
    """`constants`, and `others`: values that are worked out, among them perhaps null (`null`)."""

    constants: tuple[Any, ...]
    others: bool
    null: bool


def _may_be_null(assignment: typed.Assignment) -> bool:
    return not assignment.if_given and isinstance(assignment.value.type, Optional | NullType | JsonType)


class Reach:
    def __init__(self, task: typed.Task) -> None:
        writers = (*task.tools, *(event.as_tool for event in task.events.values()))
        self._footprints = [(tool, footprint(tool)) for tool in writers]
        self._written: dict[tuple[str, str], Written] = {}
        self._found: dict[tuple[str, ...], Tools] = {}
        self._stores = {name: frozenset(record.stores) for name, record in task.records.items()}

    def _with(self, key: tuple[str, ...], test: Callable[[Footprint], bool]) -> Tools:
        if key not in self._found:
            self._found[key] = tuple(tool for tool, found in self._footprints if test(found))
        return self._found[key]

    def inserters(self, store: str) -> Tools:
        return self._with(("inserters", store), lambda found: store in found.inserts)

    def makers(self, record: str) -> Tools:
        """Those that insert into some store of a record."""
        return self._with(("makers", record), lambda found: bool(found.inserts & self._stores[record]))

    def placers(self, record: str) -> Tools:
        """Those that insert at an id of the caller's choice."""
        return self._with(("placers", record), lambda found: bool(found.places & self._stores[record]))

    def setters(self, record: str, field: str) -> Tools:
        return self._with(("setters", record, field), lambda found: (record, field) in found.sets)

    def deleters(self, record: str) -> Tools:
        return self._with(("deleters", record), lambda found: record in found.deletes)

    def written(self, record: str, field: str) -> Written:
        """What the tools may set a field to."""
        key = record, field
        if key not in self._written:
            assigned = [
                assignment
                for tool in self.setters(record, field)
                for statement in statements(tool.body)
                if isinstance(statement, typed.Set) and statement.record == record
                for assignment in statement.assignments
                if assignment.field == field
            ]
            plain = tuple(each.value.value for each in assigned if isinstance(each.value, typed.Constant))
            others = [each for each in assigned if not isinstance(each.value, typed.Constant)]
            self._written[key] = Written(plain, bool(others), any(_may_be_null(each) for each in others))
        return self._written[key]
