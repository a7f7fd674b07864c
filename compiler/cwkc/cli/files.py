"""From the paths of a command line to the files they stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

paths_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True, path_type=Path)
)


def sources(paths: Iterable[Path]) -> list[Path]:
    """The files named, and the `.cwk` files of the folders named, each once, as the user's paths lead to them.

    Raises click.UsageError when there are none.
    """
    found: dict[str, Path] = {}
    for path in paths:
        for file in _below(path) if path.is_dir() else (path,):
            found.setdefault(os.path.realpath(file), file)
    if not found:
        raise click.UsageError("no .cwk file in " + ", ".join(f"`{path}`" for path in paths))
    return list(found.values())


def _below(folder: Path) -> Iterator[Path]:
    """The `.cwk` files of a folder and of those in it, sorted; hidden ones are left out."""
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        yield from (Path(name) / each for each in sorted(files) if each.endswith(".cwk") and not each.startswith("."))
