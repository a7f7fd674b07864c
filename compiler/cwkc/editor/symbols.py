"""Names in a text, and the declarations that they stand for."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from cwkc.source import Span


@frozen(eq=False)
class Symbol:
    """Something that is declared. `kind` is its name in words; `declared` is what the checker knows of it, else its
    place in the syntax tree; `owner` is the qualified name of what it belongs to."""

    kind: str
    name: str
    place: Span
    declared: Any = None
    owner: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """The same for every occurrence, in whatever file."""
        return self.place.source.name, self.place.start


@frozen(eq=False)
class Occurrence:
    span: Span
    symbol: Symbol
    declares: bool = False
