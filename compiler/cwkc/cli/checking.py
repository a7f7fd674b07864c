"""What `cwkc check` and `cwkc build` have in common: their options, and what is told of a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import frozen

from cwkc import rebuild
from cwkc.cli.show import REPORTS, show, show_theorems, tells_fixes, write_reports
from cwkc.cli.work import work_options
from cwkc.diagnostics import Diagnostic
from cwkc.inputs import Reader
from cwkc.syntax.reader import read
from cwkc.workshop import Workshop

Function = TypeVar("Function", bound=Callable[..., None])


@frozen
class Checking:
    """How files are checked, and how what is found is shown."""

    options: rebuild.Options
    workshop: Workshop
    format: str
    reports: tuple[Path, ...]
    verbose: bool

    def tell(self, result: rebuild.Result, files: Sequence[Path], reader: Reader = read) -> Sequence[Diagnostic]:
        """Shows what was found, and gives it with the fixes that were offered. Raises click.UsageError when a report
        cannot be written."""
        found = result.diagnostics
        if tells_fixes(self.format, self.reports):
            from cwkc import driver

            found = driver.offer_fixes(files, found, reader)
        show(found, self.format, files=files)
        write_reports(found, files, self.reports)
        if self.verbose:
            show_theorems(result.theorems, self.format)
        return found


def checking_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command gets them as its `checking`."""

    @format_option
    @report_option
    @budget_option
    @sampling_options
    @work_options
    @verbose_option
    @wraps(command)
    def with_checking(
        format: str,
        reports: tuple[Path, ...],
        budget: int | None,
        members: int,
        seed: int,
        workshop: Workshop,
        verbose: bool,
        **others: Any,
    ) -> None:
        options = rebuild.Options(budget, members, seed)
        command(checking=Checking(options, workshop, format, reports, verbose), **others)

    return with_checking


def format_option(function: Function) -> Function:
    """`--format terminal|json|github|sarif|junit`"""
    return click.option(
        "--format",
        type=click.Choice(("terminal", "json", "github", "sarif", "junit")),
        default="terminal",
        show_default=True,
        help="How to show what was found.",
    )(function)


def report_option(function: Function) -> Function:
    """`--report FILE`, which may be said again"""
    return click.option(
        "--report",
        "reports",
        multiple=True,
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=_checked_reports,
        help="Write what was found to this file too: FILE.sarif, FILE.xml (JUnit) or FILE.json; may be said again.",
    )(function)


def _checked_reports(context: click.Context, parameter: click.Parameter, reports: tuple[Path, ...]) -> tuple[Path, ...]:
    """Raises click.UsageError for a file that no format writes."""
    for report in reports:
        if report.suffix not in REPORTS:
            known = ", ".join(f"`{suffix}`" for suffix in REPORTS)
            raise click.UsageError(f"a report's name ends in one of {known}, unlike `{report}`", context)
    return reports


def budget_option(function: Function) -> Function:
    """`--budget STEPS`"""
    return click.option(
        "--budget",
        type=click.IntRange(min=1),
        metavar="STEPS",
        help="The solver's own steps for each question; the same everywhere, whatever the machine. [default: 2000000]",
    )(function)


def sampling_options(function: Function) -> Function:
    """`--members N --seed N`"""
    seed = click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="What the choice of members depends on: the same seed, the same members.",
    )(function)
    return click.option(
        "--members",
        type=click.IntRange(min=1),
        default=200,
        show_default=True,
        metavar="N",
        help="Build at most so many members of each family: all where there are no more, else a sample.",
    )(seed)


def verbose_option(function: Function) -> Function:
    """`--verbose`"""
    return click.option("--verbose", is_flag=True, help="List the theorems of each task.")(function)
