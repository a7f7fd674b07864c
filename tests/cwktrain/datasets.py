"""Data sets of real runs, and students that know their words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cwkc import driver
from cwkc.folder import write_pack
from cwktrain.curation.dataset import ROWS, write_dataset
from cwktrain.curation.gates import curate
from cwktrain.curation.options import Options
from cwktrain.episodes import Episode, Setup, run_episode

from .tiny import tiny_student

TASKS = ("paint_lamp.red", "paint_lamp.green", "paint_lamp.blue")
EVERYTHING = Options(threshold=0.0, unsolvable=-1.0, trivial=2.0, fewest_messages=2, held_out=0.0)


def lamps(folder: Path) -> Path:
    """A pack whose runs are short: to look at a lamp and paint it."""
    files = driver.build([Path(__file__).parent / "lamps.cwk"]).files
    assert files is not None
    write_pack(files, folder)
    return folder


def data_of(pack: Path, folder: Path, agent: str, tasks: Sequence[str] = TASKS, trials: int = 4) -> Path:
    """What curation makes of all runs of an agent."""
    setup = Setup(pack, "digest", agent)
    runs = [run_episode(setup, Episode(task, seed)) for seed in range(trials) for task in tasks]
    write_dataset(folder, curate(runs, {}, EVERYTHING), EVERYTHING)
    return folder


def student_of(data: Path, folder: Path) -> Path:
    """A tiny student whose vocabulary is made of the data set's text."""
    return tiny_student(folder, (data / ROWS).read_text(encoding="utf-8").splitlines())
