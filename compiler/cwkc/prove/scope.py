"""Where an expression is read, and which way it counts."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from cwkc.prove.pool import Call
from cwkc.prove.values import Value
from cwkc.prove.world import FINAL, Element, Moment

ARGUMENT = "argument "
"""Begins the names of a call's arguments, so that no binder can have them."""

EITHER, POSITIVE, NEGATIVE = 0, 1, -1
"""Which way a condition counts: whether the run must bear out that it holds, that it does not, or either."""


@frozen
class Scope:
    """When an expression is read, what names stand for, and how deep the chain of reasons for its calls is."""

    moment: Moment = FINAL
    names: Mapping[str, Value] = field(factory=dict)
    depth: int = 0
    alive: frozenset[str] = frozenset()
    """The codes of records that are there at the end."""
    until: Call | None = None
    """The event before which calls count."""

    def bind(self, name: str, element: Element) -> Scope:
        alive = self.alive if element.alive is None else self.alive | {element.alive}
        names = {**self.names, name: element.value}
        return evolve(self, names=names, depth=max(self.depth, element.depth), alive=alive)

    @property
    def key(self) -> tuple[object, ...]:
        return (self.until, *self.names.items())
