"""`cwkc dump --stage STAGE FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import driver
from cwkc.cli.show import show
from cwkc.diagnostics import has_errors


@click.command()
@click.option("--stage", type=click.Choice(("syntax", "typed", "terms", "python")), required=True)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(stage: str, file: Path) -> None:
    """Print FILE as a stage of the compiler sees it.

    syntax: the tree of what was written; typed: the same with names resolved and types known; terms: what the
    solver is asked; python: the code that is emitted.
    """
    text, diagnostics = driver.stage_text(stage, file)
    if text:
        click.echo(text)
    show(diagnostics, "terminal")
    if has_errors(diagnostics):
        raise click.exceptions.Exit(1)
