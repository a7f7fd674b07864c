"""Opening what a build wrote: a pack, one of its tasks, and an environment of that task."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from coworkdsl import Environment, Pack, PackError
from coworkdsl.voice import Voice
from cwkc.meaning.near import did_you_mean

pack_argument = click.argument("pack", type=click.Path(exists=True, file_okay=False, path_type=Path))
task_argument = click.argument("task")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="What the run's chances depend on.")


@contextmanager
def damage_is_wrong_use(pack: Path) -> Iterator[None]:
    """A pack that cannot be read is told as such: wrong use, and no traceback."""
    try:
        yield
    except PackError as damage:
        raise click.UsageError(f"`{pack}` is not a pack that can be run: {damage}") from damage


def open_environment(folder: Path, task: str, seed: int, voice: Voice | None = None) -> Environment:
    """A fresh environment of the task. Raises click.UsageError, which offers a task of a near name."""
    with damage_is_wrong_use(folder):
        pack = Pack.open(folder)
        if task not in pack.tasks:
            help = did_you_mean(task, pack.tasks)
            raise click.UsageError(f"`{folder}` has no task `{task}`" + (f"; {help}" if help else ""))
        return pack.env(task, seed, voice)
