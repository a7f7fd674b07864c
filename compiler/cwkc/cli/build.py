"""`cwkc build PATH... -o PACK`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import rebuild
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import (
    budget_option,
    format_option,
    progress,
    report_option,
    sampling_options,
    show,
    show_theorems,
    tells_fixes,
    verbose_option,
    write_reports,
)
from cwkc.cli.work import work_options
from cwkc.folder import write_pack
from cwkc.workshop import Workshop


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
@report_option
@budget_option
@sampling_options
@work_options
@verbose_option
def command(
    paths: tuple[Path, ...],
    pack: Path,
    format: str,
    reports: tuple[Path, ...],
    budget: int | None,
    members: int,
    seed: int,
    workshop: Workshop,
    verbose: bool,
) -> None:
    """Check files, emit their tasks, rehearse these, and write the pack whole or not at all."""
    files = sources(paths)
    with progress("reading") as tell, workshop:
        built = rebuild.build(files, rebuild.Options(budget, members, seed), workshop, tell)
    found = built.diagnostics
    if tells_fixes(format, reports):
        from cwkc import driver

        found = driver.offer_fixes(files, found)
    show(found, format, files=files)
    write_reports(found, files, reports)
    if verbose:
        show_theorems(built.theorems, format)
    if built.files is None:
        raise click.exceptions.Exit(1)
    try:
        write_pack(built.files, pack)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{pack}`: {failure.strerror or failure}") from failure
