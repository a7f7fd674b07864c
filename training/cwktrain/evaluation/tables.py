"""Reports and comparisons for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from cwktrain.evaluation.bootstrap import Estimate
from cwktrain.evaluation.reports import Comparison, Quantities, Report

_WIDTH = 19


def report_lines(report: Report) -> Iterator[str]:
    """The counts, then a line for all tasks and one for each group."""
    runs = ", ".join(f"{count} {status}" for status, count in report.statuses.items())
    yield f"{report.agent}: {report.tasks} tasks, {sum(report.statuses.values())} runs: {runs}"
    k = max(report.curve)
    names = [name for group in report.groups.values() for name in group]
    width = max(map(len, ("service", "category", "capability", *(f"  {name}" for name in names))))
    heads = "".join(f"  {head:<{_WIDTH}}" for head in ("score", f"pass@{k}", f"pass^{k}"))
    yield f"{'':<{width}}  tasks{heads}".rstrip()
    yield _line("all", report.curve[k], width)
    for dimension, groups in report.groups.items():
        if groups:
            yield dimension
        for name, quantities in groups.items():
            yield _line(f"  {name}", quantities, width)


def _line(name: str, quantities: Quantities, width: int) -> str:
    tasks = quantities.score.tasks if quantities.score else 0
    cells = "".join(f"  {shown(each):<{_WIDTH}}" for each in quantities)
    return f"{name:<{width}}  {tasks:>5}{cells}".rstrip()


def shown(estimate: Estimate | None, sign: str = "") -> str:
    """`0.75 [0.60, 0.88]`, the interval where there is one; `sign` is that of a format."""
    if estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:{sign}.2f}"
    return f"{estimate.value:{sign}.2f} [{estimate.low:{sign}.2f}, {estimate.high:{sign}.2f}]"


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    yield f"{comparison.other} less {comparison.agent}:"
    tasks = comparison.score.tasks if comparison.score else 0
    yield f"  score {shown(comparison.score, '+')}, passes {shown(comparison.passes, '+')}, over {tasks} tasks"
    pairs = comparison.better + comparison.equal + comparison.worse
    yield (
        f"  of {pairs} pairs of runs: {comparison.better} better, {comparison.equal} equal, {comparison.worse} worse; "
        f"{comparison.unpaired} trials without a score on both sides"
    )
