"""Supervised training by TRL."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from cwktrain.checkpoints import checkpoints_of, last_checkpoint, marks_checkpoints
from cwktrain.rendering import Rendered
from cwktrain.students import load_model, load_tokenizer, save_student
from cwktrain.supervised.options import SupervisedOptions
from cwktrain.supervised.rows import RowError, prove, read_rows, refuse_rows, rendered
from cwktrain.tasks import digest
from cwktrain.trainers import adapter, common_arguments


def train_supervised(student: Path, data: Path, output: Path, options: SupervisedOptions) -> dict[str, Any]:
    """Trains a student on the data set that `cwkc curate` wrote into the folder `data`, and writes it to `output`.

    The loss is the negative log-likelihood of the assistant's tokens, its calls among them, each with the same weight
    whatever row it stands in. Before training starts, each row is proved to be what is trained on. After an
    interruption, the same call resumes from the last checkpoint. Gives what `training.json` in `output` says: the loss
    of each step in nats per token, and how many rows and tokens there were.

    Raises RowError, HeldOutTask and StudentUnavailable.
    """
    rows = read_rows(data)
    refuse_rows(rows, options.held_out)
    tokenizer = load_tokenizer(student)
    read = [(row, rendered(tokenizer, row)) for row in rows]
    taken = [(row, text) for row, text in read if len(text.ids) <= options.max_length]
    if not taken:
        raise RowError(f"each of the {len(rows)} rows has more than {options.max_length} tokens")
    making = {"student": digest(student), "data": digest(data), "options": asdict(options)}
    checkpoints = checkpoints_of(output, making)
    trainer = _trainer(load_model(student), tokenizer, [text for _, text in taken], checkpoints, options)
    prove(tokenizer, taken, trainer.train_dataset)
    resumed = last_checkpoint(checkpoints)
    trainer.train(resume_from_checkpoint=None if resumed is None else str(resumed))
    metrics = _metrics(len(rows), [text for _, text in taken], trainer.state)
    save_student(trainer.model, tokenizer, output, metrics)
    shutil.rmtree(checkpoints)
    return metrics


def _metrics(rows: int, texts: Sequence[Rendered], state: Any) -> dict[str, Any]:
    return {
        "rows": rows,
        "rows_dropped_for_length": rows - len(texts),
        "tokens": sum(len(text.ids) for text in texts),
        "assistant_tokens": sum(sum(text.mask) for text in texts),
        "steps": state.global_step,
        "loss": [entry["loss"] for entry in state.log_history if "loss" in entry],
    }


def _trainer(
    model: Any, tokenizer: Any, texts: Sequence[Rendered], checkpoints: Path, options: SupervisedOptions
) -> Any:
    """TRL's trainer, which is given tokens. Of messages it would make a typed table first, in which the arguments of
    all tools become one type, and each call silently gains the others' as nulls."""
    import datasets
    from transformers import PrinterCallback
    from trl import SFTTrainer

    datasets.disable_progress_bars()
    table = datasets.Dataset.from_dict(
        {"input_ids": [text.ids for text in texts], "assistant_masks": [text.mask for text in texts]}
    )
    trainer = SFTTrainer(
        model=model,
        args=supervised_arguments(checkpoints, options),
        train_dataset=table,
        processing_class=tokenizer,
        peft_config=adapter(options, model, options.layers_to_transform),
        callbacks=[marks_checkpoints()],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def supervised_arguments(checkpoints: Path, options: SupervisedOptions) -> Any:
    """What TRL's trainer takes of the options, and what suits this machine."""
    from trl import SFTConfig

    of_adapter = ("use_peft", "lora_r", "lora_alpha", "lora_dropout", "layers_to_transform")
    given = {name: value for name, value in asdict(options).items() if name not in (*of_adapter, "held_out")}
    return SFTConfig(**common_arguments(checkpoints), **given)
