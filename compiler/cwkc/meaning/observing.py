"""What the checker took each expression for, and in which scope: for editors, which ask about a place in a text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import frozen

from cwkc.meaning.names import Names
from cwkc.meaning.typed import Expr
from cwkc.meaning.types import Type
from cwkc.syntax import tree


@frozen(eq=False)
class Seen:
    """One expression as it was checked; `expected` is the type that its place suggests, if any."""

    node: tree.Expression
    names: Names
    expected: Type | None
    expr: Expr


_WATCHED: ContextVar[list[Seen] | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[list[Seen]]:
    """The list to which every expression that is checked meanwhile is added, those within it before it."""
    seen: list[Seen] = []
    token = _WATCHED.set(seen)
    try:
        yield seen
    finally:
        _WATCHED.reset(token)


def noted(node: tree.Expression, names: Names, expected: Type | None, expr: Expr) -> Expr:
    """The typed expression itself, once whoever watches has it."""
    seen = _WATCHED.get()
    if seen is not None:
        seen.append(Seen(node, names, expected, expr))
    return expr
