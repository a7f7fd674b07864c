"""What the commands that change files have in common: showing what would change, and writing it."""

from __future__ import annotations

import errno
import os
import sys
from difflib import unified_diff
from pathlib import Path

import click

from cwkc.cli.show import has_colour
from cwkc.folder import write_file

COLOURS = {"+": "32", "-": "31", "@": "36"}


def show_difference(old: str, new: str, name: str, err: bool = False) -> None:
    """Write what is different between two texts of a file of that name to standard output, or to the standard error."""
    for line in unified_diff(old.split("\n"), new.split("\n"), name, name, lineterm=""):
        click.echo(painted(line), err=err)


def painted(line: str) -> str:
    """A line of a comparison in the colour of its first character."""
    colour = COLOURS.get(line[:1]) if has_colour(sys.stdout) else None
    return f"\x1b[{colour}m{line}\x1b[0m" if colour else line


def replace(path: Path, text: str) -> None:
    """Put a text in the place of a file that is there: the whole of it or, when that fails, nothing. Raises OSError."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    write_file(path, text)


def create(path: Path, text: str) -> None:
    """Write a file, the whole of it or nothing. Raises click.UsageError when it is there already, or cannot be
    written."""
    try:
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        write_file(path, text)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{path}`: {failure.strerror or failure}") from failure
