"""From a grammar of words to a grammar of characters: each symbol is split by the token before it and that at its end.

    expr  ──▶  expr behind a word that ends in a number, expr behind a sign that ends in a word, …

What makes no difference to anything behind it is kept together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import NamedTuple

from lark.grammar import Rule

from cwkc.grammars.following import rules_of
from cwkc.grammars.merged import blocks
from cwkc.grammars.places import Place
from cwkc.grammars.tokens import NOTHING, Before, Token, written

Ends = frozenset[Before]
AllEnds = dict[tuple[str, Before], dict[Before, None]]
"""What each symbol may end with behind a token, in the order in which it was found."""

Grouping = Callable[[Place, Before], Hashable]


class Split(NamedTuple):
    """A symbol of the exact grammar behind one token, with the tokens of which one is its last."""

    name: str
    before: Before
    ends: Ends


Body = tuple[Token | Split, ...]
Spelled = dict[Split, tuple[Body, ...]]


@cache
def spelled() -> tuple[Split, Spelled]:
    """The symbol that a file is, and every symbol with what it may be."""
    ends = _ends()
    apart = _Spelling(ends, lambda place, before: before).bodies()
    same = blocks(apart)

    def seen(place: Place, before: Before) -> Hashable:
        """What a symbol makes of the token before it."""
        symbol = place.rule.expansion[place.at]
        if symbol.is_term:
            return tuple(token for token, _ in written(place, before))
        return frozenset((end, same[Split(symbol.name, before, frozenset({end}))]) for end in ends[symbol.name, before])

    return Split("start", NOTHING, frozenset(ends["start", NOTHING])), _Spelling(ends, seen).bodies()


def _ends() -> AllEnds:
    """The ends of every symbol that can be reached."""
    found: AllEnds = {("start", NOTHING): {}}
    is_growing = True
    while is_growing:
        size = sum(map(len, found.values())) + len(found)
        for name, before in list(found):
            for rule in rules_of(name):
                found[name, before] |= _reached(rule, before, found)
        is_growing = size < sum(map(len, found.values())) + len(found)
    return found


def _reached(rule: Rule, before: Before, found: AllEnds) -> dict[Before, None]:
    reached = {before: None}
    for index, symbol in enumerate(rule.expansion):
        following: dict[Before, None] = {}
        for each in reached:
            if symbol.is_term:
                following |= {end: None for _, end in written(Place(rule, index), each)}
            else:
                following |= found.setdefault((symbol.name, each), {})
        reached = following
    return reached


class _Spelling:
    """Bodies in which the ends of a symbol are kept together that `grouping` gives the same value to."""

    def __init__(self, ends: AllEnds, grouping: Grouping) -> None:
        self.all_ends = ends
        self.grouping = grouping

    def bodies(self) -> Spelled:
        found: Spelled = {}
        ends = self.all_ends["start", NOTHING]
        waiting = [
            *(Split("start", NOTHING, frozenset({each})) for each in ends),
            Split("start", NOTHING, frozenset(ends)),
        ]
        while waiting:
            split = waiting.pop()
            if split not in found:
                ways = (way for rule in rules_of(split.name) for way in self._ways(rule, 0, split.before, split.ends))
                found[split] = tuple(dict.fromkeys(ways))
                waiting += [part for body in found[split] for part in body if isinstance(part, Split)]
        return found

    def _ways(self, rule: Rule, index: int, before: Before, ends: Ends) -> Iterator[Body]:
        """Every way to write the rest of a rule so that it ends with one of these."""
        is_last = index + 1 == len(rule.expansion)
        for part, reached in self._steps(Place(rule, index), before, ends if is_last else None):
            if is_last:
                yield (part,)
            else:
                yield from ((part, *rest) for rest in self._ways(rule, index + 1, reached, ends))

    def _steps(self, place: Place, before: Before, ends: Ends | None) -> Iterator[tuple[Token | Split, Before]]:
        """Every way to write a symbol, with an end of it; among `ends` where it is the last of its rule."""
        symbol = place.rule.expansion[place.at]
        if symbol.is_term:
            yield from (each for each in written(place, before) if ends is None or each[1] in ends)
            return
        groups: dict[Hashable, list[Before]] = defaultdict(list)
        for end in self.all_ends[symbol.name, before]:
            if ends is None:
                groups[self.grouping(Place(place.rule, place.at + 1), end)].append(end)
            elif end in ends:
                groups[None].append(end)
        for group in groups.values():
            yield Split(symbol.name, before, frozenset(group)), group[0]
