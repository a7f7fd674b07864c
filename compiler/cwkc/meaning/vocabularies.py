"""Vocabularies: the plausible values that `pick` takes from, and the words by which tasks are planned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

from attrs import define, field

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning.literals import convert_text
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.program import Library
from cwkc.meaning.typed import Constant, Expr
from cwkc.meaning.types import ERROR, Type
from cwkc.source import Source
from cwkc.syntax import tree

Vocabularies = Mapping[str, tree.Vocabulary]


class StandardWords:
    """The vocabularies of the standard library, and the contents of files that go with tasks: each read when it is
    first asked for, and kept.

    What is sent to another process is what was read; there is no library there to read from.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._contents: dict[str, bytes | None] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_library"}

    def read_file(self, name: str) -> bytes | None:
        """The content of a file that goes with a task; None where there is none."""
        if name not in self._contents:
            self._contents[name] = self._library.read_file(name)
        return self._contents[name]

    @cached_property
    def values(self) -> Vocabularies:
        """Plausible values, by the name of their vocabulary."""
        items = self._items("values")
        return {item.name.text: item for item in items if isinstance(item, tree.Vocabulary)}

    @cached_property
    def planning(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each dimension by which tasks are planned: `Capability`, `Category` and the like."""
        items = self._items("planning")
        return {
            item.name.text: tuple(value.text for value in item.values)
            for item in items
            if isinstance(item, tree.Enumeration)
        }

    def _items(self, name: str) -> Iterable[tree.Item]:
        source = Source(f"stdlib/vocabularies/{name}.cwk", self._library.words(name))
        return self._library.parse(source)[0].items


@define(eq=False)
class Picks:
    """What one task picks. `task` is its name: the seed of its choices; `taken` holds what no other pick may take."""

    task: str
    language: str
    own: Vocabularies
    standard: StandardWords
    taken: set[str] = field(factory=set)
    sources: dict[str, str] = field(factory=dict)
    """Name of every file of the standard library that was picked from, and the SHA-256 of its text."""

    def known(self) -> tuple[str, ...]:
        return (*self.own, *self.standard.values)

    def find(self, name: str) -> tree.Vocabulary | None:
        """The vocabulary in the task's language, or else the one that is called just so."""
        for candidate in (f"{name}_{self.language}", name):
            if (found := self.own.get(candidate) or self.standard.values.get(candidate)) is not None:
                return found
        return None

    def take(self, vocabulary: tree.Vocabulary, place: str) -> tree.Text:
        """The value for a place: the same each time, and no other place's as long as there are enough of them."""
        source = vocabulary.span.source
        if vocabulary.name.text not in self.own:
            self.sources[source.identity] = sha256(source.text.encode()).hexdigest()
        values = vocabulary.values
        digest = sha256("\n".join((self.task, vocabulary.name.text, place)).encode()).digest()
        start = int.from_bytes(digest[:8], "big") % len(values)
        ordered = (*values[start:], *values[:start])
        chosen = next((value for value in ordered if value.value.casefold() not in self.taken), ordered[0])
        self.taken.add(chosen.value.casefold())
        return chosen


def infer_pick(node: tree.Pick, names: Names, expected: Type | None) -> Expr:
    """`pick VOCABULARY`: a value of the vocabulary, as a literal of the field that it stands in."""
    broken = Constant(None, type=ERROR, span=node.span)
    if names.picks is None or names.stage is not Stage.DATA:
        names.sink.append(report("E293", node.span, place=names.stage.value))
        return broken
    vocabulary = names.picks.find(node.vocabulary.text)
    if vocabulary is None:
        help = did_you_mean(node.vocabulary.text, names.picks.known())
        names.sink.append(report("E292", node.vocabulary.span, name=node.vocabulary.text, help=help))
        return broken
    chosen = names.picks.take(vocabulary, names.place)
    return convert_text(tree.Text(chosen.value, span=node.span), names, expected)


def check_vocabularies(
    items: Iterable[tree.Item], imported: Vocabularies, sink: list[Diagnostic]
) -> dict[str, tree.Vocabulary]:
    """Those that a file can name: its own and those of the files that it uses."""
    known = dict(imported)
    for item in items:
        if isinstance(item, tree.Vocabulary):
            name = item.name.text
            if name in known:
                first = Label(known[name].name.span, "this is the other one")
                sink.append(report("E262", item.name.span, kind="vocabulary", name=name, related=(first,)))
            known[name] = item
            _report_repeated(item, sink)
    return known


def _report_repeated(vocabulary: tree.Vocabulary, sink: list[Diagnostic]) -> None:
    first: dict[str, tree.Text] = {}
    for value in vocabulary.values:
        other = first.setdefault(value.value.casefold(), value)
        if other is not value:
            related = (Label(other.span, "first written here"),)
            sink.append(report("E262", value.span, kind="value", name=value.value, related=related))


def written_texts(rows: Iterable[tree.Row]) -> set[str]:
    """The texts that an author wrote into records, as `Picks.taken` holds them."""
    values = (entry.value for row in rows for entry in row.fields.entries)
    return {value.value.casefold() for value in values if isinstance(value, tree.Text)}


def check_planning_words(
    dimension: str, words: Iterable[tree.Expression], known: Iterable[str], sink: list[Diagnostic]
) -> None:
    """A warning for each word that is none of those by which tasks are planned and counted."""
    known = tuple(known)
    for node in words:
        word = node.text if isinstance(node, tree.Name) else node.value if isinstance(node, tree.Text) else None
        if word is not None and word not in known:
            help = did_you_mean(word, known, f"declare it with an own `enum {dimension} {{ {word} }}`")
            sink.append(report("W452", node.span, word=word, dimension=dimension.lower(), help=help))


__all__ = [
    "Picks",
    "StandardWords",
    "Vocabularies",
    "check_planning_words",
    "check_vocabularies",
    "infer_pick",
    "written_texts",
]
