"""A plan as a `.cwk` file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cwkc.planning.words import ENTRIES, SEVERAL, Words
from cwkc.source import Source
from cwkc.syntax.formatter import format_text

WRITTEN = ("service", *(dimension for dimension in ENTRIES if dimension != "service"))
"""The dimensions in the order in which a slot says them."""


def plan_text(slots: Sequence[Words]) -> str:
    """The file of the plan `tasks` with these slots, laid out as the formatter lays it out."""
    services = sorted({service for slot in slots for service in slot["service"]})
    width = len(str(len(slots)))
    lines = (f"slot S{number:0{width}} {{ {', '.join(_entries(slot))} }}" for number, slot in enumerate(slots, start=1))
    text = "\n".join(("cwk 1", f"use {', '.join(services)}", "plan tasks {", *lines, "}", ""))
    laid_out, found = format_text(Source("plan.cwk", text))
    assert laid_out is not None, found
    return laid_out


def _entries(slot: Words) -> Iterator[str]:
    for dimension in WRITTEN:
        if words := slot[dimension]:
            yield f"{ENTRIES[dimension]}: " + (f"[{', '.join(words)}]" if dimension in SEVERAL else words[0])
