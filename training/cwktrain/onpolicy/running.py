"""What all training on a student's own runs has in common: it resumes, it is kept, and it leaves its metrics."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cwktrain.checkpoints import checkpoints_of, last_checkpoint, marks_checkpoints
from cwktrain.onpolicy.options import require
from cwktrain.onpolicy.routers import freeze_routers
from cwktrain.students import save_student

_BY_STEP = {
    "reward": "reward",
    "loss": "loss",
    "kl": "kl",
    "entropy": "entropy",
    "tokens": "num_tokens",
    "runs_failed": "runs_failed",
    "runs_left_out": "runs_left_out",
    "groups_without_variance": "groups_without_variance",
    "groups_drawn": "groups_drawn",
    "groups_dropped": "groups_dropped",
    "completion_length": "completions/mean_length",
    "clipped": "completions/clipped_ratio",
    "calls": "tools/call_frequency",
    "refused_calls": "tools/failure_frequency",
}
"""What metrics are called here and by TRL."""


def run(
    trainer_of: Callable[[Path], Any], making: Mapping[str, Any], output: Path, summary: Mapping[str, Any]
) -> dict[str, Any]:
    """Trains from the last checkpoint on, writes the student, and gives the metrics.

    `trainer_of`: makes the trainer, which keeps its checkpoints in the folder that it is given. `making`: all that the
    result depends on. Raises OptionError for several processes, and StudentUnavailable.
    """
    from transformers import PrinterCallback

    checkpoints = checkpoints_of(output, making)
    trainer = trainer_of(checkpoints)
    processes = trainer.accelerator.num_processes
    require(processes == 1, f"groups of runs are compared in one process; this was started in {processes}")
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(marks_checkpoints())
    routers = freeze_routers(trainer.model)
    resumed = last_checkpoint(checkpoints)
    trainer.train(resume_from_checkpoint=None if resumed is None else str(resumed))
    steps = [_step(entry) for entry in trainer.state.log_history if "loss" in entry]
    metrics = {**summary, "frozen_routers": routers, "steps": steps}
    save_student(trainer.model, trainer.processing_class, output, metrics)
    shutil.rmtree(checkpoints)
    return metrics


def _step(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A step's entry of TRL's log, as far as it is of use: what a step did not measure is left out."""
    known = {ours: entry[theirs] for ours, theirs in _BY_STEP.items() if entry.get(theirs) is not None}
    return {"step": entry["step"], **known}
