"""Reinforcement learning from a student's folder and a pack to another student's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from coworkdsl import Judge
from cwkc.models import open_model
from cwkc.models.judging import ModelJudge
from cwktrain.onpolicy.office import open_office
from cwktrain.onpolicy.options import trainer_arguments
from cwktrain.onpolicy.running import run
from cwktrain.reinforcement.options import ReinforcementOptions, grpo_arguments, reward_of
from cwktrain.split import refuse_held_out
from cwktrain.students import load_model, load_tokenizer
from cwktrain.tasks import TaskFacts, digest
from cwktrain.trainers import adapter


def train_reinforcement(
    student: Path, pack: Path, tasks: Sequence[TaskFacts], output: Path, options: ReinforcementOptions
) -> dict[str, Any]:
    """Trains the student on its own runs of the tasks, and gives the metrics that `output` keeps as well.

    `output` becomes a student's folder, whole or not at all. The same call goes on after a kill, from the checkpoints
    beside it. Raises HeldOutTask, UnfitTask, PackError, StudentUnavailable, ModelUnavailable, OptionError and
    TemplateError.
    """
    refuse_held_out(tasks, options.held_out)
    office = open_office(pack, tasks, reward_of(options), options.seed, _judge(options.judge))
    model, tokenizer = load_model(student), load_tokenizer(student)

    def trainer_of(checkpoints: Path) -> Any:
        from datasets import Dataset
        from trl import GRPOConfig

        from cwktrain.reinforcement.trainer import PackGRPOTrainer

        rows = [office.row(number) for number in range(options.max_steps * options.groups_per_step)]
        return PackGRPOTrainer(
            office=office,
            options=options,
            model=model,
            processing_class=tokenizer,
            train_dataset=Dataset.from_list(rows),
            peft_config=adapter(options, model),
            args=GRPOConfig(**trainer_arguments(options, checkpoints), **grpo_arguments(options)),
        )

    making = {
        "student": digest(student),
        "pack": digest(pack),
        "tasks": sorted(task.id for task in tasks),
        "options": asdict(options),
    }
    return run(trainer_of, making, output, {"algorithm": options.algorithm})


def _judge(name: str | None) -> Judge | None:
    return None if name is None else ModelJudge(open_model(name))
