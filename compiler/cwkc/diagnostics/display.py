"""How text looks on a terminal: its width there, and its parts that would upset the layout."""

from __future__ import annotations

import unicodedata

TAB = 4


def printable(text: str) -> str:
    """The text with tabs as spaces and with nothing that moves the cursor, colours or turns the line round."""
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " " * TAB
    category = unicodedata.category(character)
    if category == "Cc":
        return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"
    return "\ufffd" if category in ("Cf", "Cs", "Co", "Cn", "Zl", "Zp") else character


def width(text: str) -> int:
    """How many columns a printable text takes."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clip(text: str, columns: int) -> str:
    """The longest beginning of a printable text that fits."""
    taken = 0
    for index, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            return text[:index]
    return text


def wrap(text: str, columns: int | None) -> list[str]:
    """The words of a text on lines of at most so many columns; a longer word has a line of its own."""
    if columns is None:
        return [text]
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width(joined) > columns:
            lines.append(word)
        else:
            lines[-1] = joined
    return lines
