"""`cwkc view PACK [RUN.json...]`"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from shutil import rmtree

import click

from coworkdsl import Pack, RunError
from cwkc.cli.agents import BUILT_IN
from cwkc.cli.packs import damage_is_wrong_use, pack_argument
from cwkc.cli.show import progress
from cwkc.folder import swap
from cwkc.view import RecordedRun, is_report, read_run, write_report


@click.command()
@pack_argument
@click.argument("runs", nargs=-1, metavar="[RUN.json]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    "folder",
    default="report",
    show_default=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write; what an earlier report wrote there is replaced.",
)
def command(pack: Path, runs: tuple[Path, ...], folder: Path) -> None:
    """Write pages about PACK, and about runs of its tasks, for a browser: they need neither a server nor a network."""
    with damage_is_wrong_use(pack):
        opened = Pack.open(pack)
        _replace(folder, opened, (_read(run, opened) for run in runs), pack.resolve().name)
    click.echo(f"{folder / 'index.html'}: {_counted(len(opened.tasks), 'task')}, {_counted(len(runs), 'run')}")


def _read(run: Path, pack: Pack) -> RecordedRun:
    try:
        return read_run(run, pack)
    except RunError as damage:
        raise click.UsageError(f"`{run}` is not a run: {damage}") from damage


def _replace(folder: Path, pack: Pack, runs: Iterable[RecordedRun], title: str) -> None:
    """The report is written beside the folder and put in its place when it is complete."""
    target = folder.resolve()
    if target.is_dir() and any(target.iterdir()) and not is_report(target):
        raise click.UsageError(f"`{folder}` holds something that is not a report: name an empty folder, or a new one")
    staged = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        staged.mkdir(parents=True)
        with progress("reading") as tell:
            write_report(pack, runs, staged, title, BUILT_IN["witness"], tell)
        swap(staged, target)
    except RunError as damage:
        raise click.UsageError(str(damage)) from damage
    except OSError as failure:
        raise click.UsageError(f"cannot write `{folder}`: {failure.strerror or failure}") from failure
    finally:
        rmtree(staged, ignore_errors=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
