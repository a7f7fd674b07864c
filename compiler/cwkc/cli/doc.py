"""`cwkc doc SERVICE|FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from cwkc import driver
from cwkc.cli.show import show
from cwkc.diagnostics import has_errors
from cwkc.meaning.near import did_you_mean
from cwkc.resources import standard_services


@click.command()
@click.argument("subject", metavar="SERVICE|FILE")
def command(subject: str) -> None:
    """Describe a standard SERVICE, or what a FILE declares, as Markdown.

    Of a service: its records, stores, and tools with their parameters and failures. Of a task: what the agent is told,
    its tools, the values of its truths, and its rules. Of a family: its parameters, and the same of its first member.
    """
    is_file = Path(subject).is_file()
    if not is_file and subject not in standard_services():
        help = did_you_mean(subject, standard_services())
        raise click.UsageError(f"there is no file and no standard service `{subject}`; {help}")
    text, diagnostics = driver.reference(Path(subject)) if is_file else driver.standard_reference(subject)
    if text:
        click.echo(text)
    show(diagnostics, "terminal", err=True)
    if has_errors(diagnostics):
        raise click.exceptions.Exit(1)
