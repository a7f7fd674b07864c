"""How what was found in files is shown, and what is being done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from threading import Event, Thread
from typing import Any, TextIO

import click

from cwkc import __version__
from cwkc.diagnostics import Diagnostic, github, json, junit, sarif, terminal

REPORTS = {".sarif": "sarif", ".xml": "junit", ".json": "json"}
"""The formats that are whole documents, by the suffix of a file that holds one."""


def show(diagnostics: Sequence[Diagnostic], format: str, err: bool = False, files: Sequence[Path] = ()) -> None:
    """Write diagnostics to standard output, or to the standard error. With none, the formats that are whole documents
    say so; JUnit's says of which files."""
    if format in REPORTS.values():
        click.echo(_document(diagnostics, format, files), err=err)
    elif diagnostics and format == "github":
        click.echo(github.render(diagnostics), err=err)
    elif diagnostics:
        click.echo(terminal.render(diagnostics, _page(sys.stderr if err else sys.stdout)), err=err)


def tells_fixes(format: str, reports: Sequence[Path]) -> bool:
    """Whether any of the formats has a place for fixes."""
    return not {format, *(REPORTS[report.suffix] for report in reports)}.isdisjoint(("json", "sarif"))


def write_reports(diagnostics: Sequence[Diagnostic], files: Sequence[Path], reports: Sequence[Path]) -> None:
    """Write what was found in these files to each report. Raises click.UsageError when one cannot be written."""
    for report in reports:
        try:
            report.write_text(_document(diagnostics, REPORTS[report.suffix], files) + "\n", encoding="utf-8")
        except OSError as failure:
            raise click.UsageError(f"cannot write `{report}`: {failure.strerror or failure}") from failure


def _document(diagnostics: Sequence[Diagnostic], format: str, files: Sequence[Path]) -> str:
    if format == "junit":
        return junit.render(diagnostics, [file.as_posix() for file in files])
    return sarif.render(diagnostics, __version__) if format == "sarif" else json.render(diagnostics)


def _page(stream: TextIO) -> terminal.Page:
    columns = get_terminal_size().columns if stream.isatty() else None
    return terminal.Page(columns, has_colour(stream))


def has_colour(stream: TextIO) -> bool:
    """Whether what is written to a stream is to have colours: as the environment says, or else on a terminal."""
    wanted = click.get_current_context().color
    return wanted if wanted is not None else stream.isatty() and os.environ.get("TERM") != "dumb"


def show_theorems(theorems: Mapping[str, Sequence[Mapping[str, Any]]], format: str) -> None:
    """What was established of each task, as its proof.json has it; beside a machine's format it goes to the standard
    error."""
    for task, rows in theorems.items():
        click.echo(f"{task}:", err=format != "terminal")
        for row in rows:
            says = row["statement"] or row["evidence"].get("reason", "")
            click.echo(f"  {row['name']:<12} {row['verdict']:<12} {says}".rstrip(), err=format != "terminal")
            for line in _mutants(row["evidence"].get("mutants", ())):
                click.echo(f"  {'':<12} {line}", err=format != "terminal")


def _mutants(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """For each kind of mutant: how many there were, and how many of them scored less."""
    for kind in dict.fromkeys(row["kind"] for row in rows):
        killed = [row["killed"] for row in rows if row["kind"] == kind]
        yield f"{kind:<18} {killed.count(True):>3} killed {killed.count(False):>3} survived"


@contextmanager
def progress(doing: str) -> Iterator[Callable[[str], None]]:
    """On a terminal, once it has taken a second: what is being done, and for how long.

    Gives a function that is to be told, in words, what is done next.
    """
    words = [doing]
    if not sys.stderr.isatty():
        yield words.append
        return
    done = Event()
    ticker = Thread(target=_tick, args=(words, done), daemon=True)
    ticker.start()
    try:
        yield words.append
    finally:
        done.set()
        ticker.join()


def _tick(words: Sequence[str], done: Event) -> None:
    seconds = 0
    while not done.wait(1):
        seconds += 1
        print(f"\r\x1b[K{words[-1]}, {seconds} s", end="", file=sys.stderr, flush=True)
    if seconds:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
