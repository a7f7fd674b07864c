"""What an agent knows at one point: what it was told, what it has read, and fields that it was shown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from enum import Flag, auto
from fractions import Fraction
from typing import Any

from coworkdsl.text import normalise, numbers_in
from coworkdsl.values import in_words
from cwkc.flow.told import refusals, spoken, told, written
from cwkc.flow.words import FEWEST_DIGITS, digits, has_handle
from cwkc.meaning import typed
from cwkc.meaning.calendar import dates_in


class Source(Flag):
    """Where something is known from: the request, a policy or `given`; outputs of tools; how tools describe
    themselves, which tells words, and no numbers or days."""

    TOLD = auto()
    READ = auto()
    DESCRIBED = auto()
    ANY = TOLD | READ | DESCRIBED


class Knowledge:
    """Grows while an agent looks around. `shown`: for a field of a record, the first tool that showed it."""

    def __init__(self, now: datetime) -> None:
        self.shown: dict[tuple[str, str, str], str] = {}
        self._columns: set[tuple[str, str]] = set()
        self._texts = {source: _Texts(now) for source in (Source.TOLD, Source.READ, Source.DESCRIBED)}

    def learn(self, value: Any, source: Source) -> None:
        for item in value if isinstance(value, tuple) else (value,):
            plain = in_words(item) if isinstance(item, tuple | dict) else item
            self._texts[source].add(plain, as_words=source is Source.DESCRIBED)

    def show(self, tool: str, record: str, id: str, fields: Iterable[tuple[str, Any]]) -> None:
        """A tool shows fields of a record."""
        self.learn(id, Source.READ)
        for name, value in fields:
            if (record, id, name) not in self.shown:
                self.shown[record, id, name] = tool
                self._columns.add((record, name))
                self.learn(value, Source.READ)

    def outdate(self, fields: Iterable[tuple[str, str, str]]) -> None:
        """Fields of records have changed: what was shown of them is known still, and may be shown anew."""
        for field in fields:
            self.shown.pop(field, None)

    def has_handle(self, handle: str, source: Source = Source.ANY) -> bool:
        """Whether an id or an address is known, whole."""
        return any(has_handle(texts.joined, handle) for texts in self._of(source))

    def has_text(self, text: str, source: Source = Source.ANY) -> bool:
        """Whether a text is known, or is a part of one that is."""
        return any(normalise(text) in texts.joined for texts in self._of(source))

    def has_number(self, number: int | Fraction, source: Source = Source.ANY) -> bool:
        return any(number in texts.numbers for texts in self._of(source))

    def has_date(self, day: date, source: Source = Source.ANY) -> bool:
        return any(day in texts.days for texts in self._of(source))

    def has_column(self, record: str, name: str) -> bool:
        """Whether the field was shown of any record."""
        return (record, name) in self._columns

    @property
    def size(self) -> int:
        """Grows with everything that is learned."""
        return len(self.shown) + sum(len(texts.values) for texts in self._texts.values())

    def _of(self, source: Source) -> Iterable[_Texts]:
        return (texts for each, texts in self._texts.items() if each in source)


class _Texts:
    """A set of texts and other values, looked into as one. Short numbers count where they stand in a text: a quantity
    is no answer to the question for a percentage."""

    def __init__(self, now: datetime) -> None:
        self.values: set[Any] = set()
        self.numbers: set[int | Fraction] = set()
        self.days: set[date] = set()
        self._pieces: list[str] = []
        self._joined = ""
        self._now = now

    @property
    def joined(self) -> str:
        """All that was added, as one normalised text."""
        if self._pieces:
            self._joined = "\n".join((self._joined, *self._pieces))
            self._pieces = []
        return self._joined

    def add(self, value: Any, as_words: bool) -> None:
        if value is None or isinstance(value, bool) or value in self.values:
            return
        self.values.add(value)
        self._pieces.append(normalise(in_words(value)))
        if as_words:
            return
        if isinstance(value, str):
            self.numbers.update(numbers_in(value))
            self.days.update(day for _, day in dates_in(value, self._now))
        elif isinstance(value, date):
            self.days.add(value.date() if isinstance(value, datetime) else value)
        elif isinstance(value, int | Fraction) and digits(value) >= FEWEST_DIGITS:
            self.numbers.add(value)


def initial_knowledge(task: typed.Task) -> Knowledge:
    """What an agent is told, by the user too when it asks, what `given` says that it is, and what can be read from the
    files attached."""
    knowledge = Knowledge(task.now)
    for piece in told(task):
        knowledge.learn(piece.text, Source.DESCRIBED if piece.kind == "tool" else Source.TOLD)
    for text in (*refusals(task), *written(task)):
        knowledge.learn(text, Source.DESCRIBED)
    for text in spoken(task):
        knowledge.learn(text, Source.TOLD)
    for fact in (task.truths[name] for asset in task.assets for name in asset.facts):
        knowledge.learn(fact.value, Source.READ)
        knowledge.learn(in_words(fact.value), Source.READ)
    for each in task.given:
        knowledge.learn(each.value, Source.TOLD)  # and as a word of the request, which a short number needs
        for value in each.value if isinstance(each.value, tuple) else (each.value,):
            knowledge.learn(in_words(value), Source.TOLD)
    return knowledge
