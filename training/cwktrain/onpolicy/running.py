"""The end that all training on a student's own runs has in common: it runs, is kept, and leaves its metrics."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwktrain.onpolicy.checkpoints import drop_checkpoints, last_checkpoint
from cwktrain.students import save_student

METRICS = "metrics.json"

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


def finish(
    trainer: Any, tokenizer: Any, output: Path, checkpoints: Path, summary: Mapping[str, Any]
) -> dict[str, Any]:
    """Trains from the last checkpoint on, writes the student, and gives the metrics. Raises StudentUnavailable."""
    trainer.train(resume_from_checkpoint=last_checkpoint(checkpoints))
    steps = [_step(entry) for entry in trainer.state.log_history if "loss" in entry]
    metrics = {**summary, "steps": steps}
    save_student(trainer.model, tokenizer, output)
    (output / METRICS).write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    drop_checkpoints(checkpoints)
    return metrics


def _step(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A step's entry of TRL's log, as far as it is of use: a value that a step does not have is left out."""
    known = {ours: entry[theirs] for ours, theirs in _BY_STEP.items() if entry.get(theirs) is not None}
    return {"step": entry["step"], **known}
