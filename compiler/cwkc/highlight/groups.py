"""The words of the language, as the grammar has them, in the groups that are coloured alike."""

from __future__ import annotations

import re

from cwkc.resources import grammar_text

QUOTED = re.compile(r'"([a-z]+)"')

DECLARING = frozenset({"cwk", "use", "service", "world", "task", "family", "grade", "plan", "enum", "record", "store"})
DECLARING |= {"tool", "let", "deliver", "asset", "slot"}
OPERATORS = frozenset({"and", "or", "not", "in", "is", "of", "contains", "matches", "mentions", "states", "within"})
OPERATORS |= {"lists", "before"}
CONSTANTS = frozenset({"true", "false", "null"})
SPECIAL = frozenset({"answer", "said"})

# The names that every file knows: they are no words of the grammar.
TYPES = ("bool", "date", "datetime", "decimal", "duration", "email", "int", "text", "url")


def groups() -> dict[str, tuple[str, ...]]:
    """Every word of the grammar, sorted, by group: `declaring`, `operator`, `constant`, `special`, and `keyword` for
    the rest."""
    rules = (line for line in grammar_text().splitlines() if line[:1].islower() or line[:1] in "? ")
    words = {word for line in rules for word in QUOTED.findall(line)}
    sets = {"declaring": DECLARING, "operator": OPERATORS, "constant": CONSTANTS, "special": SPECIAL}
    found = {name: tuple(sorted(words & members)) for name, members in sets.items()}
    return {**found, "keyword": tuple(sorted(words.difference(*sets.values())))}
