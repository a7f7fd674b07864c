"""Where the parser stopped, with the words around the place and what it would have taken there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Any

from attrs import frozen
from lark import UnexpectedToken
from lark.lexer import PatternStr

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.source import Source, Span
from cwkc.syntax.grammar import grammar
from cwkc.syntax.scanner import TOKEN, Slice

# How many words before and after the place are looked at.
BEFORE, AFTER = 64, 3


@frozen
class Word:
    """A token as it is written; `kind` is a group of the scanner's, `END` at the end."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@frozen
class Mistake:
    """`expected` has keywords and signs as they are written, else the names of terminals; `$END` is the end."""

    source: Source
    before: tuple[Word, ...]
    found: Word
    after: tuple[Word, ...]
    expected: frozenset[str]

    @property
    def previous(self) -> Word:
        """The word before the place; an empty one at the beginning."""
        return self.before[-1] if self.before else Word("END", "", self.found.start)

    @property
    def next(self) -> Word:
        return self.after[0] if self.after else Word("END", "", self.found.end)

    @property
    def line(self) -> tuple[Word, ...]:
        """The words before the place that stand in its line."""
        start = self.source.text.rfind("\n", 0, self.found.start) + 1
        return tuple(word for word in self.before if word.start >= start)

    def span(self, first: Word | None = None, last: Word | None = None) -> Span:
        return Span(self.source, (first or self.found).start, (last or self.found).end)

    def report(self, code: str, span: Span | None = None, related: tuple[Label, ...] = (), **words: Any) -> Diagnostic:
        return report(code, span or self.span(), related=related, **words)


def mistake(source: Source, piece: Slice, error: UnexpectedToken) -> Mistake:
    """What stopped the parser; a word that was taken for the name of a `name: value` is itself to blame."""
    parser: Any = error.interactive_parser
    offset = piece.end if error.token.type == "$END" else error.token.start_pos
    acceptable = _readable(parser.accepts())
    if acceptable == {":"} and _begins_statement(parser):
        offset = _around(source, piece, offset, acceptable).previous.start
    return _around(source, piece, offset, _expected_at(piece, offset) or acceptable)


def _expected_at(piece: Slice, offset: int) -> frozenset[str]:
    """What the grammar can take after the text before the offset; nothing when that text is complete.

    At the word that was not taken the parser knows less: it has already left what that word does not go on with.
    """
    try:
        grammar().parse(Slice(piece.text, piece.start, offset), start="declaration")
    except UnexpectedToken as error:
        parser: Any = error.interactive_parser
        return _readable(parser.accepts())
    return frozenset()


def _begins_statement(parser: Any) -> bool:
    """Whether a keyword could have stood in the place of the last word."""
    state = parser.parser_state
    row = state.parse_conf.states[state.state_stack[-2]]
    return sum(word.isalpha() and word.islower() for word in _readable(row)) > 1


def at(source: Source, piece: Slice, offset: int, expected: Iterable[str]) -> Mistake:
    """A mistake at a place that no parser was sent to."""
    return _around(source, piece, offset, frozenset(expected))


def _around(source: Source, piece: Slice, offset: int, expected: frozenset[str]) -> Mistake:
    before: deque[Word] = deque(maxlen=BEFORE)
    words = _words(piece)
    for word in words:
        if word.start >= offset:
            return Mistake(source, tuple(before), word, tuple(islice(words, AFTER)), expected)
        before.append(word)
    return Mistake(source, tuple(before), Word("END", "", before[-1].end if before else piece.start), (), expected)


def _words(piece: Slice) -> Iterable[Word]:
    return (
        Word(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        for match in TOKEN.finditer(piece.text, piece.start, piece.end)
        if match.lastgroup is not None
    )


def _readable(terminals: Iterable[str]) -> frozenset[str]:
    """Keywords and signs as they are written."""
    written = {
        terminal.name: terminal.pattern.value
        for terminal in grammar().terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    return frozenset(written.get(terminal, terminal) for terminal in terminals)
