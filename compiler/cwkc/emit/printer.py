"""Text that fits a line where it can and is broken over several where it must.

A document is a string, a `Line` (a place to break), an `Indent`, a `Group` (broken as a whole or not at all),
a `Choice` (what stands there in a broken group, and in one that is not), or a tuple of documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Union

from attrs import frozen

WIDTH = 120
STEP = 4
_AHEAD = 16
"""How many documents behind a group are looked at for the next break; one of them has it in all but odd cases."""


@frozen
class Line:
    """A break; `flat` stands in its place in a group that fits."""

    flat: str


@frozen
class Indent:
    content: Document


@frozen
class Group:
    content: Document


@frozen
class Choice:
    broken: str
    flat: str


Document = Union[str, Line, Indent, Group, Choice, "tuple[Document, ...]"]

SPACE, NOTHING = Line(" "), Line("")


def joined(documents: Iterable[Document], separator: Document) -> Document:
    """The documents with the separator between each two."""
    parts: list[Document] = []
    for document in documents:
        parts += [separator, document] if parts else [document]
    return tuple(parts)


def bracketed(opening: str, content: Document, closing: str) -> Document:
    """Content in brackets, indented on lines of its own when it does not fit."""
    return Group((opening, Indent((NOTHING, content)), NOTHING, closing))


def listed(opening: str, items: Iterable[Document], closing: str) -> Document:
    """Items in brackets: on one line, or one a line with a comma after the last."""
    items = tuple(items)
    if not items:
        return opening + closing
    return bracketed(opening, (joined(items, (",", SPACE)), Choice(",", "")), closing)


def called(function: str, *arguments: Document) -> Document:
    """A call of a function."""
    return listed(f"{function}(", arguments, ")")


def wrapped(content: Document) -> Document:
    """Content that gets parentheses only when it is broken: what a statement holds."""
    return Group((Choice("(", ""), Indent((NOTHING, content)), NOTHING, Choice(")", "")))


def printed(document: Document, indentation: int = 0) -> str:
    """The text of a document whose first line begins at the given column; later lines are indented from there."""
    widths = _measured(document)
    pieces: list[str] = []
    column = indentation
    stack: list[tuple[int, bool, Document]] = [(indentation, True, document)]
    while stack:
        indent, broken, part = stack.pop()
        if isinstance(part, Line) and broken:
            pieces.append("\n" + " " * indent)
            column = indent
            continue
        if isinstance(part, Group):
            broken = broken and column + widths[id(part)] + _following(stack, widths) > WIDTH
        text = _text(part, broken)
        pieces.append(text)
        column += len(text)
        deeper = indent + STEP if isinstance(part, Indent) else indent
        stack.extend((deeper, broken, child) for child in reversed(_children(part)))
    return "".join(pieces)


def _text(part: Document, broken: bool) -> str:
    """The text that a document begins with."""
    match part:
        case str():
            return part
        case Line(flat):
            return flat
        case Choice(when_broken, flat):
            return when_broken if broken else flat
        case _:
            return ""


def _children(part: Document) -> tuple[Document, ...]:
    """The documents inside a document."""
    if isinstance(part, tuple):
        return part
    return (part.content,) if isinstance(part, Indent | Group) else ()


def _measured(document: Document) -> dict[int, int]:
    """The width on one line of the document and of everything inside it, by identity.

    Without recursion, since a deep expression makes a deeper document.
    """
    found = [document]
    for part in found:
        found.extend(_children(part))
    widths: dict[int, int] = {}
    for part in reversed(found):
        widths[id(part)] = len(_text(part, False)) + sum(widths[id(child)] for child in _children(part))
    return widths


def _following(stack: list[tuple[int, bool, Document]], widths: dict[int, int]) -> int:
    """The width of what stands behind a group up to the next break."""
    width = 0
    waiting = [(broken, part) for _, broken, part in stack[-_AHEAD:]]
    while waiting and width <= WIDTH:
        broken, part = waiting.pop()
        if isinstance(part, Line) and broken:
            break
        if not broken or isinstance(part, Group):
            width += widths[id(part)]
            continue
        width += len(_text(part, broken))
        waiting.extend((broken, child) for child in reversed(_children(part)))
    return width
