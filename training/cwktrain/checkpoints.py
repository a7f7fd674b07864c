"""Checkpoints that a training resumes from, kept beside its output until it is done."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_MAKING, _COMPLETE = "making.json", "complete"


def checkpoints_of(output: Path, making: Mapping[str, Any]) -> Path:
    """The folder for the checkpoints of an output. Those of another making, which could not be resumed from, are
    removed. `making`: all that the result depends on."""
    folder = output.with_name(f".{output.name}.checkpoints")
    text = json.dumps(making, sort_keys=True)
    mark = folder / _MAKING
    if not mark.is_file() or mark.read_text(encoding="utf-8") != text:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        mark.write_text(text, encoding="utf-8")
    return folder


def last_checkpoint(folder: Path) -> Path | None:
    """The last one that was written to its end."""
    steps = {int(mark.parent.name.rpartition("-")[2]): mark.parent for mark in folder.glob(f"checkpoint-*/{_COMPLETE}")}
    return steps[max(steps)] if steps else None


def marks_checkpoints() -> Any:
    """A callback of transformers' trainer that marks each checkpoint as complete."""
    from transformers import TrainerCallback

    class Marks(TrainerCallback):
        def on_save(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            (Path(args.output_dir) / f"checkpoint-{state.global_step}" / _COMPLETE).touch()

    return Marks()
