"""`cwkc new NAME`"""

from __future__ import annotations

import re
from pathlib import Path

import click

from cwkc.cli.rewriting import create
from cwkc.resources import template, templates

FIRST_MEMBER = ".high-50"
"""What the first member of the template of a family is called, behind the family's name."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@click.command()
@click.argument("name")
@click.option(
    "--template",
    "kind",
    type=click.Choice(templates()),
    default="task",
    show_default=True,
    help="What to begin with: a task, one whose agent must ask its user, or a task with parameters.",
)
def command(name: str, kind: str) -> None:
    """Write the file NAME.cwk with a task NAME that builds as it is, to be changed into yours."""
    if not NAME.fullmatch(name):
        raise click.UsageError(f"`{name}` cannot name a task: a name is made of letters, digits and `_`")
    text = template(kind).replace("NAME", name, 1).replace("TITLE", name.replace("_", " ").strip().capitalize(), 1)
    path = Path(f"{name}.cwk")
    create(path, text)
    click.echo(_next(path, f"{name}{FIRST_MEMBER}" if kind == "family" else name))


def _next(path: Path, name: str) -> str:
    commands = {
        f"cwkc check {path}": "proves that it is right; --watch does so after each change",
        f"cwkc build {path} -o dist": "rehearses it and writes the pack",
        f"cwkc run dist {name}": "shows the run that earns everything",
    }
    width = max(map(len, commands))
    return "\n".join([f"wrote {path}; next:", *(f"  {line:<{width}}  {says}" for line, says in commands.items())])
