"""A file seen from afar: brackets and the words that begin items. Texts and comments are passed over.

This is how a file is taken apart when it cannot be read as a whole; one scan, linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from attrs import define, field

from cwkc.syntax.scanner import NESTING

PAIRS = {"{": "}", "(": ")", "[": "]"}
CLOSING = frozenset(PAIRS.values())

LANDMARK = re.compile(
    r"""
      \#[^\n]*+
    | \"{3} (?: [^"\\]++ | \\(?s:.) | "(?!"") )*+ (?: \"{3} | \Z )
    | " (?: [^"\\\n]++ | \\. )*+ (?: " | $ )
    | (?P<brackets> [{}()\[\]]++ )
    | (?<![\w.@-]) (?P<word> use | service | world | task | family | grade | plan | enum | record | vocabulary )
      (?= [ \t]++ ["A-Za-z_] | [ \t]*+ \{ )
    """,
    re.VERBOSE | re.MULTILINE,
)

# Where a word that begins items is a name: after such a word, and in a list of names.
BEFORE_A_NAME = re.compile(
    r"""
    (?: \b (?: use | as | in | service | world | task | family | grade | plan | enum | record | vocabulary ) [ \t\r\n]+
      | , [ \t\r\n]*
    ) \Z
    """,
    re.VERBOSE,
)
# As far back as such a word is looked for, and the line break before a bracket.
LOOK_BACK = 100

# As many brackets of a piece are matched; one that is wrong after these is not looked for.
MATCHED = 10_000

BLANK = re.compile(r"(?: [ \t\r\n]++ | \#[^\n]*+ )*+", re.VERBOSE)


@define
class Piece:
    """A stretch of the file: an item, with the word that begins it, or (then `word` is empty) text that is in none.

    `brackets` are the offsets of its brackets.
    """

    word: str
    start: int
    end: int = 0
    depth: int = 0
    brackets: list[int] = field(factory=list)


def pieces(text: str, start: int) -> Iterator[Piece]:
    """The items from `start` on and what stands between them, in order; blank stretches are left out."""
    piece = Piece("", start)
    for mark in LANDMARK.finditer(text, start):
        if mark.lastgroup == "brackets":
            for offset in range(mark.start(), mark.end()):
                if _is_last_bracket(piece, text[offset], offset):
                    yield from _ended(text, piece, offset + 1)
                    piece = Piece("", offset + 1)
        elif mark.lastgroup == "word" and _begins_item(text, mark, piece):
            yield from _ended(text, piece, mark.start())
            piece = Piece(mark[0], mark.start())
    yield from _ended(text, piece, len(text))


def _is_last_bracket(piece: Piece, bracket: str, offset: int) -> bool:
    """Note a bracket of the piece; whether the piece ends with it."""
    piece.brackets.append(offset)
    if bracket in PAIRS:
        piece.depth += 1
        return False
    if piece.depth:
        piece.depth -= 1
    return bracket == "}" and not piece.depth and bool(piece.word)


def _begins_item(text: str, mark: re.Match[str], piece: Piece) -> bool:
    """In brackets only a word at the very start of a line begins an item: the brackets were not closed."""
    start = mark.start()
    is_at_line_start = start == 0 or text[start - 1] == "\n"
    if piece.depth:
        return is_at_line_start and not (piece.word == "service" and mark[0] in ("enum", "record"))
    return is_at_line_start or not BEFORE_A_NAME.search(text, max(0, start - LOOK_BACK), start)


def _ended(text: str, piece: Piece, end: int) -> Iterator[Piece]:
    piece.end = end
    if piece.word or not BLANK.fullmatch(text, piece.start, end):
        yield piece


def unbalanced(text: str, piece: Piece) -> int | None:
    """The offset of the bracket to blame when they do not match: one that is not closed, or one that closes nothing.

    A bracket that closes at the start of a line closes the bracket whose line is indented as far: so the one that
    was forgotten further in is found.
    """
    is_open: list[int] = []
    awaited: Counter[str] = Counter()
    for offset in piece.brackets[:MATCHED]:
        bracket = text[offset]
        if bracket in PAIRS:
            is_open.append(offset)
            awaited[PAIRS[bracket]] += 1
        elif not awaited[bracket]:
            return offset
        elif PAIRS[text[is_open[-1]]] != bracket or _closes_further_out(text, offset, is_open):
            return is_open[-1]
        else:
            is_open.pop()
            awaited[bracket] -= 1
    return is_open[-1] if is_open and len(piece.brackets) <= MATCHED else None


def _closes_further_out(text: str, offset: int, is_open: list[int]) -> bool:
    line = text.rfind("\n", max(0, offset - LOOK_BACK), offset) + 1
    column = offset - line
    if not line or text[line:offset].strip() or _indentation(text, is_open[-1]) <= column:
        return False
    further_out = is_open[-1 - NESTING : -1]
    return any(PAIRS[text[other]] == text[offset] and _indentation(text, other) == column for other in further_out)


def _indentation(text: str, offset: int) -> int:
    """Of the line in which the offset lies."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start : offset + 1]
    return len(line) - len(line.lstrip(" \t"))
