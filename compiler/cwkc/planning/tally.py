"""How many tasks have a word, and how many have two words together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from attrs import define, field

from cwkc.planning.words import ENTRIES, Words

Item = tuple[str, str]
"""A dimension, and a word of it."""

_PLACES = {dimension: place for place, dimension in enumerate(ENTRIES)}


@define(eq=False)
class Tally:
    """`words`: how many tasks have a word. `pairs`: how many have two words of different dimensions."""

    tasks: int = 0
    words: Counter[Item] = field(factory=Counter)
    pairs: Counter[tuple[Item, Item]] = field(factory=Counter)

    @classmethod
    def of(cls, tasks: Iterable[Words]) -> Tally:
        counted = cls()
        for task in tasks:
            counted.add(task)
        return counted

    def copy(self) -> Tally:
        return Tally(self.tasks, self.words.copy(), self.pairs.copy())

    def add(self, task: Words) -> None:
        """Count a task, or a slot."""
        items = items_of(task)
        self.tasks += 1
        self.words.update(items)
        self.pairs.update((one, other) for one, other in combinations(items, 2) if one[0] != other[0])

    def pair(self, one: Item, other: Item) -> int:
        """How many have both, in whichever order they are named."""
        return self.pairs[(one, other) if _PLACES[one[0]] < _PLACES[other[0]] else (other, one)]

    def cell(self, capability: str, scenario: str) -> int:
        return self.pairs[("capability", capability), ("scenario", scenario)]


def items_of(task: Words) -> list[Item]:
    """Every word of a task once, in the order of the dimensions."""
    return [(dimension, word) for dimension in ENTRIES for word in dict.fromkeys(task.get(dimension, ()))]
