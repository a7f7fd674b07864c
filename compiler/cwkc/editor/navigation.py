"""Going to a definition, and finding every place that names the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cwkc.editor.analysis import Analysis
from cwkc.editor.symbols import Occurrence, Symbol
from cwkc.source import Span


def definition(analysis: Analysis, offset: int) -> Span | None:
    """Where what is named at an offset is declared."""
    found = analysis.readable.at(offset)
    return found.symbol.place if found else None


def references(symbol: Symbol, analyses: Iterable[Analysis]) -> Iterator[Occurrence]:
    """Every occurrence of a symbol in the texts, its declaration among them."""
    for analysis in analyses:
        yield from (each for each in analysis.readable.occurrences if each.symbol.key == symbol.key)
