"""`cwkc check PATH...`"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from cwkc import rebuild
from cwkc.cli.files import paths_argument, sources
from cwkc.cli.rewriting import replace, show_difference
from cwkc.cli.show import (
    budget_option,
    format_option,
    progress,
    report_option,
    sampling_options,
    show,
    show_theorems,
    tells_fixes,
    verbose_option,
    write_reports,
)
from cwkc.cli.watching import again
from cwkc.cli.work import work_options
from cwkc.diagnostics import Diagnostic, has_errors, terminal
from cwkc.inputs import Reader
from cwkc.syntax.reader import read
from cwkc.workshop import Workshop


@click.command()
@paths_argument
@format_option
@report_option
@budget_option
@sampling_options
@work_options
@verbose_option
@click.option("--watch", is_flag=True, help="Check again whenever one of the files has changed, until interrupted.")
@click.option("--fix", is_flag=True, help="Mend what has one certain repair, and show what that changes.")
@click.option(
    "--diff", is_flag=True, help="With --fix: write nothing; show what would be changed, and what would be left."
)
def command(
    paths: tuple[Path, ...],
    format: str,
    reports: tuple[Path, ...],
    budget: int | None,
    members: int,
    seed: int,
    workshop: Workshop,
    verbose: bool,
    watch: bool,
    fix: bool,
    diff: bool,
) -> None:
    """Check files, and the .cwk files in folders, up to and including the proofs.

    With --fix, mistakes that have one certain repair are mended first, where it was tried and mends them.
    """
    if diff and not fix:
        raise click.UsageError("`--diff` goes with `--fix`")
    if fix and watch:
        raise click.UsageError("`--fix` and `--watch` do not go together")
    options = rebuild.Options(budget, members, seed)
    check = partial(_check, format=format, reports=reports, options=options, workshop=workshop, verbose=verbose)
    with workshop:
        if watch:
            again(paths, lambda files, reader: _tell(files, check(files, reader)))
            return
        files = sources(paths)
        reader = _mend(files, diff, format) if fix else read
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


def _check(
    files: list[Path],
    reader: Reader,
    format: str,
    reports: Sequence[Path],
    options: rebuild.Options,
    workshop: Workshop,
    verbose: bool,
) -> Sequence[Diagnostic]:
    """What is wrong with the files, once it has been shown."""
    with progress("reading") as tell:
        checked = rebuild.check(files, options, workshop, tell, reader)
    found = checked.diagnostics
    if tells_fixes(format, reports):
        from cwkc import driver

        found = driver.offer_fixes(files, found, reader)
    show(found, format, files=files)
    write_reports(found, files, reports)
    if verbose:
        show_theorems(checked.theorems, format)
    return found


def _tell(files: Sequence[Path], found: Sequence[Diagnostic]) -> None:
    """Close a round of `--watch`."""
    counted = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    click.echo(f"{counted}, {terminal.summary(found) or 'nothing found'}; waiting for a change", err=True)
