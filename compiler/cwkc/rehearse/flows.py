"""Where the arguments of a tool go: into which fields it writes them, and which record they choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.walk import walk

Place = tuple[str, ...]
"""What of a run can be read: `("field", record, name)`, `("record", record)` for its being there, `("argument", tool,
parameter)`, `("answer",)` and `("said",)`."""


@frozen
class Flow:
    """`written`: the fields that a parameter's value goes into. `chosen`: the places whose change it chooses, because
    it names the record that is written."""

    written: frozenset[Place] = frozenset()
    chosen: frozenset[Place] = frozenset()

    def __or__(self, other: Flow) -> Flow:
        return Flow(self.written | other.written, self.chosen | other.chosen)


def flows(tool: typed.ToolDef, stores: Mapping[str, typed.StoreDef]) -> dict[str, Flow]:
    """The flow of each of a tool's parameters."""
    found = {name: Flow() for name in tool.parameters}
    origins = {name: frozenset((name,)) for name in tool.parameters}
    _follow(tool.body, stores, origins, found)
    return found


def _follow(
    body: Iterable[typed.Stmt],
    stores: Mapping[str, typed.StoreDef],
    origins: dict[str, frozenset[str]],
    found: dict[str, Flow],
) -> None:
    """Adds the flows of a body; `origins` are the parameters that each name stands on."""

    def add(expr: typed.Expr, flow: Flow) -> None:
        for name in _origins(expr, origins):
            found[name] |= flow

    for statement in body:
        match statement:
            case typed.Let(name=name, value=value):
                origins[name] = _origins(value, origins)
            case typed.Insert(store=store, id=id, assignments=assignments):
                record = stores[store].record
                for assignment in assignments:
                    add(assignment.value, Flow(written=frozenset((("field", record, assignment.field),))))
                if id is not None:
                    add(id, Flow(chosen=_places(record, assignments) | {("record", record)}))
            case typed.Set(target=target, record=record, assignments=assignments):
                for assignment in assignments:
                    add(assignment.value, Flow(written=frozenset((("field", record, assignment.field),))))
                add(target, Flow(chosen=_places(record, assignments)))
            case typed.Delete(target=target, record=record):
                add(target, Flow(chosen=frozenset((("record", record),))))
            case typed.If(then=then, otherwise=otherwise):
                _follow(then, stores, origins, found)
                _follow(otherwise, stores, origins, found)


def _origins(expr: typed.Expr, origins: Mapping[str, frozenset[str]]) -> frozenset[str]:
    names = (part.name for part in walk(expr) if isinstance(part, typed.Variable))
    return frozenset().union(*(origins.get(name, frozenset()) for name in names))


def _places(record: str, assignments: Iterable[typed.Assignment]) -> frozenset[Place]:
    return frozenset(("field", record, assignment.field) for assignment in assignments)
