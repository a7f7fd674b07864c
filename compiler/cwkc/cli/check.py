"""`cwkc check PATH...`"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from cwkc import rebuild
from cwkc.cli.checking import Checking, checking_options
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.rewriting import replace, show_difference
from cwkc.cli.show import progress
from cwkc.cli.watching import again
from cwkc.diagnostics import Diagnostic, has_errors, terminal
from cwkc.inputs import Reader
from cwkc.syntax.reader import read


@click.command()
@paths_argument
@checking_options
@click.option("--watch", is_flag=True, help="Check again whenever one of the files has changed, until interrupted.")
@click.option("--fix", is_flag=True, help="Mend what has one certain repair, and show what that changes.")
@click.option(
    "--diff", is_flag=True, help="With --fix: write nothing; show what would be changed, and what would be left."
)
def command(paths: tuple[Path, ...], checking: Checking, watch: bool, fix: bool, diff: bool) -> None:
    """Check files, and the .cwk files in folders, up to and including the proofs.

    With --fix, mistakes that have one certain repair are mended first, where it was tried and mends them.
    """
    if diff and not fix:
        raise click.UsageError("`--diff` goes with `--fix`")
    if fix and watch:
        raise click.UsageError("`--fix` and `--watch` do not go together")
    check = partial(_check, checking)
    with checking.workshop:
        if watch:
            again(paths, lambda files, reader: _tell(files, check(files, reader)))
            return
        files = sources(paths)
        reader = _mend(files, diff, checking.format) if fix else read
        if has_errors(check(files, reader)):
            raise click.exceptions.Exit(1)


def _mend(files: Sequence[Path], only_show: bool, format: str) -> Reader:
    """Mend files, and show what that changes; the reader that has them mended, written or not."""
    from cwkc import driver

    mended = driver.mend(files)
    for path, text in mended.items():
        source, _ = read(path, path.as_posix())
        show_difference(source.text if source else "", text, path.as_posix(), err=format != "terminal")
        if not only_show:
            _write(path, text)
    return driver.reader_of({path.as_posix(): text for path, text in mended.items()})


def _write(path: Path, text: str) -> None:
    try:
        replace(path.resolve(), text)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{path}`: {failure.strerror or failure}") from failure


def _check(checking: Checking, files: list[Path], reader: Reader) -> Sequence[Diagnostic]:
    """What is wrong with the files, once it has been shown."""
    with progress("reading") as tell:
        checked = rebuild.check(files, checking.options, checking.workshop, tell, reader)
    return checking.tell(checked, files, reader)


def _tell(files: Sequence[Path], found: Sequence[Diagnostic]) -> None:
    """Close a round of `--watch`."""
    counted = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    click.echo(f"{counted}, {terminal.summary(found) or 'nothing found'}; waiting for a change", err=True)
