"""What supervised training is asked for, under TRL's names; the defaults are the published LoRA settings."""

from __future__ import annotations

from attrs import frozen

from cwktrain.split import HELD_OUT


@frozen
class SupervisedOptions:
    """`max_length`: in tokens; longer rows are left out. `max_steps` is -1 where `num_train_epochs` says the length.

    `use_peft`: whether a LoRA adapter is trained and then merged, or else all weights. `layers_to_transform`: the
    numbers of the layers that get an adapter; all of them where it is None. `held_out`: the share of the families that
    nothing may be trained on. `save_steps`: after how many steps there is a checkpoint to resume from.
    """

    use_peft: bool = True
    lora_r: int = 32
    lora_alpha: int = 64
    lora_dropout: float = 0.05
    layers_to_transform: tuple[int, ...] | None = None
    learning_rate: float = 2e-4
    lr_scheduler_type: str = "linear"
    warmup_steps: float = 0
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    max_length: int = 4096
    num_train_epochs: float = 3.0
    max_steps: int = -1
    per_device_train_batch_size: int = 1
    gradient_accumulation_steps: int = 8
    gradient_checkpointing: bool = False
    seed: int = 0
    save_steps: int = 50
    report_to: str = "none"
    held_out: float = HELD_OUT
