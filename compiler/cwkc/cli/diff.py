"""`cwkc diff OLD NEW`"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from itertools import groupby
from pathlib import Path

import click
from attrs import asdict

from coworkdsl import PackError
from coworkdsl.files import DiskFiles, Files, MemoryFiles
from cwkc import rebuild
from cwkc.cli.files import sources
from cwkc.cli.rewriting import painted
from cwkc.cli.show import progress, show
from cwkc.cli.work import work_options
from cwkc.differences import Change, Parts, Subject, changes, parts_of
from cwkc.workshop import Workshop


@click.command()
@click.argument("old", type=click.Path(exists=True, path_type=Path))
@click.argument("new", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help="How to show what is different.",
)
@work_options
def command(old: Path, new: Path, format: str, workshop: Workshop) -> None:
    """Show what a change does to tasks: OLD and NEW are files, folders of .cwk files, or packs.

    Compared is what a build makes of each task: what it tells the agent and offers, the records, the values of truths,
    the rules with their weights, the verdicts of the theorems, the witness. Of a family it is the first member, and
    whether anything is different in the others. Files are built for that, in memory, with the cache of `cwkc build`.
    The exit status is 1 when something is different, and 2 when one of the two cannot be built.
    """
    with workshop:
        before, after = (_parts(path, workshop) for path in (old, new))
    found = changes(before, after)
    if format == "json":
        click.echo(json.dumps([asdict(change) for change in found], indent=2, ensure_ascii=False))
    else:
        for line in _lines(found):
            click.echo(painted(line))
    if found:
        raise click.exceptions.Exit(1)


def _parts(path: Path, workshop: Workshop) -> Mapping[Subject, Parts]:
    try:
        return parts_of(_files(path, workshop))
    except PackError as damage:
        raise click.UsageError(f"`{path}` is not a pack that can be compared: {damage}") from damage


def _files(path: Path, workshop: Workshop) -> Files:
    """The files of a pack, or those that a build of the sources makes."""
    if (path / "pack.json").is_file():
        return DiskFiles(path)
    with progress(f"reading {path}") as tell:
        built = rebuild.build(sources([path]), rebuild.Options(), workshop, tell)
    if built.files is None:
        show(built.diagnostics, "terminal", err=True)
        raise click.exceptions.Exit(2)
    return MemoryFiles(built.files)


def _lines(found: Sequence[Change]) -> Iterator[str]:
    """Tasks, below each its parts, below each what is gone and what is new."""
    for (kind, task), of_task in groupby(found, lambda change: (change.kind, change.task)):
        first, *others = of_task
        if not first.part:
            yield f"- {kind} {task}" if first.new is None else f"+ {kind} {task}"
            continue
        yield f"{kind} {task}"
        for part, of_part in groupby((first, *others), lambda change: change.part):
            yield f"@ {part}"
            for change in of_part:
                yield from _difference(change)


def _difference(change: Change) -> Iterator[str]:
    """The lines of either text that the other has not, in their order."""
    old, new = (text.split("\n") if text is not None else [] for text in (change.old, change.new))
    for line in list(unified_diff(old, new, n=0, lineterm=""))[2:]:
        if not line.startswith("@"):
            yield f"{line[0]} {line[1:]}"
