"""Which names may stand behind a token of the exact grammar."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from lark.grammar import Rule

from cwkc.grammars.places import Place, exact


def rules_of(name: str) -> list[Rule]:
    """The rules of a symbol, those of `exact.lark` where they stand in for others."""
    return _rules().get(f"exact_{name}") or _rules()[name]


@cache
def _rules() -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = defaultdict(list)
    for rule in exact().rules:
        found[rule.origin.name].append(rule)
    return dict(found)


def symbol_of(rule: Rule) -> str:
    """The symbol that a rule is of."""
    over = rule.origin.name.removeprefix("exact_")
    return over if over in _rules() else rule.origin.name


@cache
def firsts(name: str) -> frozenset[Place]:
    """The tokens that a symbol may begin with; no rule of the grammar is empty."""
    found: set[Place] = set()
    seen, waiting = {name}, [name]
    while waiting:
        for rule in rules_of(waiting.pop()):
            first = rule.expansion[0]
            if first.is_term:
                found.add(Place(rule, 0))
            elif first.name not in seen:
                seen.add(first.name)
                waiting.append(first.name)
    return frozenset(found)


@cache
def behind(place: Place) -> frozenset[Place]:
    """The tokens that may stand behind one, whatever that is part of."""
    rule, index = place
    if index + 1 == len(rule.expansion):
        return _behind_symbol(symbol_of(rule))
    following = rule.expansion[index + 1]
    return frozenset({Place(rule, index + 1)}) if following.is_term else firsts(following.name)


@cache
def _behind_symbol(name: str) -> frozenset[Place]:
    found: set[Place] = set()
    seen, waiting = {name}, [name]
    while waiting:
        for place in _uses(waiting.pop()):
            rule, index = place
            owner = symbol_of(rule)
            if index + 1 < len(rule.expansion):
                found |= behind(place)
            elif owner not in seen:
                seen.add(owner)
                waiting.append(owner)
    return frozenset(found)


@cache
def _uses(name: str) -> tuple[Place, ...]:
    """Where a symbol stands."""
    return tuple(
        Place(rule, index)
        for origin in _rules()
        for rule in rules_of(origin)
        for index, symbol in enumerate(rule.expansion)
        if not symbol.is_term and symbol.name == name
    )
