"""Rules without left recursion, for engines that would not end in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from cwkc.grammars.rules import Bodies


def without_left_recursion(rules: dict[str, Bodies]) -> dict[str, Bodies]:
    """The same texts from rules none of which begins with itself, directly or by way of others.

    Symbols that begin with each other are left-linear among themselves: `a: b x | y`. Read from the other end, a text
    of `a` is a text that begins with none of them, and then the rests that lead from symbol to symbol up to `a`.
    """
    found: dict[str, Bodies] = {}
    circles = _circles(rules)
    for name, bodies in rules.items():
        circle = circles[name]
        if any(body[0] in circle for body in bodies):
            found |= _unrolled(name, {each: rules[each] for each in rules if each in circle})
        else:
            found[name] = bodies
    return found


def _unrolled(target: str, circle: dict[str, Bodies]) -> dict[str, Bodies]:
    """The rules of one symbol, with one for each symbol of its circle of what leads from there to it."""

    def onward(name: str) -> str:
        return f"{target}_from_{name}"

    begun: Bodies = {}
    leading: dict[str, Bodies] = defaultdict(dict)
    for name, bodies in circle.items():
        for body in bodies:
            first, rest = (onward(str(body[0])), body[1:]) if body[0] in circle else (target, body)
            written = begun if first == target else leading[first]
            written[*rest, onward(name)] = None
            if name == target:
                written[rest] = None
    return {target: begun, **leading}


def _circles(rules: dict[str, Bodies]) -> dict[str, frozenset[str]]:
    """For each symbol those that it may begin with and that may begin with it; empty where it is not among them."""
    first = {name: {body[0] for body in bodies if isinstance(body[0], str)} for name, bodies in rules.items()}
    reach = {name: _reach(name, first) for name in rules}
    return {name: frozenset(each for each in reach[name] if name in reach[each]) for name in rules}


def _reach(name: str, first: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for each in first[waiting.pop()]:
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found
