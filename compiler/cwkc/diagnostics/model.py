"""One diagnostic, as every room reports it and every renderer shows it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from attrs import frozen

from cwkc.source import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@frozen
class Entry:
    """A kind of diagnostic: a row of the catalogue.

    `message` and `help` are templates in `str.format` form: lower case, no full stop, one sentence
    that stands alone, the author's text in backticks.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str = ""
    fix: str | None = None
    """A template of what to write in the place of the text that is marked, where that alone mends it."""


@frozen
class Label:
    """A further place, and why it matters: the reason for the expectation, the other half of a clash."""

    span: Span
    text: str


class Suggestion(str):
    """A help that offers one word in the place of the text that is marked."""

    word: str

    def __new__(cls, help: str, word: str) -> Suggestion:
        suggestion = super().__new__(cls, help)
        suggestion.word = word
        return suggestion


@frozen
class Diagnostic:
    """What is wrong, where, and how to mend it. `fix`: a text in the place of the marked one, which an editor can put
    there."""

    entry: Entry
    span: Span
    message: str
    help: str = ""
    related: tuple[Label, ...] = ()
    fix: str | None = None

    @property
    def code(self) -> str:
        return self.entry.code

    @property
    def is_error(self) -> bool:
        return self.entry.severity is Severity.ERROR


def error(code: str, name: str, message: str, help: str = "", fix: str | None = None) -> Entry:
    return Entry(code, name, Severity.ERROR, message, help, fix)


def warning(code: str, name: str, message: str, help: str = "") -> Entry:
    return Entry(code, name, Severity.WARNING, message, help)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.is_error for diagnostic in diagnostics)
