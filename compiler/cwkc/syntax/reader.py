"""From a file to a source: everything that can be wrong with the file itself."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Source, Span

# The largest file that is read.
LIMIT = 1_000_000

NOTHING = re.compile(r"(?: \s++ | \#[^\n]*+ )*+", re.VERBOSE)


def read(path: Path, display_name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """The file's text, a byte order mark removed; None and the reason when it cannot be used."""
    try:
        if path.is_dir():
            return _refused(display_name, "E002")
        if path.exists() and not path.is_file():
            return _refused(display_name, "E003", reason="it is no ordinary file")
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
    except FileNotFoundError:
        return _refused(display_name, "E001")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return _refused(display_name, "E003", reason=reason.lower())
    return source_of(content, display_name)


def _refused(name: str, code: str, **words: Any) -> tuple[None, tuple[Diagnostic, ...]]:
    return None, (report(code, Span(Source(name, ""), 0, 0), name=name, **words),)


def source_of(content: bytes, name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """The text of what a file holds; None and the reason when it cannot be used."""
    if len(content) > LIMIT:
        return _refused(name, "E004", limit=f"{LIMIT:_}")
    content = content.removeprefix(BOM_UTF8)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start]
        place = _character(Source(name, content.decode(errors="replace")), len(before.decode()))
        byte = error.start - before.rfind(b"\n")
        return None, (report("E005", place, line=place.line, byte=byte, value=f"0x{content[error.start]:02X}"),)
    return usable(text, name)


def usable(text: str, name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """A text, read already, as a source; None and the reason when it cannot be used."""
    if len(text) > LIMIT:
        return _refused(name, "E004", limit=f"{LIMIT:_}")
    source = Source(name, text)
    null = text.find("\0")
    if null >= 0:
        place = _character(source, null)
        return None, (report("E006", place, line=place.line),)
    if NOTHING.fullmatch(text):
        return None, (report("E007", Span(source, 0, 0), name=name),)
    return source, ()


def _character(source: Source, offset: int) -> Span:
    return Span(source, offset, offset + 1)


def content_of(name: str) -> bytes | None:
    """The content of a file; None where it cannot be had."""
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError):
        return None
