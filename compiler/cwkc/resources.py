"""The grammar, the standard library, the examples and the templates of new files, wherever they lie.

A wheel carries the first three inside the package; in a checkout they are folders of their own at the top.
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
def syntax_sheet() -> str:
    """The language on one page, as Markdown."""
    return (_folder("grammar") / "SYNTAX.md").read_text(encoding="utf-8")


def example_paths() -> tuple[Path, ...]:
    """The files of the examples, sorted."""
    return tuple(sorted(_folder("examples").rglob("*.cwk")))


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


def templates() -> tuple[str, ...]:
    """The names of the templates of new files, sorted."""
    return tuple(sorted(path.stem for path in (PACKAGE / "templates").glob("*.cwk")))


def template(name: str) -> str:
    """The text of a template, which has NAME and TITLE where a task has its own."""
    return (PACKAGE / "templates" / f"{name}.cwk").read_text(encoding="utf-8")


def cache_folder() -> Path:
    """Where the compiler keeps what it can make again."""
    from platformdirs import user_cache_path

    return user_cache_path("cwkc", appauthor=False)


def library_folders() -> tuple[Path, ...]:
    """The folders of the grammar and the standard library."""
    return _folder("grammar"), _folder("stdlib")


def _folder(name: str) -> Path:
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / name
