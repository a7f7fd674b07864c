"""The members of families: tasks that share one grader and one world with holes, which a row of values fills.

    families/NAME/family.json     the parameters, and the values of the first member
    families/NAME/task.json       as of a task; its request may be a hole
    families/NAME/world.json      as of a task; a field, or the clock, may be a hole
    families/NAME/grader.py       as of a task; it reads `HOLES`, values by name
    families/NAME/proof.json      as of a task; the witness is the first member's
    families/NAME/members.jsonl   a row for each member: its id, its parameters, and where it differs from the first

A hole is `{"$hole": NAME}`. A row is read when its member is first used; of all the others only the place is known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any, TypeVar

from coworkdsl.files import Files, PackError
from coworkdsl.layout import Layout, read_now, read_rows
from coworkdsl.score import Grader, grader_of
from coworkdsl.script import NO_SCRIPT, Script, script_of
from coworkdsl.tagged import from_tagged
from coworkdsl.task import Services, Task
from coworkdsl.world import Base

HOLE = "$hole"
KEPT = 64
"""So many members of a family are kept ready at a time."""


_Read = TypeVar("_Read")


def is_hole(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {HOLE}


class Family:
    """`id`, `title` and `count`, the number of members, are known at once; the rest is read when first used and may
    raise PackError."""

    def __init__(self, files: Files, services: Services, id: str, title: str, count: int) -> None:
        self.id = id
        self.title = title
        self.count = count
        self._files = files
        self._services = services
        self.member = lru_cache(maxsize=KEPT)(self._member)

    def path(self, name: str) -> str:
        return f"families/{self.id}/{name}"

    def __iter__(self) -> Iterator[str]:
        """The ids of the members, in their order. Raises PackError."""
        return iter(self._places)

    def __contains__(self, id: object) -> bool:
        return id in self._places

    def _member(self, id: str) -> Member:
        """Raises KeyError and PackError."""
        return Member(self._files, self._services, self, id, self._places[id])

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Where the row of each member begins, by the member's id."""
        path = self.path("members.jsonl")
        places = {_row(path, line)["id"]: offset for offset, line in self._files.lines(path)}
        if len(places) != self.count:
            raise PackError(f"{path}: has {len(places)} members, and the index of the pack says {self.count}")
        return places

    def row(self, offset: int) -> Mapping[str, Any]:
        """The row that begins there. Raises PackError."""
        path = self.path("members.jsonl")
        return _row(path, self._files.line(path, offset))

    @cached_property
    def document(self) -> Mapping[str, Any]:
        fields = {"parameters": list, "size": int, "first": dict}
        return self._files.document(self.path("family.json"), fields)

    @cached_property
    def first(self) -> Mapping[str, Any]:
        """The values of the first member: what a row does not say."""
        first: Mapping[str, Any] = self.document["first"]
        return first

    @cached_property
    def task(self) -> Mapping[str, Any]:
        fields = {"request": object, "tools": list, "limits": dict, "services": list}
        return self._files.document(self.path("task.json"), fields)

    @cached_property
    def world(self) -> Mapping[str, Any]:
        return self._files.document(
            self.path("world.json"), {"now": object, "records": dict, "stores": dict, "rows": dict}
        )

    @cached_property
    def layout(self) -> Layout:
        """The record types and stores, shared by all members."""
        try:
            return Layout.from_json(self.world)
        except ValueError as error:
            raise PackError(f"{self.path('world.json')}: {error}") from error

    @cached_property
    def grader(self) -> CodeType:
        return self._files.code(self.path("grader.py"))

    @cached_property
    def proof(self) -> Mapping[str, Any]:
        fields = {"theorems": list, "witness": object, "allowed": list}
        return self._files.document(self.path("proof.json"), fields)


def _row(path: str, line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PackError(f"{path}: a row is not JSON: {error}") from error
    if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not isinstance(row.get("parameters"), dict):
        raise PackError(f"{path}: a row is an object with `id` and `parameters`")
    return row


class Member(Task):
    """One member of a family: a task like any other."""

    def __init__(self, files: Files, services: Services, family: Family, id: str, offset: int) -> None:
        super().__init__(files, services, id, family.title)
        self._family = family
        self._offset = offset

    def _path(self, name: str) -> str:
        return self._family.path(name)

    @cached_property
    def row(self) -> Mapping[str, Any]:
        return self._family.row(self._offset)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The value of each parameter, as JSON."""
        parameters: Mapping[str, Any] = self.row["parameters"]
        return parameters

    def _values(self, part: str) -> dict[str, Any]:
        """The values of the holes of a part, by name."""
        return {**self._family.first.get(part, {}), **self.row.get(part, {})}

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        shared = self._family.task
        request = shared["request"]
        if is_hole(request):
            request = self.row.get("request", self._family.first.get("request"))
        if not isinstance(request, str):
            raise PackError(f"{self._path('members.jsonl')}: `{self.id}` has no request")
        return {**shared, "id": self.id, "request": request}

    @cached_property
    def base(self) -> Base:
        """The initial state, shared by all runs."""
        world, values = self._family.world, self._values("world")
        try:
            rows = {store: _filled_rows(rows, values) for store, rows in world["rows"].items()}
            read = {store: read_rows(self._family.layout, store, each) for store, each in rows.items()}
            return Base(self._family.layout, read, read_now({"now": _filled(world["now"], values)}))
        except KeyError as error:
            raise PackError(f"{self._path('members.jsonl')}: `{self.id}` has no value for the hole {error}") from error
        except ValueError as error:
            raise PackError(f"{self._path('members.jsonl')}: `{self.id}`: {error}") from error

    @cached_property
    def grader(self) -> Grader:
        return self._loaded(self._path("grader.py"), self._family.grader, grader_of)

    @cached_property
    def script(self) -> Script:
        """The user and the events."""
        path = self._path("user.py")
        if not self._files.has(path):
            return NO_SCRIPT
        return self._loaded(path, self._files.code(path), script_of)

    def _loaded(self, path: str, code: CodeType, read: Callable[[Mapping[str, Any]], _Read]) -> _Read:
        """What an emitted module defines with the values of this member. Raises PackError."""
        try:
            holes = {name: from_tagged(value) for name, value in self._values("grading").items()}
            return read(self._files.run(path, code, {"HOLES": holes}))
        except KeyError as error:
            raise PackError(f"{path}: has no {error}") from error
        except ValueError as error:
            raise PackError(f"{self._path('members.jsonl')}: `{self.id}`: {error}") from error

    @cached_property
    def proof(self) -> Mapping[str, Any]:
        """The theorems of the family with their evidence, and the witness of this member."""
        shared = self._family.proof
        return {**shared, "witness": self.row.get("witness", shared["witness"])}


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    return values[value[HOLE]] if is_hole(value) else value


def _filled_rows(rows: Any, values: Mapping[str, Any]) -> Any:
    """The records of a store with their holes filled; what is no object of objects is left to whoever reads it."""
    if not isinstance(rows, dict):
        return rows
    return {
        id: {name: _filled(value, values) for name, value in row.items()} if isinstance(row, dict) else row
        for id, row in rows.items()
    }
