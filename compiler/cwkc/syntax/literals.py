"""What a literal stands for: numbers, times, durations and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction

from lark import Token

from cwkc.source import Span
from cwkc.syntax import tree
from cwkc.syntax.reading import Reading

DIGITS = 100
DAYS = timedelta.max.days
SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
UNITS = {"week": "w", "day": "d", "hour": "h", "hr": "h", "minute": "m", "min": "m", "second": "s", "sec": "s"}
"""Other words for the units."""
NUMBER = re.compile(r"([0-9][0-9_]*)(\.[0-9][0-9_]*)?(\w*)")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
TIME = re.compile(DATE.pattern + r"T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})")

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|(?s:.))")
# An interpolated text: doubled braces, a name in braces, a lone brace with what follows it.
BRACES = re.compile(r"\{\{|\}\}|\{([^{}\"\n]*)\}|[{}]")
DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")


# ---------------------------------------------------------------------------- numbers and times


def literal(reading: Reading, token: Token) -> tree.Expression:
    """What begins with a digit; `Broken`, with a diagnostic, when it stands for nothing."""
    text, span = str(token), reading.span(token)
    if DATE.match(text):
        return _moment(reading, text, span)
    number = NUMBER.fullmatch(text)
    if number is None:
        reading.complain("E115", span, found=text)
        return tree.Broken(span=span)
    whole, fraction, suffix = number.groups()
    if len(whole) + len(fraction or "") > DIGITS:
        reading.complain("E118", span, limit=DIGITS)
        return tree.Broken(span=span)
    digits = (whole + (fraction or "")).replace("_", "")
    value = Fraction(digits) if fraction else int(digits)
    if suffix in SECONDS:
        return _length(reading, value * SECONDS[suffix], span)
    if suffix:
        number_text = whole + (fraction or "")
        unit = UNITS.get(suffix.lower().removesuffix("s"), f" {suffix}")
        reading.complain("E113", span, number=number_text, suffix=suffix, right=number_text + unit)
        return tree.Broken(span=span)
    return tree.Number(value, span=span)


def _moment(reading: Reading, text: str, span: Span) -> tree.Expression:
    try:
        if DATE.fullmatch(text):
            return tree.Moment(date.fromisoformat(text), span=span)
        if TIME.fullmatch(text):
            return tree.Moment(datetime.fromisoformat(text), span=span)
    except ValueError:
        reading.complain("E114", span, found=text)
    else:
        reading.complain("E116", span, found=text)
    return tree.Broken(span=span)


def _length(reading: Reading, seconds: int | Fraction, span: Span) -> tree.Expression:
    if seconds.denominator != 1:
        reading.complain("E117", span, found=span.text, reason="it has a part of a second", limit=DAYS)
    elif seconds > DAYS * SECONDS["d"]:
        reading.complain("E117", span, found=span.text, reason="it is too long", limit=DAYS)
    else:
        return tree.Length(timedelta(seconds=seconds.numerator), span=span)
    return tree.Broken(span=span)


# ---------------------------------------------------------------------------- texts


def text(reading: Reading, token: Token) -> tree.Text:
    """A text literal; a wrong escape is reported and stands for itself."""
    value = "".join(_unescaped(reading, piece, start) for piece, start in _pieces(token, prefix=0))
    return tree.Text(value, span=reading.span(token))


def text_or_interpolation(reading: Reading, token: Token) -> tree.Text | tree.Interpolation:
    return text(reading, token) if token.type == "STRING" else interpolation(reading, token)


def interpolation(reading: Reading, token: Token) -> tree.Interpolation:
    """`$"…{a.b}…"`: neighbouring texts are joined, empty ones left out."""
    parts: list[tree.Text | tree.Path] = []
    for piece, start in _pieces(token, prefix=1):
        for part in _parts(reading, piece, start):
            before = parts[-1] if parts else None
            if isinstance(part, tree.Text) and isinstance(before, tree.Text):
                parts[-1] = tree.Text(before.value + part.value, span=before.span.to(part.span))
            else:
                parts.append(part)
    return tree.Interpolation(tuple(parts), span=reading.span(token))


def _parts(reading: Reading, piece: str, start: int) -> Iterator[tree.Text | tree.Path]:
    def plain(begin: int, end: int, value: str) -> tree.Text:
        return tree.Text(value, span=Span(reading.source, start + begin, start + end))

    position = 0
    for brace in BRACES.finditer(piece):
        if position < brace.start():
            raw = piece[position : brace.start()]
            yield plain(position, brace.start(), _unescaped(reading, raw, start + position))
        position = brace.end()
        if brace[1] is not None and DOTTED.fullmatch(brace[1]):
            yield _path(reading, brace[1], start + brace.start(1))
        elif brace[0] in ("{{", "}}"):
            yield plain(brace.start(), position, brace[0][0])
        else:
            reading.complain("E119", Span(reading.source, start + brace.start(), start + position), found=brace[0])
            yield plain(brace.start(), position, brace[0])
    if position < len(piece):
        yield plain(position, len(piece), _unescaped(reading, piece[position:], start + position))


def _path(reading: Reading, dotted: str, start: int) -> tree.Path:
    names = []
    for name in re.finditer(r"[^.]+", dotted):
        span = Span(reading.source, start + name.start(), start + name.end())
        names.append(tree.Identifier(name[0], span=span))
    return tree.Path(tuple(names), span=names[0].span.to(names[-1].span))


def _unescaped(reading: Reading, raw: str, start: int) -> str:
    def replacement(escape: re.Match[str]) -> str:
        named = escape[1]
        if named in ESCAPES:
            return ESCAPES[named]
        if len(named) == 5 and not 0xD800 <= int(named[1:], 16) < 0xE000:
            return chr(int(named[1:], 16))
        span = Span(reading.source, start + escape.start(), start + escape.end())
        reading.complain("E111", span, escape=escape[0].rstrip())
        return escape[0]

    return ESCAPE.sub(replacement, raw) if "\\" in raw else raw


def _pieces(token: Token, prefix: int) -> Iterator[tuple[str, int]]:
    """The raw contents between the quotes, in pieces with their offsets: the long form without its indentation."""
    start = (token.start_pos or 0) + prefix
    if not token.startswith('"""', prefix):
        yield token[prefix + 1 : -1], start + 1
        return
    start, content = start + 3, token[prefix + 3 : -3]
    if "\n" not in content:
        yield content, start
        return
    lines = []
    for line in content.split("\n"):
        lines.append((line.removesuffix("\r"), start))
        start += len(line) + 1
    first_is_indented = not lines[0][0].strip()
    if first_is_indented:
        del lines[0]
    if len(lines) > 1 and not lines[-1][0].strip():
        del lines[-1]
    yield from _unindented(lines, first_is_indented)


def _unindented(lines: list[tuple[str, int]], first_is_indented: bool) -> Iterator[tuple[str, int]]:
    """Lines without their common indentation, joined by line breaks; text beside the opening quotes has none."""
    indented = [line for line, _ in lines[0 if first_is_indented else 1 :] if line.strip()]
    shared = margin(indented)
    for index, (line, start) in enumerate(lines):
        cut = shared if index or first_is_indented else 0
        kept = line[cut:] if line.strip() else ""
        end = "" if index == len(lines) - 1 else "\n"
        yield kept + end, start + min(cut, len(line))


def margin(lines: list[str]) -> int:
    """How many blanks all lines begin with."""
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines]
    if not margins:
        return 0
    first, last = min(margins), max(margins)
    return next((index for index, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
