"""`cwkc build PATH... -o PACK`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import driver
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import budget_option, format_option, progress, sampling_options, show, show_theorems, verbose_option
from cwkc.meaning.families import Sampling


@click.command()
@paths_argument
@click.option(
    "-o",
    "--output",
    "pack",
    required=True,
    metavar="PACK",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write; what an earlier build wrote there is replaced.",
)
@format_option
@budget_option
@sampling_options
@verbose_option
def command(
    paths: tuple[Path, ...], pack: Path, format: str, budget: int | None, members: int, seed: int, verbose: bool
) -> None:
    """Check files, emit their tasks, rehearse these, and write the pack whole or not at all."""
    files = sources(paths)
    with progress("reading") as tell:
        built = driver.build(files, tell, budget, Sampling(members, seed))
    show(built.diagnostics, format)
    if verbose:
        show_theorems(built.proofs, format)
    if built.files is None:
        raise click.exceptions.Exit(1)
    try:
        driver.write(built.files, pack)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{pack}`: {failure.strerror or failure}") from failure
