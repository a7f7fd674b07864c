"""`cwkc explain CODE`"""

from __future__ import annotations

import click

from cwkc.diagnostics import CATALOGUE
from cwkc.diagnostics.pages import page
from cwkc.meaning.near import did_you_mean


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """Explain a diagnostic by its CODE: why it is reported, an example of it, and the example mended."""
    entry = CATALOGUE.get(code.upper())
    if entry is None:
        entry = next((each for each in CATALOGUE.values() if each.name == code.lower()), None)
    if entry is None:
        names = [*CATALOGUE, *(each.name for each in CATALOGUE.values())]
        raise click.UsageError(f"no diagnostic has the code `{code}`; {did_you_mean(code, names)}")
    click.echo(page(entry.code))
