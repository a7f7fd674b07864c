"""`cwkc grade PACK TASK RUN.json`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from coworkdsl import Judge, RunError, replay
from coworkdsl.chat import read_seed
from cwkc.cli.models import judge_option
from cwkc.cli.packs import damage_is_wrong_use, open_environment, pack_argument, task_argument
from cwkc.cli.scores import lines


@click.command()
@pack_argument
@task_argument
@click.argument("run", metavar="RUN.json", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seed", type=int, help="What the run's chances depend on.  [default: the seed in RUN.json, else 0]")
@judge_option
def command(pack: Path, task: str, run: Path, seed: int | None, judge: Judge | None) -> None:
    """Do in a fresh environment what the agent does in RUN.json, and score that.

    RUN.json is a conversation in the form of OpenAI's chat messages: a list of messages, or an object with
    `messages`. What the tools answered there is not read.
    """
    try:
        messages, recorded = _recorded(run)
        environment = open_environment(pack, task, recorded if seed is None else seed)
        with damage_is_wrong_use(pack):
            replay(environment, messages)
            click.echo("\n".join(lines(environment.score(judge))))
    except RunError as damage:
        raise click.UsageError(f"`{run}` is not a run: {damage}") from damage


def _recorded(run: Path) -> tuple[Any, int]:
    """The messages in the file, and the seed. Raises RunError."""
    try:
        document = json.loads(run.read_text(encoding="utf-8"))
    except OSError as failure:
        raise RunError(f"it cannot be read: {failure.strerror or failure}") from failure
    except (ValueError, RecursionError) as failure:
        raise RunError(f"it is not JSON: {failure}") from failure
    if isinstance(document, dict) and "messages" not in document:
        raise RunError("it has no `messages`")
    if not isinstance(document, dict):
        return document, 0
    return document["messages"], read_seed(document)
