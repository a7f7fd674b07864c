"""Students: models that are trained, as folders in the form of transformers.

Nothing here asks a network: a student is a folder on this machine. torch, transformers and TRL are imported where they
are used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cwktrain.folders import whole_folder

METRICS = "training.json"

_MARK = "config.json"

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRL_EXPERIMENTAL_SILENCE": "1",
}


class StudentUnavailable(Exception):
    """A student cannot be loaded or kept; the message says why."""


def prepare_process() -> None:
    """What torch and its companions read of the environment when they are imported, where the user did not say."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)


def load_tokenizer(path: str | Path) -> Any:
    """The student's tokenizer, with a chat template that training can rely on (see `cwktrain.templates`).

    Raises StudentUnavailable.
    """
    return _tokenizer(_student(path))


def load_model(path: str | Path) -> Any:
    """The student's model, in float32, or on a GPU in bfloat16. Raises StudentUnavailable."""
    return _model(_student(path))


def load_reader(path: str | Path) -> Any:
    """The model as it answers and reads: on a GPU where there is one, with nothing left to chance. Raises
    StudentUnavailable."""
    model = load_model(path)
    import torch

    return model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def import_gguf(file: Path, folder: Path) -> None:
    """Makes a student's folder of a GGUF file, its weights dequantised. Raises StudentUnavailable.

    A model that transformers read from GGUF stays marked as quantised, and can neither be trained nor saved: so its
    weights are moved into a model that is built anew from the cleaned configuration.
    """
    if not file.is_file():
        raise StudentUnavailable(f"`{file}` is no file")
    tokenizer = _tokenizer(file.parent, gguf_file=file.name)
    read = _model(file.parent, gguf_file=file.name)
    from transformers import AutoModelForCausalLM

    marks = ("quantization_config", "_name_or_path")
    settings = {name: value for name, value in read.config.to_dict().items() if name not in marks}
    model = AutoModelForCausalLM.from_config(type(read.config)(**settings), dtype=read.dtype)
    model.load_state_dict(read.state_dict())
    model.tie_weights()
    save_student(model, tokenizer, folder)


def save_student(model: Any, tokenizer: Any, folder: Path, metrics: Mapping[str, Any] | None = None) -> None:
    """Writes the student's folder, whole or not at all, in the place of an older one. A LoRA adapter is merged into its
    model, which this changes. `metrics` of its training become `training.json`. Raises StudentUnavailable."""
    whole = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
    whole.generation_config.eos_token_id = end_tokens(whole, tokenizer)
    try:
        with whole_folder(folder, _MARK) as fresh:
            whole.save_pretrained(fresh)
            tokenizer.save_pretrained(fresh)
            if metrics is not None:
                (fresh / METRICS).write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise StudentUnavailable(f"`{folder}` cannot be written: {error}") from error


def end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """The tokens that end an answer: the one that the chat template writes, and what else the model knows of."""
    known = model.generation_config.eos_token_id
    others = known if isinstance(known, list) else [] if known is None else [known]
    return list(dict.fromkeys([tokenizer.eos_token_id, *others]))


def _tokenizer(folder: Path, **options: Any) -> Any:
    with _failures_in_words(folder):
        from transformers import AutoTokenizer

        from cwktrain.templates import prepare_tokenizer

        return prepare_tokenizer(AutoTokenizer.from_pretrained(folder, local_files_only=True, **options))


def _model(folder: Path, **options: Any) -> Any:
    with _failures_in_words(folder):
        import torch
        from transformers import AutoModelForCausalLM, logging

        logging.disable_progress_bar()
        dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
        return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True, **options)


def _student(path: str | Path) -> Path:
    """The folder. Raises StudentUnavailable where it is none."""
    folder = Path(path)
    if folder.is_file() and folder.suffix == ".gguf":
        raise StudentUnavailable(f"`{folder}` is a file: make a folder of it with `cwktrain.students.import_gguf`")
    if not (folder / _MARK).is_file():
        raise StudentUnavailable(f"`{folder}` holds no student: there is no `{folder / _MARK}`")
    return folder


@contextmanager
def _failures_in_words(folder: Path) -> Iterator[None]:
    prepare_process()
    try:
        yield
    except ImportError as missing:
        package = missing.name or str(missing)
        raise StudentUnavailable(f"`{package}` is not installed: `pip install 'coworkdsl[train]'`") from missing
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StudentUnavailable(f"`{folder}` holds no student: {error}") from error
