"""The parser that lark makes of the grammar, made once."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import lark
from lark import Lark

from cwkc import __version__
from cwkc.resources import cache_folder, grammar_text
from cwkc.syntax.scanner import Scanner


@cache
def grammar() -> Lark:
    """The parser, with the starts `start` (a file) and `declaration` (one item of a file).

    Making it takes most of a second, reading it back a fraction of that: it is kept in the user's cache folder.
    """
    path = cache_path()
    kept = _read(path)
    if kept is not None:
        return kept
    made = make()
    _write(made, path)
    return made


def make() -> Lark:
    """Make the parser.

    Raises:
        lark.GrammarError: the grammar has a conflict.
    """
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=Scanner,
        start=["start", "declaration"],
        strict=True,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def cache_path() -> Path:
    """Where the parser is kept; another grammar, lark or Python has another path."""
    made_from = (__version__, lark.__version__, sys.version, grammar_text())
    name = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
    return cache_folder() / f"grammar-{name}.pickle"


def _read(path: Path) -> Lark | None:
    """The parser kept in a file, None when there is none or it cannot be read back."""
    try:
        with path.open("rb") as file:
            return Lark.load(file)
    except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError, KeyError, ValueError):
        return None


def _write(made: Lark, path: Path) -> None:
    """Keep the parser for next time; a folder that cannot be written to only costs that time again."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}")
        with written.open("wb") as file:
            made.save(file)
        written.replace(path)
