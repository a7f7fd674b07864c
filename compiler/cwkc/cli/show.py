"""What the commands that check files have in common: their options, and how findings are shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Event, Thread
from typing import Any, TextIO, TypeVar

import click

from cwkc.diagnostics import Diagnostic, github, json, terminal

Function = TypeVar("Function", bound=Callable[..., None])


def format_option(function: Function) -> Function:
    """`--format terminal|json|github`"""
    return click.option(
        "--format",
        type=click.Choice(("terminal", "json", "github")),
        default="terminal",
        show_default=True,
        help="How to show what was found.",
    )(function)


def budget_option(function: Function) -> Function:
    """`--budget STEPS`"""
    return click.option(
        "--budget",
        type=click.IntRange(min=1),
        metavar="STEPS",
        help="The solver's own steps for each question; the same everywhere, whatever the machine. [default: 2000000]",
    )(function)


def verbose_option(function: Function) -> Function:
    """`--verbose`"""
    return click.option("--verbose", is_flag=True, help="List the theorems of each task.")(function)


def show(diagnostics: Sequence[Diagnostic], format: str, err: bool = False) -> None:
    """Write diagnostics to standard output, or to the standard error; with none, JSON alone says so."""
    if format == "json":
        click.echo(json.render(diagnostics), err=err)
    elif diagnostics and format == "github":
        click.echo(github.render(diagnostics), err=err)
    elif diagnostics:
        click.echo(terminal.render(diagnostics, _page(sys.stderr if err else sys.stdout)), err=err)


def _page(stream: TextIO) -> terminal.Page:
    if not stream.isatty():
        return terminal.Page()
    return terminal.Page(columns=get_terminal_size().columns, colour=_wants_colour())


def has_colour() -> bool:
    """Whether what is written to standard output is to have colours."""
    return sys.stdout.isatty() and _wants_colour()


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


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
