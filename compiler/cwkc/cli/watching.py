"""Checking again and again: which files a check has read, and when one of them is another."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from attrs import define, field

from cwkc.cli.files import sources
from cwkc.diagnostics import Diagnostic
from cwkc.source import Source
from cwkc.syntax.reader import read

PAUSE = 0.3
"""Seconds between two looks at the files."""

Stamp = tuple[int, int] | None


@define
class Reading:
    """A reader of files that keeps, of each, what it looked like when it was read."""

    stamps: dict[Path, Stamp] = field(factory=dict)

    def __call__(self, path: Path, name: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
        self.stamps[path] = _stamp(path)
        return read(path, name)


def again(paths: Iterable[Path], do: Callable[[list[Path], Reading], None]) -> None:
    """Do it with the files that the paths stand for, and whenever one that it read has changed, gone or come anew; for
    ever."""
    paths = list(paths)
    while True:
        files, reading = _files(paths), Reading()
        if sys.stdout.isatty():
            click.clear()
        do(files, reading)
        while _files(paths) == files and all(_stamp(path) == stamp for path, stamp in reading.stamps.items()):
            time.sleep(PAUSE)


def _files(paths: list[Path]) -> list[Path]:
    """None, while folders are empty."""
    try:
        return sources(paths)
    except click.UsageError:
        return []


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
