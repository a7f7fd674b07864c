"""What the commands that check files have in common: their options, and how findings are shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from cwkc.diagnostics import Diagnostic, github, json, terminal

if TYPE_CHECKING:
    from cwkc.prove import Proof

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


def sampling_options(function: Function) -> Function:
    """`--members N --seed N`"""
    seed = click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="What the choice of members depends on: the same seed, the same members.",
    )(function)
    return click.option(
        "--members",
        type=click.IntRange(min=1),
        default=200,
        show_default=True,
        metavar="N",
        help="Build at most so many members of each family: all where there are no more, else a sample.",
    )(seed)


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


def show_theorems(proofs: Mapping[str, Proof], format: str) -> None:
    """What was established of each task; beside a machine's format it goes to the standard error."""
    for task, proof in proofs.items():
        click.echo(f"{task}:", err=format != "terminal")
        for theorem in proof.theorems:
            says = theorem.statement or theorem.evidence.get("reason", "")
            click.echo(f"  {theorem.name:<12} {theorem.verdict:<12} {says}".rstrip(), err=format != "terminal")
            for line in _mutants(theorem.evidence.get("mutants", ())):
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
