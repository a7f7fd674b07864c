"""Data sets of real runs, and students that know their words."""

from __future__ import annotations

from pathlib import Path

from cwktrain.curation.dataset import ROWS, write_dataset
from cwktrain.curation.gates import curate
from cwktrain.curation.options import Options
from cwktrain.episodes import Episode, Setup, run_episode
from cwktrain.runs import RunRecord

from .tiny import tiny_student

TASKS = ("thank_reporter", "flaky_helpdesk", "locked_out")


def noisy_runs(pack: Path, trials: int) -> list[RunRecord]:
    setup = Setup(pack, "digest", "noisy-witness:0.4")
    return [run_episode(setup, Episode(task, seed)) for seed in range(trials) for task in TASKS]


def noisy_data(pack: Path, folder: Path, trials: int = 8) -> Path:
    """What is left of the noisy witness's runs: conversations with tools that differ in their arguments."""
    options = Options(threshold=0.0, unsolvable=-1.0, trivial=2.0, fewest_messages=3, held_out=0.0)
    write_dataset(folder, curate(noisy_runs(pack, trials), {}, options), options)
    return folder


def student_of(data: Path, folder: Path) -> Path:
    """A tiny student whose vocabulary is made of the data set's text."""
    return tiny_student(folder, (data / ROWS).read_text(encoding="utf-8").splitlines())
