"""What changes from step to step of training, as a PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 6.4, 2.0


def draw(series: Mapping[str, Sequence[float]], path: Path) -> None:
    """Writes the file: a curve for each series, one below the other, over the steps from 1. Raises OSError."""
    figure = Figure(figsize=(_WIDTH, _HEIGHT * len(series)), layout="constrained")
    grid = figure.subplots(len(series), 1, sharex=True, squeeze=False)
    for (axes,), (name, values) in zip(grid, series.items(), strict=True):
        axes.plot(range(1, len(values) + 1), values, marker="o", markersize=3)
        axes.set(ylabel=name.replace("_", " "))
    grid[-1][0].set(xlabel="step")
    figure.savefig(path, format="png", dpi=150)
