"""`cwkc fmt PATH...`"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cwkc.cli.files import sources
from cwkc.cli.rewriting import replace, show_difference
from cwkc.cli.show import show
from cwkc.diagnostics import Diagnostic
from cwkc.source import Source
from cwkc.syntax.formatter import format_text
from cwkc.syntax.reader import read, source_of

STANDARD_INPUT = Path("-")


@click.command()
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="PATH...",
    type=click.Path(exists=True, allow_dash=True, path_type=Path),
)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change, and exit with 1 if any.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(paths: tuple[Path, ...], check: bool, diff: bool) -> None:
    """Lay files, and the .cwk files in folders, out anew, in their place; with -, standard input to standard output.

    A file that cannot be read is left as it is, and so is one that could not be laid out without changing what it says.
    """
    if STANDARD_INPUT in paths and len(paths) > 1:
        raise click.UsageError("standard input, `-`, is formatted by itself: name no other path with it")
    found: list[Diagnostic] = []
    unwritten: list[str] = []
    changed = False
    for path in paths if STANDARD_INPUT in paths else sources(paths):
        source, result, diagnostics = _formatted(path)
        found += diagnostics
        if source is None or result is None:
            continue
        changed = changed or result != source.text
        if check or diff:
            _tell(source, result, check, diff)
        elif path == STANDARD_INPUT:
            sys.stdout.buffer.write(result.encode())
        elif result != source.text:
            unwritten += _write(path, result)
    show(found, "terminal", err=True)
    if unwritten:
        raise click.UsageError("cannot write " + ", ".join(unwritten))
    if found or (check and changed):
        raise click.exceptions.Exit(1)


def _formatted(path: Path) -> tuple[Source | None, str | None, Sequence[Diagnostic]]:
    """A file and its text laid out anew, or what is wrong with it."""
    if path == STANDARD_INPUT:
        source, found = source_of(sys.stdin.buffer.read(), "standard input")
    else:
        source, found = read(path, path.as_posix())
    if source is None:
        return None, None, found
    return source, *format_text(source)


def _tell(source: Source, result: str, check: bool, diff: bool) -> None:
    """Show what of the result is new, or that it is."""
    if diff:
        show_difference(source.text, result, source.name)
    if check and result != source.text:
        click.echo(f"would change {source.name}", err=diff)


def _write(path: Path, result: str) -> list[str]:
    """Write a file; why that could not be done, if it could not."""
    try:
        replace(path.resolve(), result)
    except OSError as failure:
        return [f"`{path}`: {failure.strerror or failure}"]
    click.echo(f"changed {path.as_posix()}")
    return []
