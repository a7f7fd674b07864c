"""The witness of one member of a family, made into that of another: what differs between the two is replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from coworkdsl.tagged import from_tagged
from coworkdsl.values import in_words, to_wire
from cwkc.prove.run import CallStep, SayStep, Step

Row = Mapping[str, Any]
"""A member's values as its row has them: `grading`, `parameters`, `world`, by name."""


@frozen(eq=False)
class Replacement:
    """What stands for what: JSON values as wholes, and words within texts."""

    wholes: Mapping[str, Any]
    words: Mapping[str, str]

    @classmethod
    def between(cls, one: Row, other: Row) -> Replacement:
        """From the values of one member to those of another. Of a value that became several, the first counts: those
        that the grading reads come first."""
        wholes: dict[str, Any] = {}
        words: dict[str, str] = {}
        for before, after in _pairs(one, other):
            wholes.setdefault(_key(to_wire(before)), to_wire(after))
            if not isinstance(before, bool) and (said := in_words(before)):
                words.setdefault(said, in_words(after))
        return cls(wholes, words)

    def of(self, value: Any) -> Any:
        """A JSON value with all that is replaced in it."""
        if (key := _key(value)) in self.wholes:
            return self.wholes[key]
        if isinstance(value, list | tuple):
            return [self.of(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        if not self.words:
            return text
        found = sorted(self.words, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in found)
        return re.sub(pattern, lambda match: self.words[match[0]], text)


def adapted(steps: tuple[Step, ...], one: Row, other: Row) -> tuple[Step, ...]:
    """A run of one member as a run of another, whose worth is for its execution to say."""
    replacement = Replacement.between(one, other)
    return tuple(_adapted(step, replacement) for step in steps)


def _adapted(step: Step, replacement: Replacement) -> Step:
    if isinstance(step, SayStep):
        return evolve(step, text=replacement.text(step.text))
    return CallStep(step.tool, {name: replacement.of(value) for name, value in step.arguments.items()})


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _pairs(one: Row, other: Row) -> Iterator[tuple[Any, Any]]:
    """The values that differ, each with the other's."""
    for part, read in (("grading", from_tagged), ("parameters", _as_it_is), ("world", _as_it_is)):
        mine, theirs = one.get(part, {}), other.get(part, {})
        for name in mine:
            if name in theirs:
                yield from _differing(read(mine[name]), read(theirs[name]))


def _as_it_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _differing(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for mine, theirs in zip(one, other, strict=True):
            yield from _differing(mine, theirs)
    elif isinstance(one, dict) and isinstance(other, dict):
        for name in (name for name in one if name in other):
            yield from _differing(one[name], other[name])
    elif one is not None and other is not None and one != other:
        yield one, other
