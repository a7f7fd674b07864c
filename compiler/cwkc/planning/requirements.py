"""What is asked of a plan: a TOML file with the words that slots may have, and their shares."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from cwkc.meaning.near import did_you_mean
from cwkc.planning.quotas import Shares
from cwkc.planning.words import ENTRIES, SEVERAL, Words, fitting, known_words
from cwkc.source import Source
from cwkc.syntax.parser import concrete

DIFFICULTIES: Shares = {
    "easy": Fraction("0.25"),
    "medium": Fraction("0.35"),
    "hard": Fraction("0.25"),
    "expert": Fraction("0.15"),
}
LANGUAGES: Shares = {"en": Fraction("0.8"), "de": Fraction("0.1"), "fr": Fraction("0.1")}
SAFETY = Fraction("0.25")
"""The share of slots with a safety pattern, where the requirements do not say it."""

NONE = ""
"""Stands among the shares of `safety` for no pattern."""

_DIMENSIONS = {entry: dimension for dimension, entry in ENTRIES.items()}


class RequirementsError(ValueError):
    """What is wrong with requirements: a line for each fault, with its place."""


@frozen(eq=False)
class Requirements:
    """`words`: those that slots may have, by dimension. `shares`: of each word of a dimension with quotas. They sum to
    1 where a slot has one word, and each stands by itself where a slot has several."""

    words: Words
    shares: Mapping[str, Shares]


@frozen(eq=False)
class _Entry:
    """What the file says of a dimension: the words that it names, and their shares where it gives them."""

    words: tuple[str, ...]
    shares: Shares | None = None


def read_requirements(text: str = "", name: str = "") -> Requirements:
    """What a TOML file says; what it leaves open is as the defaults have it. Raises RequirementsError.

    `name`: what the file is called in messages.
    """
    try:
        document = tomllib.loads(text, parse_float=_exact)
    except ValueError as error:
        raise RequirementsError(f"{name}: not TOML: {error}") from error
    reading = _Reading(text, name)
    said = {_DIMENSIONS[key]: reading.entry(key, value) for key, value in document.items() if reading.is_known(key)}
    found = None if reading.faults else _completed(said, reading)
    if found is None or reading.faults:
        raise RequirementsError("\n".join(reading.faults))
    return found


# ---------------------------------------------------------------------------- what the file says


@frozen(eq=False)
class _Reading:
    text: str
    name: str
    faults: list[str] = field(factory=list)

    def refuse(self, path: tuple[str, ...], message: str, help: str = "") -> None:
        line, column = _place(self.text, path)
        self.faults.append(f"{self.name}:{line}:{column}: {message}" + (f"; {help}" if help else ""))

    def is_known(self, key: str) -> bool:
        if key not in _DIMENSIONS:
            self.refuse((key,), f"there is no entry `{key}`", did_you_mean(key, _DIMENSIONS))
        return key in _DIMENSIONS

    def entry(self, key: str, value: Any) -> _Entry:
        if not isinstance(value, list | dict):
            self.refuse((key,), f"`{key}` must be a list of words, or a table with the share of each")
            return _Entry(())
        if not value:
            self.refuse((key,), f"`{key}` names no word", "leave it out, and every word is used")
        for word in value:
            self._check_word(key, word)
        if isinstance(value, list):
            return _Entry(tuple(dict.fromkeys(word for word in value if isinstance(word, str))))
        before = len(self.faults)
        shares = {word: self._share(key, word, share) for word, share in value.items()}
        if len(self.faults) == before:
            self._check_sum(key, sum(shares.values(), Fraction()))
        return _Entry(tuple(word for word, share in shares.items() if share), shares)

    def _check_word(self, key: str, word: Any) -> None:
        known = known_words().get(_DIMENSIONS[key])
        if not isinstance(word, str):
            self.refuse((key,), f"`{key}` must hold words in quotation marks")
        elif known is None and not _is_language(word):
            self.refuse((key, word), f"`{word}` is no language", "write it like `en`")
        elif known is not None and word not in known:
            self.refuse((key, word), f"`{word}` is no word of `{key}`", did_you_mean(word, known))

    def _share(self, key: str, word: str, share: Any) -> Fraction:
        if isinstance(share, bool) or not isinstance(share, int | Fraction) or not 0 <= share <= 1:
            self.refuse((key, word), f"the share of `{word}` must be a number from 0 to 1")
            return Fraction()
        return Fraction(share)

    def _check_sum(self, key: str, total: Fraction) -> None:
        if key == "safety" and total > 1:
            self.refuse((key,), f"the shares of `{key}` sum to {float(total):g}", "they sum to 1 at most")
        elif _DIMENSIONS[key] not in {*SEVERAL, "safety"} and total != 1:
            self.refuse((key,), f"the shares of `{key}` sum to {float(total):g}", "they must sum to exactly 1")

    def check_possible(self, dimension: str, entry: _Entry, services: Collection[str]) -> None:
        """A word that no slot can have with the services allowed is told where it is asked for."""
        for word in entry.words:
            if not fitting().possible(dimension, word, services):
                needed = ", ".join(f"`{service}`" for service in fitting().needed(dimension, word))
                message = f"`{word}` is impossible: it needs one of {needed}, and `services` allows none of them"
                self.refuse((ENTRIES[dimension], word), message)


def _exact(number: str) -> Fraction | str:
    """A number without rounding, so that shares sum to 1 or do not; the text of what is no plain one, like `inf`. An
    exponent is not worked out, as the number may be longer than the memory."""
    return Fraction(number) if re.fullmatch(r"[+-]?[\d_]+\.[\d_]+", number) else number


def _is_language(word: str) -> bool:
    """Whether a slot can name it: not where it is a keyword, like `no`."""
    slot = Source("", f"cwk 1 plan tasks {{ slot S1 {{ language: {word} }} }}")
    return re.fullmatch("[a-z]{2,3}", word) is not None and concrete(slot) is not None


def _place(text: str, path: tuple[str, ...]) -> tuple[int, int]:
    """The line and the column, from 1, of a key at the top, or of a word below it; of the key where that is spelled in
    another way."""
    key, *below = (re.escape(each) for each in path)
    blank = re.sub(r"#.*", lambda comment: " " * len(comment[0]), text)
    quoted = f"[\"']?{key}[\"']?"
    found = re.search(rf"^[ \t]*(?:\[[ \t]*{quoted}[ \t]*[].]|{quoted}[ \t]*[.=])", blank, re.M)
    at = blank.index(path[0], found.start()) if found else 0
    start = found.end() - 1 if found else 0
    for word in below:
        found = re.compile(rf"(?<![\w-]){word}(?![\w-])").search(blank, start)
        at = found.start() if found else at
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# ---------------------------------------------------------------------------- what it leaves open


def _completed(said: Mapping[str, _Entry], reading: _Reading) -> Requirements:
    """The requirements, with the defaults where nothing is said, and without what the services cannot do."""
    services = _allowed("service", said)
    words: dict[str, tuple[str, ...]] = {}
    for dimension, entry in ENTRIES.items():
        if dimension in said:
            reading.check_possible(dimension, said[dimension], services)
        allowed = _allowed(dimension, said)
        words[dimension] = tuple(word for word in allowed if fitting().possible(dimension, word, services))
        if not words[dimension]:
            key = entry if dimension in said else "services"
            reading.refuse((key,), f"no {dimension} is left that a slot can have")
    return Requirements(words, _shares(said, words))


def _allowed(dimension: str, said: Mapping[str, _Entry]) -> tuple[str, ...]:
    """The words that are named; where a slot has several, shares rule out only what has none."""
    known, entry = known_words().get(dimension, tuple(LANGUAGES)), said.get(dimension)
    if entry is None:
        return known
    if dimension in SEVERAL and entry.shares is not None:
        return tuple(word for word in known if entry.shares.get(word) != 0)
    return entry.words


def _shares(said: Mapping[str, _Entry], words: Words) -> dict[str, Shares]:
    """The shares that are given, and those of the dimensions whose words never go by gaps."""
    shares: dict[str, Shares] = {
        "difficulty": _equal(words["difficulty"]) if "difficulty" in said else DIFFICULTIES,
        "language": _equal(words["language"]) if "language" in said else LANGUAGES,
        "safety": {word: share * SAFETY for word, share in _equal(words["safety"]).items()},
    }
    shares |= {dimension: entry.shares for dimension, entry in said.items() if entry.shares is not None}
    return shares | {"safety": {**shares["safety"], NONE: 1 - sum(shares["safety"].values(), Fraction())}}


def _equal(words: Collection[str]) -> Shares:
    return {word: Fraction(1, len(words)) for word in words}
