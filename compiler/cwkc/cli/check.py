"""`cwkc check PATH...`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import rebuild
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import budget_option, format_option, progress, show, show_theorems, verbose_option
from cwkc.cli.work import work_options
from cwkc.diagnostics import has_errors
from cwkc.workshop import Workshop


@click.command()
@paths_argument
@format_option
@budget_option
@work_options
@verbose_option
def command(paths: tuple[Path, ...], format: str, budget: int | None, workshop: Workshop, verbose: bool) -> None:
    """Check files, and the .cwk files in folders, up to and including the proofs; write nothing."""
    files = sources(paths)
    with progress("reading") as tell, workshop:
        checked = rebuild.check(files, workshop, tell, budget)
    show(checked.diagnostics, format)
    if verbose:
        show_theorems(checked.theorems, format)
    if has_errors(checked.diagnostics):
        raise click.exceptions.Exit(1)
