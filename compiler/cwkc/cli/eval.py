"""`cwkc eval PACK`"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from cwkc.cli.packs import pack_argument
from cwkc.cli.rollouts import (
    AGENTS,
    failures_are_wrong_use,
    require_packages,
    rolled_out,
    rollout_options,
    setup_of,
    split_options,
    tasks_of,
)
from cwktrain.store import RunStore, read_runs

if TYPE_CHECKING:
    from cwktrain.episodes import Setup
    from cwktrain.evaluation.reports import Comparison, Report
    from cwktrain.runs import RunRecord

COLLECTION = "evaluation"


@click.command()
@pack_argument
@click.option("--agent", "agents", required=True, multiple=True, metavar=AGENTS, help="Give it again to compare.")
@click.option("-k", "--trials", type=click.IntRange(1), default=3, show_default=True, help="Runs of each task.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.75,
    show_default=True,
    help="The reward from which on a run passes.",
)
@click.option("--runs", type=click.Path(dir_okay=False, path_type=Path), help="Keep the runs there, and resume.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the numbers as JSON.")
@click.option("--plot", "image", type=click.Path(dir_okay=False, path_type=Path), help="Write the curves as a PNG.")
@split_options
@rollout_options
def command(
    pack: Path,
    agents: tuple[str, ...],
    trials: int,
    threshold: float,
    runs: Path | None,
    output: Path | None,
    image: Path | None,
    split: str,
    held_out: float,
    **options: Any,
) -> None:
    """Measure agents on the tasks of PACK, with 95 % intervals, and each further agent against the first.

    The tasks and seeds are the same for all. Runs that are invalid or unscored are counted and in no mean.
    """
    require_packages("numpy", *(["matplotlib"] if image is not None else []))
    from cwktrain.evaluation.reports import compare, report

    tasks = tasks_of(pack, split, held_out)
    setups = [setup_of(pack, agent, COLLECTION, options) for agent in dict.fromkeys(agents)]
    with _store(runs) as path, failures_are_wrong_use():
        for setup in setups:
            with RunStore(path) as store:
                rolled_out(setup, tasks, trials, options, store)
        kept = read_runs(path).runs
    trials_of = {(task, options["seed"] + trial) for task in tasks for trial in range(trials)}
    found = {setup.agent: _runs_of(setup, trials_of, kept) for setup in setups}
    reports = [report(agent, ours, trials, threshold) for agent, ours in found.items()]
    (first, ours), *others = found.items()
    comparisons = [compare(first, other, ours, theirs, threshold) for other, theirs in others]
    _show(reports, comparisons)
    _write(reports, comparisons, output, image)


def _runs_of(setup: Setup, trials: Container[tuple[str, int]], kept: Iterable[RunRecord]) -> Sequence[RunRecord]:
    """Of the store's runs those that were asked for now, by task and seed."""
    from cwktrain.evaluation.reports import last_attempts

    made = (setup.collection, setup.digest, setup.agent)
    ours = (run for run in kept if (run.collection, run.pack, run.agent) == made)
    return last_attempts(run for run in ours if (run.task.id, run.seed) in trials)


@contextmanager
def _store(runs: Path | None) -> Iterator[Path]:
    """Where the runs are kept, if only for the moment."""
    if runs is not None:
        yield runs
        return
    with TemporaryDirectory(prefix="cwkc-eval-") as folder:
        yield Path(folder) / "runs.sqlite"


def _show(reports: Sequence[Report], comparisons: Sequence[Comparison]) -> None:
    from cwktrain.evaluation.tables import comparison_lines, report_lines

    parts = [*map(report_lines, reports), *map(comparison_lines, comparisons)]
    click.echo("\n\n".join("\n".join(lines) for lines in parts))


def _write(
    reports: Sequence[Report], comparisons: Sequence[Comparison], output: Path | None, image: Path | None
) -> None:
    """Raises click.UsageError where a file cannot be written."""
    from cwktrain.evaluation.reports import FORMAT

    document = {
        "format": FORMAT,
        "agents": [report.to_json() for report in reports],
        "comparisons": [comparison.to_json() for comparison in comparisons],
    }
    try:
        if output is not None:
            output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        if image is not None:
            from cwktrain.evaluation.plots import plot

            plot(reports, image)
    except OSError as failure:
        raise click.UsageError(f"cannot write `{failure.filename}`: {failure.strerror or failure}") from failure
