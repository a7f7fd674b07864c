"""The grammar and the standard library, wherever they lie.

A wheel carries both inside the package; in a checkout they are folders of their own at the top.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


@cache
def grammar_text() -> str:
    """The text of the grammar."""
    return (_folder("grammar") / "cwk.lark").read_text(encoding="utf-8")


@cache
def standard_service(name: str) -> str | None:
    """The text of a standard service's file, or None when there is no such service."""
    if name not in standard_services():
        return None
    return standard_path(name).read_text(encoding="utf-8")


def standard_path(name: str) -> Path:
    """Where the file of a standard service lies."""
    return _folder("stdlib") / f"{name}.cwk"


@cache
def standard_services() -> tuple[str, ...]:
    """The names of the standard services, sorted."""
    return tuple(sorted(path.stem for path in _folder("stdlib").glob("*.cwk")))


@cache
def standard_words(name: str) -> str:
    """The text of a file of standard vocabularies: `values` or `planning`."""
    return (_folder("stdlib") / "vocabularies" / f"{name}.cwk").read_text(encoding="utf-8")


def _folder(name: str) -> Path:
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / name
