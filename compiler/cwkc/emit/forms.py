"""What the members of a family have in common: the form, into whose holes each member's values go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import attrs
from attrs import evolve, field, frozen

from coworkdsl.contracts import Contract
from cwkc.emit.literals import Hole
from cwkc.emit.pack import told
from cwkc.meaning import typed
from cwkc.meaning.types import Type

WORLD, GRADING, REQUEST = "world", "grading", "request"
"""The parts of a pack in which holes are."""

Spot = tuple[str, str]
"""A part, and a name in it."""


class OtherForm(Exception):
    """A member differs from the first in more than values; the message names what is different."""


@frozen(eq=False)
class Form:
    """The first member, and the values that stand in its places. `varying` grows with each member that is compared."""

    first: typed.Task
    spots: tuple[Spot, ...]
    values: tuple[Any, ...]
    shape: tuple[Any, ...] = field(repr=False)
    varying: set[int] = field(factory=set)

    @classmethod
    def of(cls, task: typed.Task) -> Form:
        named, shape = _read(task)
        return cls(task, tuple(spot for spot, _ in named), tuple(value for _, value in named), shape)

    def differences(self, task: typed.Task) -> dict[Spot, Any]:
        """The values in which a member differs from the first. Raises OtherForm."""
        named, shape = _read(task)
        if shape != self.shape or _frame(task) != _frame(self.first):
            raise OtherForm(_difference(self.first, task))
        found = {}
        for index, (mine, (spot, value)) in enumerate(zip(self.values, named, strict=True)):
            if type(mine) is not type(value) or mine != value:
                self.varying.add(index)
                found[spot] = value
        return found

    def holed(self) -> typed.Task:
        """The first member, with a hole wherever some member differs from it."""
        holes = iter(
            Hole(spot[1], value) if index in self.varying else value
            for index, (spot, value) in enumerate(zip(self.spots, self.values, strict=True))
        )
        return _refilled(self.first, holes)

    def holes(self) -> dict[Spot, Any]:
        """The values of the first member where some member differs from it."""
        return {self.spots[index]: self.values[index] for index in sorted(self.varying)}


_HELD = frozenset(
    {"name", "now", "request", "rows", "truths", "given", "deliverables", "checks", "requirements", "forbids", "reward"}
    | {"distractors", "policies"}
)
"""The parts of a task that the form holds, or that only the proof has: all others are the same in every member."""


def _frame(task: typed.Task) -> tuple[Any, ...]:
    """What must be the same in every member, beside the shape of the grading."""
    rows = [(row.store, row.id) for row in task.rows]
    return rows, [getattr(task, name) for name in _fields(typed.Task) if name not in _HELD]


def _difference(first: typed.Task, other: typed.Task) -> str:
    """What to name: a truth that is null in one of them alone, or the records, or else the rules."""
    for name, truth in first.truths.items():
        if (truth.value is None) != (other.truths[name].value is None):
            return f"whether `{name}` is null"
    if [row.id for row in first.rows] != [row.id for row in other.rows]:
        return "which records there are"
    return "the head or the budget" if _read(first)[1] == _read(other)[1] else "what a rule says"


# ---------------------------------------------------------------------------- reading and filling, in one order


def _read(task: typed.Task) -> tuple[list[tuple[Spot, Any]], tuple[Any, ...]]:
    """Every value that may be another one in another member, in the order in which `_refilled` takes them; and all
    else that the grader is made of."""
    values: list[Any] = []
    shape: list[Any] = []
    named: list[tuple[Spot, Any]] = [((WORLD, "now"), task.now), ((REQUEST, "request"), told(task))]
    for row in task.rows:
        named += [((WORLD, f"{row.store}/{row.id}/{name}"), value) for name, value in row.fields.items()]
    for truth in task.truths.values():
        shape.append((truth.name, truth.expr.type, truth.value is None, _has_null(truth.value)))
        named.append(((GRADING, truth.name), truth.value))
    for part in _graded(task):
        _flatten(part, shape, values)
    named += [((GRADING, f"constant {number}"), value) for number, value in enumerate(values, 1)]
    return named, tuple(shape)


def _graded(task: typed.Task) -> tuple[Any, ...]:
    contracts = tuple(each.contract for each in task.deliverables.values())
    return contracts, task.checks, task.requirements, task.forbids, task.reward


def _has_null(value: Any) -> bool:
    return isinstance(value, tuple) and None in value


def _refilled(task: typed.Task, values: Iterator[Any]) -> typed.Task:
    now = next(values)
    request = next(values)
    rows = tuple(evolve(row, fields={name: next(values) for name in row.fields}) for row in task.rows)
    truths = {name: evolve(truth, value=next(values)) for name, truth in task.truths.items()}
    contracts, checks, requirements, forbids, reward = _filled(_graded(task), values)
    named = zip(task.deliverables.items(), contracts, strict=True)
    return evolve(
        task,
        now=now,
        request=request,
        rows=rows,
        truths=truths,
        deliverables={name: evolve(each, contract=contract) for (name, each), contract in named},
        checks=checks,
        requirements=requirements,
        forbids=forbids,
        reward=reward,
    )


def _fields(kind: type) -> tuple[str, ...]:
    """The attributes that a node is made of; places in the source are none."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in attrs.fields(kind) if each.eq)
    return _FIELDS[kind]


_FIELDS: dict[type, tuple[str, ...]] = {}


def _flatten(node: Any, shape: list[Any], values: list[Any]) -> None:
    """The shape of a node, and the values in it."""
    match node:
        case typed.Constant():
            shape.append((node.type, node.value is None))
            values.append(node.value)
        case Contract():
            shape.append((node.format, node.columns, node.key))
            values.append(node.rows)
        case typed.Delivered():
            shape.append((node.type, node.name))
            _flatten(node.subject, shape, values)
        case tuple():
            shape.append(len(node))
            for item in node:
                _flatten(item, shape, values)
        case _ if attrs.has(type(node)) and not isinstance(node, Type):
            shape.append(type(node))
            for name in _fields(type(node)):
                _flatten(getattr(node, name), shape, values)
        case _:
            shape.append(node)


def _filled(node: Any, values: Iterator[Any]) -> Any:
    """The node with other values, in the order in which `_flatten` reads them."""
    match node:
        case typed.Constant():
            return evolve(node, value=next(values))
        case Contract():
            return replace(node, rows=next(values))
        case typed.Delivered():
            return evolve(node, subject=_filled(node.subject, values))
        case tuple():
            return tuple(_filled(item, values) for item in node)
        case _ if attrs.has(type(node)) and not isinstance(node, Type):
            return evolve(node, **{name: _filled(getattr(node, name), values) for name in _fields(type(node))})
    return node
