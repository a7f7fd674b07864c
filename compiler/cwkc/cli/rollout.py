"""`cwkc rollout PACK`"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from cwkc.cli.packs import pack_argument
from cwkc.cli.rollouts import (
    AGENTS,
    failures_are_wrong_use,
    rolled_out,
    rollout_options,
    setup_of,
    split_options,
    tasks_of,
)
from cwktrain.store import RunStore


@click.command()
@pack_argument
@click.option("--agent", required=True, metavar=AGENTS, help="Who runs the tasks.")
@click.option("-n", "--trials", type=click.IntRange(1), default=1, show_default=True, help="Runs of each task.")
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The store of runs."
)
@click.option("--collection", default="default", show_default=True, help="The name under which the runs are kept.")
@click.option("--supersedes", metavar="COLLECTION", help="Runs of this rollout replace that collection's.")
@split_options
@rollout_options
def command(
    pack: Path,
    agent: str,
    trials: int,
    output: Path,
    collection: str,
    supersedes: str | None,
    split: str,
    held_out: float,
    **options: Any,
) -> None:
    """Run every task of PACK several times and keep the runs.

    The store is one file, to which runs are only added. After an interruption the same command does what is missing.
    """
    tasks = tasks_of(pack, split, held_out)
    setup = setup_of(pack, agent, collection, options)
    with failures_are_wrong_use(), RunStore(output) as store:
        ended = rolled_out(setup, tasks, trials, options, store, supersedes)
    click.echo(f"{output}: {_counts(ended)}")


def _counts(ended: Counter[str]) -> str:
    counts = ", ".join(f"{ended[status]} {status}" for status in ("scored", "unscored", "invalid"))
    return f"{counts}; {ended['before']} were there before"
