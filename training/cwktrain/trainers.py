"""What all of TRL's trainers are told here: what suits this machine, how training is kept, and which adapter learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class AdapterOptions(Protocol):
    """`use_peft`: whether a LoRA adapter is trained, or else all weights."""

    @property
    def use_peft(self) -> bool: ...
    @property
    def lora_r(self) -> int: ...
    @property
    def lora_alpha(self) -> int: ...
    @property
    def lora_dropout(self) -> float: ...


def common_arguments(checkpoints: Path) -> dict[str, Any]:
    """Arguments for each of TRL's configurations. `checkpoints`: the folder for them."""
    import torch

    on_gpu = torch.cuda.is_available()
    return {
        "output_dir": str(checkpoints),
        "use_cpu": not on_gpu,
        "bf16": on_gpu,
        "dataloader_pin_memory": on_gpu,
        "disable_tqdm": True,
        "logging_steps": 1,
        "save_strategy": "steps",
        # The one before the last is there while the last is being written.
        "save_total_limit": 2,
    }


def adapter(options: AdapterOptions, model: Any, layers: tuple[int, ...] | None = None) -> Any:
    """What peft is told, or None for training all weights. `layers`: the numbers of those that get an adapter; all of
    them where it is None."""
    if not options.use_peft:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=options.lora_r,
        lora_alpha=options.lora_alpha,
        lora_dropout=options.lora_dropout,
        target_modules=_linear(model),
        layers_to_transform=None if layers is None else [*layers],
        task_type="CAUSAL_LM",
    )


def _linear(model: Any) -> list[str]:
    """The names of all linear modules but the one that gives the logits: what `all-linear` means, which LoRA does not
    take together with a choice of layers."""
    from torch.nn import Linear

    head = model.get_output_embeddings()
    modules = model.named_modules()
    return sorted({name.rpartition(".")[2] for name, each in modules if isinstance(each, Linear) and each is not head})
