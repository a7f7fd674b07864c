"""From the paths of a command line to the files they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from cwkc.inputs import source_files

paths_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True, path_type=Path)
)


def sources(paths: Iterable[Path]) -> list[Path]:
    """As `source_files` does. Raises click.UsageError when there are none."""
    found = source_files(paths)
    if not found:
        raise click.UsageError("no .cwk file in " + ", ".join(f"`{path}`" for path in paths))
    return found
