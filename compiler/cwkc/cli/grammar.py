"""`cwkc grammar --format FORMAT`"""

from __future__ import annotations

import click

from cwkc.grammars import FORMATS, export


@click.command()
@click.option("--format", type=click.Choice(FORMATS), required=True, help="The engine that is to read it.")
@click.option("--comments", is_flag=True, help="Let comments be generated too; small models do not find out of them.")
def command(format: str, comments: bool) -> None:
    """Print the language's grammar for constrained decoding.

    lark: for lark's Earley parser; llguidance: for llguidance and what is built on it; gbnf: for llama.cpp; openai: the
    `format` of a custom tool, as JSON.
    """
    click.echo(export(format, comments), nl=False)
