"""What stands between the words of a file: comments, line breaks and empty lines, which the parser passes over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen
from lark import Token, Tree

from cwkc.syntax.documents import Comment, comment
from cwkc.syntax.reading import Branch

COMMENT = re.compile(r"#[^\n]*")
EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")


@frozen
class Remark:
    """A comment on a line of its own; `apart`: after an empty line."""

    comment: Comment
    apart: bool


@frozen
class Gap:
    """What stands before a word: a comment beside the word before it, comments on lines of their own.

    `breaks`: the word stands on another line than the one before it; `apart`: after an empty line.
    """

    beside: Comment | None = None
    remarks: tuple[Remark, ...] = ()
    breaks: bool = False
    apart: bool = False

    @property
    def has_comments(self) -> bool:
        return bool(self.remarks) or self.beside is not None

    @property
    def comments(self) -> Iterator[str]:
        if self.beside is not None:
            yield self.beside.text
        yield from (remark.comment.text for remark in self.remarks)


PLAIN, BROKEN, APART = Gap(), Gap(breaks=True), Gap(breaks=True, apart=True)


@frozen(eq=False)
class Words:
    """The words of a file in order, by where they begin, and the gap before each; the last is before the file's end."""

    text: str
    gaps: dict[int, Gap]
    following: dict[int, Gap]
    end: Gap

    def before(self, word: Token) -> Gap:
        return self.gaps[start(word)]

    def after(self, word: Token) -> Gap:
        return self.following[start(word)]

    def is_bare(self, word: Token) -> bool:
        """Whether no comment stands before or beside a word."""
        return not self.before(word).remarks and self.after(word).beside is None

    def column(self, word: Token) -> int:
        """How many characters of its line stand before a word."""
        return start(word) - (self.text.rfind("\n", 0, start(word)) + 1)

    @property
    def comments(self) -> tuple[str, ...]:
        """All comments, in order."""
        return tuple(each for gap in (*self.gaps.values(), self.end) for each in gap.comments)


def words_of(text: str, whole: Branch) -> Words:
    """The words of a file that lark read, with the gaps between them."""
    gaps: dict[int, Gap] = {}
    following: dict[int, Gap] = {}
    before, end = -1, 0
    for word in leaves(whole):
        gap = gaps[start(word)] = _gap(text, end, start(word))
        following[before] = gap
        before, end = start(word), start(word) + len(word)
    last = following[before] = _gap(text, end, len(text))
    return Words(text, gaps, following, last)


def leaves(whole: Branch) -> Iterator[Token]:
    """The words below a branch, in order."""
    waiting = [whole]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Tree):
            waiting.extend(reversed(each.children))
        else:
            yield each


def first_word(whole: Branch) -> Token:
    while not isinstance(whole, Token):
        whole = whole.children[0]
    return whole


def start(word: Token) -> int:
    """Where a word begins, in code points from the start of the file."""
    return word.start_pos or 0


def _gap(text: str, begin: int, end: int) -> Gap:
    between = text[begin:end]
    if "#" not in between:
        return PLAIN if "\n" not in between else APART if EMPTY_LINE.search(between) else BROKEN
    beside: Comment | None = None
    remarks: list[Remark] = []
    position = begin
    for found in COMMENT.finditer(text, begin, end):
        blanks = text[position : found.start()]
        if begin and not remarks and beside is None and "\n" not in blanks:
            beside = comment(found[0].rstrip(), True, _column(text, found.start()))
        else:
            remarks.append(Remark(comment(found[0].rstrip(), False, 0), bool(EMPTY_LINE.search(blanks))))
        position = found.end()
    apart = bool(EMPTY_LINE.search(text, position, end))
    return Gap(beside, tuple(remarks), "\n" in between, apart)


def _column(text: str, offset: int) -> int:
    """The place of a comment on its line, from the first word of it."""
    line_start = text.rfind("\n", 0, offset) + 1
    line = text[line_start:offset]
    return len(line) - (len(line) - len(line.lstrip(" \t")))
