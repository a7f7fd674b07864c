"""`cwkc plan [PACK…]`"""

from __future__ import annotations

import json
from pathlib import Path

import click

from cwkc.cli.packs import damage_is_wrong_use
from cwkc.cli.rewriting import create
from cwkc.planning import (
    Requirements,
    RequirementsError,
    Tally,
    document,
    lines,
    plan_slots,
    plan_text,
    read_requirements,
    tasks_of,
)


@click.command()
@click.argument("packs", nargs=-1, metavar="[PACK]...", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-n", "--slots", type=click.IntRange(1), required=True, help="How many tasks to plan.")
@click.option(
    "-o", "--output", required=True, metavar="PLAN.cwk", type=click.Path(path_type=Path), help="The file to write."
)
@click.option(
    "--requirements",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file with the words that slots may have, and their shares.  [default: all of them]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="What the plan's chances depend on.")
@click.option("--format", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True)
def command(
    packs: tuple[Path, ...], slots: int, output: Path, requirements: Path | None, seed: int, format: str
) -> None:
    """Plan tasks that a generator is to write, where those of the packs in PACK leave gaps.

    Prints, before and after the plan, which capabilities go with how many scenarios. Nothing is said of what a task
    tells: that is up to the generator.
    """
    wanted = _requirements(requirements)
    before = Tally()
    for pack in packs:
        with damage_is_wrong_use(pack):
            for task in tasks_of(pack):
                before.add(task)
    planned = plan_slots(wanted, before, slots, seed)
    create(output, plan_text(planned.slots))
    numbers = document(wanted, before, planned, seed)
    click.echo(json.dumps(numbers, indent=2) if format == "json" else "\n".join(lines(numbers)))


def _requirements(path: Path | None) -> Requirements:
    if path is None:
        return read_requirements()
    try:
        return read_requirements(path.read_text(encoding="utf-8"), str(path))
    except RequirementsError as faults:
        raise click.UsageError(str(faults)) from faults
    except (OSError, UnicodeDecodeError) as failure:
        raise click.UsageError(f"cannot read `{path}`: {failure}") from failure
