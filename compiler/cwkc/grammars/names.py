"""Names as patterns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

NAME = "[a-zA-Z_][a-zA-Z0-9_]*"


def word_but(keywords: Iterable[str]) -> str:
    """A pattern of every name but these words, without anything that looks ahead.

    The words are of letters. Letter by letter a name either leaves all of them, or goes on along some.
    """
    following: dict[str, list[str]] = defaultdict(list)
    for keyword in keywords:
        following[keyword[0]].append(keyword[1:])
    return rf"({_leaving(following, '_')}[a-zA-Z0-9_]*{_along(following)})" if following else NAME


def _behind(rests: list[str]) -> str:
    """What may follow letters with which words begin, of which these are the rests."""
    following: dict[str, list[str]] = defaultdict(list)
    for rest in rests:
        if rest:
            following[rest[0]].append(rest[1:])
    ways = f"({_leaving(following, '0-9_')}[a-zA-Z0-9_]*{_along(following)})"
    return ways if "" in rests else f"{ways}?"


def _along(following: dict[str, list[str]]) -> str:
    return "".join(f"|{letter}{_behind(rests)}" for letter, rests in sorted(following.items()))


def _leaving(following: dict[str, list[str]], others: str) -> str:
    """A class of the characters with which none goes on."""
    kept = [letter for letter in ascii_lowercase + ascii_uppercase if letter not in following]
    return f"[{''.join(kept).replace(ascii_lowercase, 'a-z').replace(ascii_uppercase, 'A-Z')}{others}]"
