"""The exact grammar with a name for each symbol, ready to be written in a dialect."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from cwkc.grammars.merged import blocks
from cwkc.grammars.spelled import Spelled, Split, spelled
from cwkc.grammars.tokens import Token

Part = Token | str
"""A token, or the name of a symbol."""

Bodies = dict[tuple[Part, ...], None]
"""What a symbol may be: a set that keeps its order."""

FILE = "file"
HELPER = re.compile(r"__(?P<rule>.*)_(?:star|plus)_\d+")


@cache
def rules() -> dict[str, Bodies]:
    """Every symbol once with what it may be, `FILE` first: what a file is up to the last of its words."""
    start, bodies = spelled()
    same = blocks(bodies)
    names: dict[int, str] = {}
    counts: dict[str, int] = defaultdict(int)
    kept = _reached(start, bodies, same)
    for split in kept:
        name = FILE if split.name == "start" else _name(split.name)
        counts[name] += 1
        names[same[split]] = name if counts[name] == 1 else f"{name}_{counts[name]}"

    def named(part: Token | Split) -> Part:
        return part if isinstance(part, Token) else names[same[part]]

    return {names[same[split]]: dict.fromkeys(tuple(map(named, body)) for body in bodies[split]) for split in kept}


def _reached(start: Split, bodies: Spelled, same: dict[Split, int]) -> tuple[Split, ...]:
    """One symbol of each block, in the order in which they are met."""
    found: dict[int, Split] = {}
    waiting = [start]
    while waiting:
        split = waiting.pop()
        if same[split] not in found:
            found[same[split]] = split
            waiting += reversed([part for body in bodies[split] for part in body if isinstance(part, Split)])
    return tuple(found.values())


def _name(symbol: str) -> str:
    """`exact_left` is `left`, and what repeats in `record` is `record_items`."""
    helper = HELPER.fullmatch(symbol)
    return f"{helper['rule'].removeprefix('exact_')}_items" if helper else symbol.removeprefix("exact_")
