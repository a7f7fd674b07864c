"""`cwkc build PATH... -o PACK`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import rebuild
from cwkc.cli.checking import Checking, checking_options
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.show import progress
from cwkc.folder import write_pack


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
@checking_options
def command(paths: tuple[Path, ...], pack: Path, checking: Checking) -> None:
    """Check files, emit their tasks, rehearse these, and write the pack whole or not at all."""
    files = sources(paths)
    with progress("reading") as tell, checking.workshop:
        built = rebuild.build(files, checking.options, checking.workshop, tell)
    checking.tell(built, files)
    if built.files is None:
        raise click.exceptions.Exit(1)
    try:
        write_pack(built.files, pack)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{pack}`: {failure.strerror or failure}") from failure
