"""Distillation from a teacher's folder, along a student's own runs in a pack, to another student's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from cwktrain.distillation.options import DistillationOptions
from cwktrain.onpolicy.environments import Parts
from cwktrain.onpolicy.office import open_office
from cwktrain.onpolicy.options import trainer_arguments
from cwktrain.onpolicy.running import run
from cwktrain.split import refuse_held_out
from cwktrain.students import StudentUnavailable, load_model, load_tokenizer
from cwktrain.tasks import TaskFacts, digest
from cwktrain.trainers import adapter


def train_distillation(
    student: Path,
    teacher: Path,
    pack: Path,
    tasks: Sequence[TaskFacts],
    output: Path,
    options: DistillationOptions,
) -> dict[str, Any]:
    """Trains the student to say what the teacher would, on its own runs of the tasks, and gives the metrics that
    `output` keeps as well. Calls and words of the student count; results and users' words are context alone.

    `output` becomes a student's folder, whole or not at all. The same call goes on after a kill, from the checkpoints
    beside it. Raises HeldOutTask, UnfitTask, PackError, StudentUnavailable, OptionError and TemplateError.
    """
    refuse_held_out(tasks, options.held_out)
    office = open_office(pack, tasks, _reward, options.seed, graded=False)
    tokenizer = load_tokenizer(student)
    if load_tokenizer(teacher).get_vocab() != tokenizer.get_vocab():
        raise StudentUnavailable(f"`{teacher}` cannot teach `{student}`: their vocabularies differ")
    model, teacher_model = load_model(student), load_model(teacher)

    def trainer_of(checkpoints: Path) -> Any:
        from datasets import Dataset
        from trl import DistillationConfig

        from cwktrain.distillation.trainer import PackDistillationTrainer

        rows = [office.row(number) for number in range(options.max_steps * options.runs_per_step)]
        return PackDistillationTrainer(
            office=office,
            options=options,
            model=model,
            teacher_model=teacher_model,
            processing_class=tokenizer,
            train_dataset=Dataset.from_list(rows),
            peft_config=adapter(options, model),
            args=DistillationConfig(**trainer_arguments(options, checkpoints), beta=options.beta),
        )

    making = {
        "student": digest(student),
        "teacher": digest(teacher),
        "pack": digest(pack),
        "tasks": sorted(task.id for task in tasks),
        "options": asdict(options),
    }
    return run(trainer_of, making, output, {"divergence": options.divergence})


def _reward(parts: Parts) -> float:
    return parts.reward
