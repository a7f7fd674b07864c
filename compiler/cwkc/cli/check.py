"""`cwkc check PATH...`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import driver
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import budget_option, format_option, progress, sampling_options, show, show_theorems, verbose_option
from cwkc.diagnostics import has_errors
from cwkc.meaning.families import Sampling


@click.command()
@paths_argument
@format_option
@budget_option
@sampling_options
@verbose_option
def command(paths: tuple[Path, ...], format: str, budget: int | None, members: int, seed: int, verbose: bool) -> None:
    """Check files, and the .cwk files in folders, up to and including the proofs; write nothing."""
    files = sources(paths)
    with progress("reading") as tell:
        checked = driver.check(files, tell, budget, Sampling(members, seed))
    show(checked.diagnostics, format)
    if verbose:
        show_theorems(checked.proofs, format)
    if has_errors(checked.diagnostics):
        raise click.exceptions.Exit(1)
