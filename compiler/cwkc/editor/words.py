"""The words of a text, read without the grammar: for places in it that need not be right as a whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from attrs import frozen

from cwkc.syntax.outline import CLOSING, PAIRS
from cwkc.syntax.scanner import TOKEN

OPENING = {**PAIRS, ".{": "}"}
COMMENT = re.compile(r"\#[^\n]*")


@frozen
class Word:
    """A token as it is written; `kind` is a group of the scanner's: WORD, SIGN, LITERAL, STRING, REF and so on."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def words(text: str, start: int = 0, end: int | None = None) -> Iterator[Word]:
    """The words of a stretch of the text, in order."""
    for match in TOKEN.finditer(text, start, len(text) if end is None else end):
        if match.lastgroup is not None:
            yield Word(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))


def comments(text: str, all_words: list[Word]) -> Iterator[re.Match[str]]:
    """The comments: what begins with `#` between words."""
    position = 0
    for word in (*all_words, Word("END", "", len(text))):
        yield from COMMENT.finditer(text, position, word.start)
        position = word.end


def index_before(all_words: list[Word], offset: int) -> int:
    """The index of the last word that begins before the offset; -1 where there is none."""
    return bisect_right(all_words, offset - 1, key=lambda word: word.start) - 1


def opened_by(all_words: list[Word], index: int) -> int:
    """The index of the innermost bracket that is open after the word of the index; -1 where none is."""
    depth = 0
    while index >= 0:
        text = all_words[index].text if all_words[index].kind == "SIGN" else ""
        if text in CLOSING:
            depth += 1
        elif text in OPENING:
            if depth == 0:
                return index
            depth -= 1
        index -= 1
    return -1


def closed_by(all_words: list[Word], opening: int) -> int | None:
    """The index of the bracket that closes the one of the index; None where none does."""
    depth = 0
    for index in range(opening, len(all_words)):
        text = all_words[index].text if all_words[index].kind == "SIGN" else ""
        depth += (text in OPENING) - (text in CLOSING)
        if depth == 0:
            return index
    return None
