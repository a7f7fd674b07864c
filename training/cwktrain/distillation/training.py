"""Distillation from a teacher's folder, along a student's own runs in a pack, to another student's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cwktrain.distillation.options import DistillationOptions
from cwktrain.onpolicy.checkpoints import fingerprint, open_checkpoints
from cwktrain.onpolicy.environments import Parts
from cwktrain.onpolicy.office import open_office
from cwktrain.onpolicy.options import adapter, identity, trainer_arguments
from cwktrain.onpolicy.routers import freeze_routers
from cwktrain.onpolicy.running import finish
from cwktrain.split import refuse_held_out
from cwktrain.students import StudentUnavailable, load_model, load_tokenizer, prepare_process
from cwktrain.tasks import TaskFacts, digest


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
    beside it. Raises HeldOutTask, UnfitTask, PackError, StudentUnavailable, OtherTraining and TemplateError.
    """
    refuse_held_out(tasks, options.held_out)
    office = open_office(pack, tasks, _reward, options.seed, graded=False)
    prepare_process()
    tokenizer = load_tokenizer(student)
    if load_tokenizer(teacher).get_vocab() != tokenizer.get_vocab():
        raise StudentUnavailable(f"`{teacher}` cannot teach `{student}`: their vocabularies differ")
    models = load_model(student), load_model(teacher)
    names = sorted(task.id for task in tasks)
    folders = {"student": fingerprint(student), "teacher": fingerprint(teacher), "pack": digest(pack)}
    checkpoints = open_checkpoints(output, {**folders, "tasks": names, "options": identity(options)})

    from datasets import Dataset
    from trl import DistillationConfig

    from cwktrain.distillation.trainer import PackDistillationTrainer

    rows = [office.row(number) for number in range(options.max_steps * options.runs_per_step)]
    trainer = PackDistillationTrainer(
        office=office,
        options=options,
        model=models[0],
        teacher_model=models[1],
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows),
        peft_config=adapter(options),
        args=DistillationConfig(**trainer_arguments(options, checkpoints), beta=options.beta),
    )
    routers = freeze_routers(trainer.model)
    return finish(
        trainer, tokenizer, output, checkpoints, {"divergence": options.divergence, "frozen_routers": routers}
    )


def _reward(parts: Parts) -> float:
    return parts.reward
