"""A place at which something is being written: the words before it, and what the grammar can take there."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen
from lark import Token
from lark.lexer import PatternStr

from cwkc.editor.analysis import Analysis
from cwkc.editor.mending import mended_before
from cwkc.editor.words import Word, index_before
from cwkc.syntax.grammar import grammar
from cwkc.syntax.outline import CLOSING, PAIRS, pieces
from cwkc.syntax.scanner import Slice
from cwkc.syntax.vocabulary import ITEMS

PARTIAL = re.compile(r"""@"[^"\n]*\Z | @?[A-Za-z0-9_-]*\Z""", re.VERBOSE)
HOLE = re.compile(r"\{([A-Za-z0-9_.]*)\Z")
OPEN = frozenset({*PAIRS, ".{"})


@frozen(eq=False)
class Place:
    """`start` is where the word begins that is being written, `offset` is the place itself.

    `tokens` are those of the item before that word, as the parser takes them; `accepted` is what it takes next, with
    keywords and signs as they are written. `text` is what they were read from: the text, its mistakes blanked.
    """

    analysis: Analysis
    text: str
    item_start: int
    start: int
    offset: int
    tokens: tuple[Token, ...]
    accepted: frozenset[str]
    hole: str | None = None
    """Within `$"…{a.b`, the names before the one that is being written; None outside of it."""

    def type(self, index: int) -> str:
        """The kind of a token, counted from 0 or from the end; empty where there is none."""
        return self.tokens[index].type if -len(self.tokens) <= index < len(self.tokens) else ""

    def opening(self, index: int | None = None) -> int:
        """The index of the innermost bracket that is open after the token of the index; -1 where none is."""
        position, depth = len(self.tokens) - 1 if index is None else index, 0
        while position >= 0:
            if self.tokens[position] in CLOSING:
                depth += 1
            elif self.tokens[position] in OPEN:
                if depth == 0:
                    return position
                depth -= 1
            position -= 1
        return -1

    def closing(self, index: int) -> int:
        """The index of the bracket that closes the one of the index; the number of tokens where none does."""
        depth = 0
        for position in range(index, len(self.tokens)):
            depth += (self.tokens[position] in OPEN) - (self.tokens[position] in CLOSING)
            if depth == 0:
                return position
        return len(self.tokens)

    def chain_start(self, end: int) -> int:
        """The index at which the operand begins whose last token has the index `end`: names, dots and brackets."""
        position = end
        while position >= 0:
            if self.tokens[position] in CLOSING:
                position = self.opening(position - 1)
                before = self.tokens[position - 1] if position > 0 else None
                if before is None or not (before.type in ("NAME", "REF") or before in CLOSING):
                    return position
                position -= 1
            elif position > 0 and self.type(position - 1) == "DOT":
                position -= 2
            else:
                return position
        return 0

    def written(self, first: int, last: int) -> str:
        """The text from one token to another."""
        end = self.tokens[last]
        return self.text[start_of(self.tokens[first]) : start_of(end) + len(end)]


def start_of(token: Token) -> int:
    """The offset of a token; the scanner gives every one its own."""
    return token.start_pos or 0


def place_at(analysis: Analysis, offset: int) -> Place | None:
    """The place; None within a comment or a text."""
    text, word = analysis.source.text, _text_around(analysis, offset)
    hole = HOLE.search(text, word.start, offset) if word and word.text.startswith("$") else None
    if (word is not None and hole is None) or (word is None and _is_in_comment(analysis, offset)):
        return None
    start = offset - len(hole[1].rpartition(".")[2]) if hole else _word_start(text, offset)
    end = word.start if word else start
    piece = next((each for each in pieces(text, 0) if each.start < end <= each.end and each.word), None)
    if piece is None or (end == piece.end and text[piece.start : piece.end].rstrip().endswith("}")):
        return Place(analysis, text, start, start, offset, (), _top_level(text, start))
    mended = mended_before(text, piece.start, end)
    tokens, accepted = _taken(mended, piece.start, end)
    if piece.word == "use" and "$END" in accepted:
        accepted |= frozenset(ITEMS)
    return Place(
        analysis, mended, piece.start, start, offset, tokens, accepted, hole[1].rpartition(".")[0] if hole else None
    )


def _text_around(analysis: Analysis, offset: int) -> Word | None:
    """The text in whose quotes an offset lies, be it closed or not."""
    index = index_before(analysis.words, offset)
    word = analysis.words[index] if index >= 0 else None
    if (
        word is None
        or offset > word.end
        or '"' not in word.text
        or word.kind not in ("STRING", "INTERPOLATED", "FOREIGN")
    ):
        return None
    return word if offset < word.end or word.kind == "FOREIGN" else None


def _is_in_comment(analysis: Analysis, offset: int) -> bool:
    index = index_before(analysis.words, offset)
    line_start = analysis.source.text.rfind("\n", 0, offset) + 1
    return "#" in analysis.source.text[max(line_start, analysis.words[index].end if index >= 0 else 0) : offset]


def _word_start(text: str, offset: int) -> int:
    """Where the word begins that is being written."""
    partial = PARTIAL.search(text, text.rfind("\n", 0, offset) + 1, offset)
    assert partial is not None, "the pattern matches the empty word"
    return partial.start()


def _top_level(text: str, start: int) -> frozenset[str]:
    return frozenset(ITEMS) if text[:start].strip() else frozenset({"cwk"})


def _taken(text: str, start: int, end: int) -> tuple[tuple[Token, ...], frozenset[str]]:
    """The tokens of the beginning of an item, and what may come next; for one that is whole nothing."""
    if not text[start:end].strip():
        return (), frozenset(ITEMS)
    parser: Any = grammar().parse_interactive(Slice(text, start, end), start="declaration")
    tokens = tuple(parser.iter_parse())
    written = {each.name: each.pattern.value for each in grammar().terminals if isinstance(each.pattern, PatternStr)}
    return tokens, frozenset(written.get(each, each) for each in parser.accepts())


def accepted_before(place: Place, index: int) -> frozenset[str]:
    """What the grammar can take in the place of a token."""
    return _taken(place.text, place.item_start, start_of(place.tokens[index]))[1]
