"""Where the grammar's tokens stand, and which words are keywords behind each."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lark import Lark
from lark.common import ParserConf
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import LALR_Analyzer

from cwkc.resources import grammar_text

STARTS = ["start", "declaration"]
OPERATORS = ("prefix", "binary")


class Place(NamedTuple):
    """The symbol at place `at` on the right side of a rule."""

    rule: Rule
    at: int


class Exact(NamedTuple):
    """The grammar's rules, those that the parser's later steps narrow replaced, and the terminals of both."""

    rules: tuple[Rule, ...]
    terminals: dict[str, TerminalDef]


@cache
def exact() -> Exact:
    """The grammar of `exact.lark` over that of `grammar/cwk.lark`."""
    text = grammar_text() + Path(__file__).with_name("exact.lark").read_text(encoding="utf-8")
    over = [line.partition(":")[0] for line in text.splitlines() if line.startswith("exact_")]
    read = _read(text, [*STARTS, *over])
    return Exact(tuple(read.rules), {each.name: each for each in read.terminals})


@cache
def keywords_behind() -> dict[Place, frozenset[str]]:
    """The words that are keywords behind a token for the scanner: those in the rows of the states that it leads to."""
    read = _read(grammar_text(), STARTS)
    words = {each.name: each.pattern.value for each in read.terminals if _is_word(each)}
    analysis = LALR_Analyzer(ParserConf(read.rules, {}, STARTS), debug=True)
    analysis.compute_lalr()  # type: ignore[no-untyped-call]
    found: dict[Place, set[str]] = defaultdict(set)
    for state in analysis.lr0_itemsets:
        row = {words[terminal] for terminal in analysis.parse_table.states[state.closure] if terminal in words}
        for item in state.kernel:
            if item.index and item.rule.expansion[item.index - 1].is_term:
                found[Place(item.rule, item.index - 1)] |= row
    return {place: frozenset(row) for place, row in found.items()}


def keywords_at(place: Place) -> frozenset[str]:
    """The same for a place of the exact grammar.

    A token of a rule that is replaced is looked for in the rule that it replaces; that of another rule of `exact.lark`
    among the operators, or anywhere.
    """
    behind = keywords_behind()
    if place in behind:
        return behind[place]
    symbol, origin = place.rule.expansion[place.at], place.rule.origin.name.removeprefix("exact_")
    same = [each for each in behind if each.rule.expansion[each.at] == symbol]
    nearest = (
        [each for each in same if (each.rule.origin.name, each.at) == (origin, place.at)]
        or [each for each in same if each.rule.origin.name in OPERATORS]
        or same
    )
    return frozenset().union(*(behind[each] for each in nearest))


def _is_word(terminal: TerminalDef) -> bool:
    return isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha()


def _read(text: str, starts: list[str]) -> Lark:
    return Lark(text, parser="earley", start=starts, keep_all_tokens=True, maybe_placeholders=False)
