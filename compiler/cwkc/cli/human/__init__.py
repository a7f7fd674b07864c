"""The agent `human`: a person plays it, line by line, at a terminal or through a pipe."""

from __future__ import annotations

import click

from coworkdsl import Environment
from cwkc.cli.human.lines import columns, typed_lines
from cwkc.cli.human.session import Session


def human(environment: Environment) -> None:
    """Shows the request and the tools, and does what is typed until the run or the input ends."""
    session = Session(environment, columns())
    click.echo(session.opening())
    with typed_lines(session.completions) as lines:
        for line in lines:
            answer = session.answer(line)
            if answer:
                click.echo(answer)
            if session.ended:
                break
    session.close()


__all__ = ["human"]
