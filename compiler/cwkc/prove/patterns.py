"""A text that a regular expression finds, for the words of a witness.

The parsed form of a pattern has no public name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

parser: Any = import_module("re._parser")
codes: Any = import_module("re._constants")

_CLASSES = {codes.CATEGORY_DIGIT: "0", codes.CATEGORY_WORD: "a", codes.CATEGORY_SPACE: " "}
_PROBES = "a0 _-.,A"


def sample(pattern: str) -> str | None:
    """A short text that the pattern is found in, or None when none is made up."""
    try:
        text = "".join(_pieces(parser.parse(pattern)))
    except (re.error, LookupError):
        return None
    return text if re.search(pattern, text, re.IGNORECASE) else None


def _pieces(parsed: Iterable[Any]) -> Iterable[str]:
    for code, value in parsed:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.NOT_LITERAL:
            yield next(probe for probe in _PROBES if ord(probe) != value)
        elif code is codes.ANY:
            yield "a"
        elif code is codes.IN:
            yield _one_of(value)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            least, _, inner = value
            yield from list(_pieces(inner)) * least
        elif code is codes.SUBPATTERN:
            yield from _pieces(value[-1])
        elif code is codes.BRANCH:
            yield from _pieces(value[1][0])


def _one_of(choices: list[Any]) -> str:
    if choices[0][0] is codes.NEGATE:
        taken = {_first(choice) for choice in choices[1:]}
        return next(probe for probe in _PROBES if probe not in taken)
    return _first(choices[0])


def _first(choice: tuple[Any, Any]) -> str:
    code, value = choice
    if code is codes.RANGE:
        return chr(value[0])
    return _CLASSES.get(value, "a") if code is codes.CATEGORY else chr(value)
