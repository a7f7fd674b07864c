"""Symbols that may be the same texts, made one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

S = TypeVar("S", bound=Hashable)


def blocks(bodies: Mapping[S, tuple[tuple[Any, ...], ...]]) -> dict[S, int]:
    """The coarsest division of the symbols in which those of one block have the same bodies, block for block."""
    found = dict.fromkeys(bodies, 0)
    count = 1
    while True:
        numbers: dict[Hashable, int] = {}
        following = {}
        for symbol, written in bodies.items():
            shape = frozenset(tuple(found.get(part, part) for part in body) for body in written)
            following[symbol] = numbers.setdefault((found[symbol], shape), len(numbers))
        if len(numbers) == count:
            return found
        found, count = following, len(numbers)
