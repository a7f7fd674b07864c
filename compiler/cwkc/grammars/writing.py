"""Rules as text: alternatives that begin alike are one, with what differs in brackets behind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cwkc.grammars.rules import Bodies, Part

# What several rules end with has a name of its own from this many parts on.
WORTH_A_NAME = 4


class Node(NamedTuple):
    """What may follow at a place of a rule; `is_end` when nothing has to."""

    is_end: bool
    ways: tuple[tuple[Part, Node], ...]


def lines(rules: dict[str, Bodies], written: Callable[[Part], str]) -> Iterator[tuple[str, str]]:
    """The name and the text of each rule, in syntax that all dialects share: `a (b | c)? d`."""
    yield from _Writing({name: _node(bodies) for name, bodies in rules.items()}, written).lines()


def _node(bodies: Iterable[tuple[Part, ...]]) -> Node:
    following: dict[Part, list[tuple[Part, ...]]] = defaultdict(list)
    is_end = False
    for body in bodies:
        if body:
            following[body[0]].append(body[1:])
        else:
            is_end = True
    return Node(is_end, tuple((part, _node(rests)) for part, rests in following.items()))


class _Writing:
    def __init__(self, nodes: dict[str, Node], written: Callable[[Part], str]) -> None:
        self.nodes = nodes
        self.written = written
        self.uses: Counter[Node] = Counter()
        self.names: dict[Node, str] = {}
        self.waiting: list[Node] = []
        self.count = 0
        for name, node in nodes.items():
            self._count(node)
            self.names.setdefault(node, name)

    def lines(self) -> Iterator[tuple[str, str]]:
        for name, node in self.nodes.items():
            yield name, self._ways(node) if self.names[node] == name else self.written(self.names[node])
        while self.waiting:
            node = self.waiting.pop(0)
            yield self.names[node], self._grouped(node)

    def _count(self, node: Node) -> None:
        self.uses[node] += 1
        if self.uses[node] == 1:
            for _, rest in node.ways:
                self._count(rest)

    def _ways(self, node: Node) -> str:
        """The alternatives; those with the same rest share it."""
        firsts: dict[Node, list[str]] = defaultdict(list)
        for part, rest in node.ways:
            firsts[rest].append(self.written(part))
        return " | ".join(self._joined(parts, rest) for rest, parts in firsts.items())

    def _joined(self, parts: list[str], rest: Node) -> str:
        shown = " | ".join(parts)
        if not rest.ways:
            return shown
        return (f"({shown})" if len(parts) > 1 else shown) + self._behind(rest)

    def _behind(self, node: Node) -> str:
        if node not in self.names and self.uses[node] > 1 and _size(node) >= WORTH_A_NAME:
            self.count += 1
            self.names[node] = f"tail_{self.count}"
            self.waiting.append(node)
        return f" {self.written(self.names[node])}" if node in self.names else f" {self._grouped(node)}"

    def _grouped(self, node: Node) -> str:
        ways = self._ways(node)
        if node.is_end:
            return f"({ways})?"
        return f"({ways})" if len(node.ways) > 1 else ways


def _size(node: Node) -> int:
    return sum(1 + _size(rest) for _, rest in node.ways)
