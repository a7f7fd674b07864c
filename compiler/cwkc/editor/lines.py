"""Offsets in a text, and places as the language server protocol counts them: lines and code units from 0."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

LINE_END = re.compile(r"\r\n|\n|\r")

Length = Callable[[str], int]
"""How many code units a text takes."""


def utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class Lines:
    """Where the lines of a text begin. Its line ends are those of the protocol, which counts a lone `\\r` as one."""

    def __init__(self, text: str, length: Length = utf16_length) -> None:
        self.text = text
        self.length = length
        self.starts = [0, *(end.end() for end in LINE_END.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return line, self.length(self.text[self.starts[line] : offset])

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; one beyond the end of its line or of the text stands for that end."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        content = LINE_END.split(self.text[start:end], maxsplit=1)[0]
        if content.isascii():
            return start + min(column, len(content))
        for index, character in enumerate(content):
            if column <= 0:
                return start + index
            column -= self.length(character)
        return start + len(content)
