"""A text that cannot be read, with its unreadable lines blanked: what is left keeps its place.

So an item with one broken statement still has its names, its records and its types. Nothing is reported of what was
mended; the diagnostics of a file come from the text as it is.
"""

from __future__ import annotations

import re

from lark import UnexpectedToken

from cwkc.editor.words import OPENING, Word, closed_by, index_before, opened_by, words
from cwkc.source import Source
from cwkc.syntax.grammar import grammar
from cwkc.syntax.outline import CLOSING, Piece, pieces
from cwkc.syntax.scanner import Slice

# How many mistakes of one item are blanked before the whole of it is given up.
ATTEMPTS = 8
# Where a text has no mistake.
NOWHERE = 1 << 60

VISIBLE = re.compile(r"[^\s]")


def mended(source: Source) -> Source:
    """The source with what cannot be read in it blanked; closing brackets that are missing stand in blanks."""
    text = source.text
    for piece in list(pieces(text, 0)):
        if piece.word:
            text = _mended_item(text, piece)
    return Source(source.name, text, source.identity)


def mended_before(text: str, start: int, end: int) -> str:
    """The text with the beginning of an item, from `start` to `end`, such that it could go on at `end`."""
    return _blanked_mistakes(text, start, end)[0]


def _mended_item(text: str, piece: Piece) -> str:
    readable, last = _blanked_mistakes(text, piece.start, piece.end)
    if last == NOWHERE:
        return readable
    closed, end = _closed(readable, piece.start, piece.end)
    return _blanked_mistakes(closed, piece.start, end)[0]


def _blanked_mistakes(text: str, start: int, end: int) -> tuple[str, int]:
    """The text, and how far it can be read: `end` where only the end comes too early, `NOWHERE` where all is well."""
    for _ in range(ATTEMPTS):
        mistake = first_mistake(text, start, end)
        if mistake >= end:
            return text, mistake
        blamed = sorted(_blamed(text, start, end, mistake), key=lambda block: block[1] - block[0])
        if not blamed:
            break
        tried = [_blanked(text, *block) for block in blamed]
        text = max(tried, key=lambda each: first_mistake(each, start, end))
    mistake = first_mistake(text, start, end)
    return (text, mistake) if mistake >= end else (_blanked(text, start, end), NOWHERE)


def first_mistake(text: str, start: int, end: int) -> int:
    """Where the item that stands there cannot be read on: `end` where it breaks off, `NOWHERE` where it is whole."""
    try:
        grammar().parse(Slice(text, start, end), start="declaration")
    except UnexpectedToken as error:
        return end if error.token.type == "$END" else int(error.token.start_pos or start)
    return NOWHERE


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + VISIBLE.sub(" ", text[start:end]) + text[end:]


def _blamed(text: str, start: int, end: int, mistake: int) -> list[tuple[int, int]]:
    """What may be to blame: the innermost brackets, the block of the line, that of the line before."""
    heads = _line_heads(text, start, end)
    index = max((i for i, head in enumerate(heads) if head.start <= mistake), default=0)
    blocks = [_block(text, heads, i, end) for i in (index, index - 1) if i > 0]
    inner = _within_brackets(text, list(words(text, start, end)), mistake)
    return [*blocks, inner] if inner else blocks


def _within_brackets(text: str, all_words: list[Word], mistake: int) -> tuple[int, int] | None:
    """What stands between the innermost brackets around the mistake, when that is something in one line."""
    opening = opened_by(all_words, index_before(all_words, mistake))
    if opening < 0:
        return None
    closing = closed_by(all_words, opening)
    if closing is None or closing == opening + 1:
        return None
    start, end = all_words[opening].end, all_words[closing].start
    return None if "\n" in text[start:end] else (start, end)


def _line_heads(text: str, start: int, end: int) -> list[Word]:
    """The words with which lines begin; within a text that takes several lines none does."""
    heads: list[Word] = []
    position = start
    for word in words(text, start, end):
        if not heads or "\n" in text[position : word.start]:
            heads.append(word)
        position = word.end
    return heads


def _block(text: str, heads: list[Word], index: int, end: int) -> tuple[int, int]:
    """A line with those that are indented further, and with the bracket that closes them."""
    own = _indentation(text, heads[index])
    last = index + 1
    while last < len(heads) and _indentation(text, heads[last]) > own:
        last += 1
    if last > index + 1 and last < len(heads) - 1 and heads[last].text in CLOSING:
        last += 1
    return heads[index].start, heads[last].start if last < len(heads) else end


def _indentation(text: str, word: Word) -> int:
    return word.start - text.rfind("\n", 0, word.start) - 1


def _closed(text: str, start: int, end: int) -> tuple[str, int]:
    """The text with the closing brackets that an item lacks in the blanks behind it, and where the item ends then."""
    is_open: list[str] = []
    last = start
    for word in words(text, start, end):
        last = word.end
        if word.text in OPENING:
            is_open.append(OPENING[word.text])
        elif is_open and word.text == is_open[-1]:
            is_open.pop()
    missing = "".join(reversed(is_open))
    if last + len(missing) > end and end < len(text):
        return _blanked(text, start, end), end
    return text[:last] + missing + text[last + len(missing) :], max(end, last + len(missing))
