"""The text tests of the language.

Case, width and runs of white space do not count. The subject is a text, or a tuple of texts (`said`): then a test
holds when it does for one of them. With a null subject or operand a test is false.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

# Scripts that are written without spaces between words: there every place is a boundary of words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_STARTS_WORD = re.compile(rf"[^\W{_UNSPACED}]")

_NUMBER = re.compile(
    r"""
    (?<![\w.,:])                                    # not inside a word, a number or a time
    (?<!\w[-\u2212])                                # not behind a joining hyphen: TK-301, 2026-03-14, 3-5
    (?P<sign>[-\u2212])? (?: [$\u20ac\u00a3\u00a5\u20b9]\ ? )?
    (?P<digits> (?: \d{1,3}(?:,\d{3})+ | \d+ ) (?:\.\d+)? | \.\d+ )
    (?! [.,:]?\d | [-\u2212]\d | \w*\d )            # not before more of a number, a date, a time or a code
    """,
    re.VERBOSE,
)
_MOST_DIGITS = 400
_NUMBERS = frozenset((int, Fraction))


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """The text without differences of case, width and white space. Idempotent."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def _any_text(subject: Any, test: Callable[[str], bool]) -> bool:
    if isinstance(subject, str):
        return test(subject)
    if isinstance(subject, tuple):
        return any(test(text) for text in subject if isinstance(text, str))
    return False


def contains(subject: Any, needle: Any) -> bool:
    """Whether the needle is a part of the text."""
    if not isinstance(needle, str):
        return False
    wanted = normalise(needle)
    return _any_text(subject, lambda text: wanted in normalise(text))


def matches(subject: Any, pattern: Any) -> bool:
    """Whether the regular expression is found in the text as it stands, ignoring case; what is none is never found."""
    compiled = _compiled(pattern) if isinstance(pattern, str) else None
    return compiled is not None and _any_text(subject, lambda text: compiled.search(text) is not None)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError):
        return None


# ---------------------------------------------------------------------------- numbers


def read_number(digits: str) -> Fraction | None:
    """A number as people write it, `1,240.50`, or None."""
    found = _NUMBER.fullmatch(digits.strip())
    return _value(found) if found else None


def _value(found: re.Match[str]) -> Fraction | None:
    digits = found["digits"].replace(",", "")
    if len(digits) > _MOST_DIGITS:
        return None
    value = Fraction(digits)
    return -value if found["sign"] else value


@lru_cache(maxsize=1024)
def numbers_in(text: str) -> tuple[Fraction, ...]:
    """Every number written in the text, in order."""
    found = map(_value, _NUMBER.finditer(unicodedata.normalize("NFKC", text)))
    return tuple(value for value in found if value is not None)


def states(subject: Any, number: Any, tolerance: Any = 0) -> bool:
    """Whether some number written in the text differs from `number` by at most `tolerance`."""
    if type(number) not in _NUMBERS or type(tolerance) not in _NUMBERS:
        return False
    return _any_text(subject, lambda text: any(abs(value - number) <= tolerance for value in numbers_in(text)))


# ---------------------------------------------------------------------------- words


@lru_cache(maxsize=4096)
def _word(word: str) -> re.Pattern[str] | None:
    """Finds the word, whole, in a normalised text; None for an empty word."""
    wanted = normalise(word)
    if not wanted:
        return None
    before = rf"(?<![^\W{_UNSPACED}])" if _STARTS_WORD.match(wanted[0]) else ""
    after = rf"(?![^\W{_UNSPACED}])" if _STARTS_WORD.match(wanted[-1]) else ""
    return re.compile(before + re.escape(wanted) + after)


def _mentions(text: str, word: Any) -> bool:
    return _position(text, word, 0) is not None


def _position(text: str, word: Any, start: int) -> int | None:
    """Where the word first stands in the normalised text, from `start` on."""
    pattern = _word(word) if isinstance(word, str) else None
    found = pattern.search(normalise(text), start) if pattern else None
    return found.start() if found else None


def mentions_any(subject: Any, words: Iterable[Any] | None) -> bool:
    """Whether one of the words stands in the text as a whole word."""
    if words is None:
        return False
    wanted = tuple(words)
    return _any_text(subject, lambda text: any(_mentions(text, word) for word in wanted))


def mentions_all(subject: Any, words: Iterable[Any] | None) -> bool:
    """Whether each of the words stands in the text as a whole word."""
    if words is None:
        return False
    wanted = tuple(words)
    return _any_text(subject, lambda text: all(_mentions(text, word) for word in wanted))


def lists(subject: Any, items: Iterable[Any] | None) -> bool:
    """Whether each item stands in the text as a whole word, and their first occurrences in this order."""
    if items is None:
        return False
    wanted = tuple(items)

    def in_order(text: str) -> bool:
        places = [_position(text, item, 0) for item in wanted]
        found = [place for place in places if place is not None]
        return len(found) == len(wanted) and all(a < b for a, b in pairwise(found))

    return _any_text(subject, in_order)
