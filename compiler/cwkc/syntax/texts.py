"""The long form of a text literal, with the indentation of the place where it is printed."""

from __future__ import annotations

from cwkc.syntax.literals import margin


def long_text_lines(written: str) -> tuple[tuple[str, ...], bool]:
    """The lines of a literal, quotes included, and whether those after the first are to stand further in.

    The text that the literal stands for stays the same. Beside the opening quotes a line has no indentation that could
    be changed: then all lines stay as they are.
    """
    first, *rest = (each.removesuffix("\r") for each in written.split("\n"))
    if first.removeprefix("$")[3:].strip():
        return (first, *rest), False
    *middle, last = rest
    closing = last.removesuffix('"""')
    content = [each for each in (*middle, closing) if each.strip()]
    cut = margin(content)
    lines = [each[cut:] if each.strip() else "" for each in middle]
    return (first.rstrip(" \t"), *lines, last[cut:] if closing.strip() else '"""'), True
