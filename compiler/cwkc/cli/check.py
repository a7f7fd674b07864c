"""`cwkc check PATH...`"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from cwkc import driver
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import (
    budget_option,
    format_option,
    progress,
    report_option,
    show,
    show_theorems,
    verbose_option,
    write_reports,
)
from cwkc.cli.watching import again
from cwkc.diagnostics import Diagnostic, has_errors, terminal
from cwkc.syntax.reader import read


@click.command()
@paths_argument
@format_option
@report_option
@budget_option
@verbose_option
@click.option("--watch", is_flag=True, help="Check again whenever one of the files has changed, until interrupted.")
def command(
    paths: tuple[Path, ...],
    format: str,
    reports: tuple[Path, ...],
    budget: int | None,
    verbose: bool,
    watch: bool,
) -> None:
    """Check files, and the .cwk files in folders, up to and including the proofs; write nothing."""
    check = partial(_check, format=format, reports=reports, budget=budget, verbose=verbose)
    if watch:
        again(paths, lambda files, reader: _tell(files, check(files, reader)))
    elif has_errors(check(sources(paths), read)):
        raise click.exceptions.Exit(1)


def _check(
    files: list[Path],
    reader: driver.Reader,
    format: str,
    reports: Sequence[Path],
    budget: int | None,
    verbose: bool,
) -> Sequence[Diagnostic]:
    """What is wrong with the files, once it has been shown."""
    with progress("reading") as tell:
        checked = driver.check(files, tell, budget, reader)
    show(checked.diagnostics, format, files=files)
    write_reports(checked.diagnostics, files, reports)
    if verbose:
        show_theorems(checked.proofs, format)
    return checked.diagnostics


def _tell(files: Sequence[Path], found: Sequence[Diagnostic]) -> None:
    """Close a round of `--watch`."""
    counted = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    click.echo(f"{counted}, {terminal.summary(found) or 'nothing found'}; waiting for a change", err=True)
