"""`cwkc curate RUNS…`"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from cwkc.cli.rollouts import failures_are_wrong_use
from cwktrain.curation.dataset import DatasetError, funnel_lines, write_dataset
from cwktrain.curation.gates import Curated, curate
from cwktrain.curation.options import THRESHOLDS, Options, read_threshold
from cwktrain.split import HELD_OUT
from cwktrain.store import read_runs

_DEFAULTS = Options()
_PRESETS = ", ".join(f"{name} {value:g}" for name, value in THRESHOLDS.items())


def _thresholds(
    context: click.Context, parameter: click.Parameter, values: Iterable[str]
) -> tuple[float, dict[str, float]]:
    """The threshold of all tasks, and those of categories. Raises click.BadParameter."""
    overall, by_category = _DEFAULTS.threshold, {}
    try:
        for value in values:
            category, is_one, text = value.rpartition("=")
            if is_one:
                by_category[category] = read_threshold(text)
            else:
                overall = read_threshold(text)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from error
    return overall, by_category


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The data set's folder.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    callback=_thresholds,
    metavar="[CATEGORY=]PRESET|NUMBER",
    help=f"The least reward, of all tasks or of a category's: a number, or one of {_PRESETS}.  [default: mixed]",
)
@click.option(
    "--unsolvable",
    type=click.FloatRange(0, 1),
    default=_DEFAULTS.unsolvable,
    show_default=True,
    help="Up to this mean completion a task is left out.",
)
@click.option(
    "--trivial",
    type=click.FloatRange(0, 1),
    default=_DEFAULTS.trivial,
    show_default=True,
    help="From this mean completion on, one run stands for all tasks that begin alike.",
)
@click.option("--prefix-length", type=click.IntRange(1), default=_DEFAULTS.prefix_length, show_default=True)
@click.option("--fewest-messages", type=click.IntRange(1), default=_DEFAULTS.fewest_messages, show_default=True)
@click.option("--most-calls", type=click.IntRange(0), default=_DEFAULTS.most_calls, show_default=True)
@click.option("--longest-observation", type=click.IntRange(1), default=_DEFAULTS.longest_observation, show_default=True)
@click.option("--longest-run", type=click.IntRange(1), default=_DEFAULTS.longest_run, show_default=True)
@click.option(
    "--keep-recoveries", is_flag=True, help="Keep good runs that failed and recovered, whatever their length."
)
@click.option(
    "--held-out",
    type=click.FloatRange(0, 1),
    default=HELD_OUT,
    show_default=True,
    metavar="SHARE",
    help="The share of the task families, by a hash of their names, that is left out.",
)
@click.option("--student", type=click.Path(exists=True, file_okay=False), help="A model that chooses among the runs.")
@click.option("--select", type=click.Choice(["nll", "rsr"]), help="By what the student chooses: the least is kept.")
@click.option(
    "--keep",
    type=click.FloatRange(0, 1),
    default=_DEFAULTS.keep,
    show_default=True,
    metavar="SHARE",
    help="The share of the runs of each length that the student keeps.",
)
def command(runs: tuple[Path, ...], output: Path, thresholds: tuple[float, dict[str, float]], **options: Any) -> None:
    """Make a data set for supervised training of the runs in RUNS.

    Prints how many runs fell at each gate, and writes the rows in TRL's conversational tool format, with a card.
    """
    overall, by_category = thresholds
    if (options["student"] is None) != (options["select"] is None):
        raise click.UsageError("`--student` and `--select` go together: a student chooses by a measure")
    chosen = Options(threshold=overall, by_category=by_category, **options)
    with failures_are_wrong_use():
        stores = [read_runs(path) for path in runs]
    supersedes = {name: replaced for store in stores for name, replaced in store.supersedes.items()}
    curated = _chosen(curate((run for store in stores for run in store.runs), supersedes, chosen), chosen)
    try:
        write_dataset(output, curated, chosen)
    except (DatasetError, OSError) as failure:
        raise click.UsageError(f"no data set can be written: {failure}") from failure
    click.echo("\n".join(funnel_lines(curated.gates, len(curated.kept))))


def _chosen(curated: Curated, options: Options) -> Curated:
    """What the student keeps, where there is one. Raises click.UsageError."""
    if options.student is None or options.select is None:
        return curated
    from cwktrain.preferences import keep_preferred
    from cwktrain.students import StudentUnavailable

    try:
        return keep_preferred(curated, Path(options.student), options.select, options.keep)
    except StudentUnavailable as unavailable:
        raise click.UsageError(str(unavailable)) from unavailable
