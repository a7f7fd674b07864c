"""How a token is written: the blanks before it, and which words are no names. Both depend on the token before."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NamedTuple

from lark.lexer import PatternStr

from cwkc.grammars.following import behind
from cwkc.grammars.places import Place, exact, keywords_at
from cwkc.syntax.expressions import CAPITALS
from cwkc.syntax.scanner import VALUES
from cwkc.syntax.vocabulary import STATEMENTS

WORD = "[A-Za-z0-9_]"
# With which characters the word after a token may not begin, if it stands right behind: together they would be read as
# one, by the scanner or (`3.a`) by lexers that do not go back. Words of letters are `WORDLIKE`, other tokens are free.
GLUE = {
    "NUMBER": frozenset({WORD, "-", "."}),
    "MOMENT": frozenset({WORD, "-", "."}),
    "BARE_REF": frozenset({WORD, "-"}),
    "TEXT": frozenset({'"'}),
}
WORDLIKE = frozenset({WORD})
FREE: frozenset[str] = frozenset()

# Rules in which a name stands for a value, where the parser refuses the values of Python.
VALUED = frozenset({"atom", "target"})


class Blank(Enum):
    """What stands before a token: anything blank or nothing, something blank, or at most blanks on the same line."""

    MAY = "may"
    MUST = "must"
    BESIDE = "beside"


class Before(NamedTuple):
    """What the token before leaves behind: which characters would stick to it, which words are keywords behind it."""

    glue: frozenset[str]
    keywords: frozenset[str]


class Token(NamedTuple):
    """A terminal of the exact grammar with the blanks before it; `keywords` are the words that are no `NAME` there."""

    terminal: str
    blank: Blank
    keywords: frozenset[str] = FREE


NOTHING = Before(FREE, FREE)


@cache
def written(place: Place, before: Before) -> tuple[tuple[Token, Before], ...]:
    """How the token of a place may be written."""
    keywords = _keywords_behind(place)
    return tuple(
        (
            Token(terminal, _blank(place, terminal, before), _no_names(place, before)),
            Before(_glue(terminal), keywords),
        )
        for terminal in _terminals(place.rule.expansion[place.at].name)
    )


@cache
def _keywords_behind(place: Place) -> frozenset[str]:
    """The keywords behind a token that matter to a name there."""
    names = [each for each in behind(place) if _is_name(each)]
    if not names:
        return FREE
    return keywords_at(place) & VALUES if all(map(_is_label, names)) else keywords_at(place)


def _terminals(name: str) -> tuple[str, ...]:
    """The terminals that stand in for one that is no fixed word."""
    if isinstance(exact().terminals[name].pattern, PatternStr):
        return (name,)
    over = [rule for rule in exact().rules if rule.origin.name == f"exact_{name.lower()}"]
    return tuple(rule.expansion[0].name for rule in over) or (name,)


def _no_names(place: Place, before: Before) -> frozenset[str]:
    """The words that are no name at a place. Before a colon all others are."""
    if not _is_name(place):
        return FREE
    if not _is_label(place):
        return before.keywords | (frozenset(CAPITALS) if place.rule.origin.name in VALUED else FREE)
    return before.keywords & VALUES | (STATEMENTS if place.rule.origin.name == "exact_meta" else FREE)


def _is_label(place: Place) -> bool:
    following = place.rule.expansion[place.at + 1 :]
    return _is_name(place) and bool(following) and following[0].name == "COLON"


def _blank(place: Place, terminal: str, before: Before) -> Blank:
    if place.at and _is_label(Place(place.rule, place.at - 1)):
        return Blank.BESIDE
    return Blank.MUST if _first(terminal) in before.glue else Blank.MAY


def _is_name(place: Place) -> bool:
    return place.rule.expansion[place.at].name == "NAME"


def _glue(terminal: str) -> frozenset[str]:
    return GLUE.get(terminal) or (WORDLIKE if _first(terminal) == WORD else FREE)


@cache
def _first(terminal: str) -> str:
    """The first character of a terminal, or `WORD`."""
    if terminal in ("NAME", "NUMBER", "MOMENT"):
        return WORD
    if terminal == "TEXT":
        return '"'
    pattern = exact().terminals[terminal].pattern
    first = pattern.value[0] if isinstance(pattern, PatternStr) else ""
    return WORD if first.isalnum() else first
