"""The dimensions of a plan, the words of each, and which words go together in a task."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache

from attrs import frozen

from cwkc.resources import PACKAGE, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse

ENTRIES = {
    "capability": "capabilities",
    "scenario": "scenario",
    "category": "category",
    "difficulty": "difficulty",
    "language": "language",
    "deliverable": "deliverable",
    "persona": "persona",
    "safety": "safety",
    "service": "services",
}
"""The dimensions in the order in which they are counted, each with its entry in a slot."""

SEVERAL = frozenset({"capability", "service"})
"""The dimensions of which a slot has several words."""

Words = Mapping[str, tuple[str, ...]]
"""The words of a task, or of a slot, by dimension."""


@cache
def known_words() -> Words:
    """The words of each dimension but `language`, which takes any."""
    module, _ = parse(Source("stdlib/vocabularies/planning.cwk", standard_words("planning")))
    enums = {item.name.text.lower(): item for item in module.items if isinstance(item, tree.Enumeration)}
    words = {name: tuple(value.text for value in item.values) for name, item in enums.items()}
    return words | {"service": standard_services()}


@frozen(eq=False)
class Fitting:
    """What goes together, as fitting.toml has it. `scenarios`: of each, the services in which its records lie, and its
    categories. `needs`: of a word in a dimension, the services of which a task needs one. `services`: how many a
    task of a difficulty has at least. `capabilities`: how many it asks for."""

    scenarios: Mapping[str, Mapping[str, list[str]]]
    needs: Mapping[str, Mapping[str, list[str]]]
    services: Mapping[str, int]
    capabilities: Mapping[str, list[int]]

    def needed(self, dimension: str, word: str) -> list[str]:
        """The services of which a slot with the word must have one; empty where any will do."""
        if dimension == "scenario":
            return self.scenarios[word]["services"]
        return self.needs.get(dimension, {}).get(word, [])

    def possible(self, dimension: str, word: str, services: Collection[str]) -> bool:
        """Whether a slot that may name these services can have the word."""
        needed = self.needed(dimension, word)
        return not needed or any(service in services for service in needed)

    def suits(self, dimension: str, word: str, scenario: str) -> bool:
        """Whether the word is at home in the scenario. What is not may still be asked for with it."""
        at_home = self.scenarios[scenario]
        if (entry := ENTRIES[dimension]) in at_home:
            return word in at_home[entry]
        return self.possible(dimension, word, at_home["services"])


@cache
def fitting() -> Fitting:
    """The table that comes with the package."""
    table = tomllib.loads((PACKAGE / "planning" / "fitting.toml").read_text(encoding="utf-8"))
    return Fitting(table["scenario"], table["needs"], table["services"], table["capabilities"])
