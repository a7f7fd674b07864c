"""Curves of Pass@k and Pass^k over k as a PNG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cwktrain.evaluation.bootstrap import Estimate
from cwktrain.evaluation.reports import Report


def plot(reports: Sequence[Report], path: Path) -> None:
    """Writes the file: for each agent a curve that rises, Pass@k, and one that falls, Pass^k, within their intervals.

    Raises OSError.
    """
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for place, report in enumerate(reports):
        _draw(axes, f"{report.agent} pass@k", "-", place, ((k, each.pass_at) for k, each in report.curve.items()))
        _draw(axes, f"{report.agent} pass^k", "--", place, ((k, each.pass_all) for k, each in report.curve.items()))
    axes.set(xlabel="k", ylabel=f"share of tasks, reward at least {reports[0].threshold:g}", ylim=(-0.02, 1.02))
    axes.set_xticks(sorted(reports[0].curve))
    axes.legend()
    figure.savefig(path, format="png", dpi=150)


def _draw(axes: Axes, label: str, style: str, place: int, points: Iterable[tuple[int, Estimate | None]]) -> None:
    known = [(k, estimate) for k, estimate in points if estimate is not None]
    ks = [k for k, _ in known]
    axes.plot(ks, [each.value for _, each in known], style, marker="o", color=f"C{place}", label=label)
    lows = [each.value if each.low is None else each.low for _, each in known]
    highs = [each.value if each.high is None else each.high for _, each in known]
    axes.fill_between(ks, lows, highs, color=f"C{place}", alpha=0.15, linewidth=0)
