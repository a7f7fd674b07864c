"""What a plan closes: the numbers before and after it, and the table that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from cwkc.planning.requirements import Requirements
from cwkc.planning.slots import Planned
from cwkc.planning.tally import Tally
from cwkc.planning.words import ENTRIES, Words


def document(wanted: Requirements, before: Tally, planned: Planned, seed: int) -> dict[str, Any]:
    """The numbers, as JSON has them. They are of the words that the requirements allow.

    `tasks`, and whatever else has two numbers: before and after the plan. `cells`: of a capability and a scenario, how
    many tasks have both, where there is one. `pairs`: of two dimensions, how many pairs of their words there are, and
    in how many some task has both.
    """
    words, tallies = wanted.words, (before, planned.after)
    return {
        "slots": len(planned.slots),
        "seed": seed,
        "tasks": [tally.tasks for tally in tallies],
        "words": {
            dimension: {word: [tally.words[dimension, word] for tally in tallies] for word in words[dimension]}
            for dimension in ENTRIES
        },
        "cells": {each: dict(_cells(each, words["scenario"], tallies)) for each in words["capability"]},
        "pairs": {f"{one}, {other}": _pairs(one, other, words, tallies) for one, other in combinations(ENTRIES, 2)},
        "missed": [
            {"entry": ENTRIES[dimension], "word": word, "wanted": count, "planned": had}
            for (dimension, word), (count, had) in planned.missed.items()
        ],
    }


def _cells(capability: str, scenarios: Sequence[str], tallies: Sequence[Tally]) -> Iterator[tuple[str, list[int]]]:
    for scenario in scenarios:
        counts = [tally.cell(capability, scenario) for tally in tallies]
        if any(counts):
            yield scenario, counts


def _pairs(one: str, other: str, words: Words, tallies: Sequence[Tally]) -> dict[str, Any]:
    every = [((one, first), (other, second)) for first in words[one] for second in words[other]]
    return {"possible": len(every), "covered": [sum(pair in tally.pairs for pair in every) for tally in tallies]}


# ---------------------------------------------------------------------------- for people


def lines(numbers: Mapping[str, Any]) -> Iterator[str]:
    """The numbers of `document` as tables: of capabilities, of dimensions, and of pairs."""
    cells, words, pairs = numbers["cells"], numbers["words"], numbers["pairs"]
    both = [sum(each["covered"][place] for each in pairs.values()) for place in (0, 1)]
    every = {"possible": sum(each["possible"] for each in pairs.values()), "covered": both}
    yield from _table(
        ("capability", "tasks before", "after", "scenarios before", "after"),
        [(each, *words["capability"][each], *_used(cells[each])) for each in sorted(cells)],
    )
    yield ""
    yield from _table(
        ("dimension", "words in use before", "after", "of"),
        [(dimension, *_used(each), len(each)) for dimension, each in words.items()],
    )
    yield ""
    yield from _table(
        ("pairs of", "covered before", "after", "of"),
        [
            (name, *each["covered"], each["possible"])
            for name, each in {"a capability and a scenario": pairs["capability, scenario"], "any two": every}.items()
        ],
    )
    yield ""
    yield f"tasks: {numbers['tasks'][0]} before, {numbers['tasks'][1]} after"
    for each in numbers["missed"]:
        told = f"{each['wanted']} slots were to have it, and {each['planned']} cannot do without it"
        yield f"{each['entry']}: `{each['word']}`: {told}"


def _used(counts: Mapping[str, Sequence[int]]) -> tuple[int, int]:
    """How many words some task has, before and after."""
    before, after = (sum(each[place] > 0 for each in counts.values()) for place in (0, 1))
    return before, after


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    first, *others = (max(len(str(cell)) for cell in column) for column in zip(head, *rows, strict=True))
    for name, *numbers in (head, *rows):
        cells = (f"{number!s:>{width}}" for number, width in zip(numbers, others, strict=True))
        yield "  ".join((f"{name!s:{first}}", *cells))
