"""What training on a student's own runs can be told, by the names that TRL has for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from cwktrain.split import HELD_OUT
from cwktrain.trainers import common_arguments


class OptionError(ValueError):
    """An option has a value that it cannot have; the message says which, and what it can have."""


@frozen(kw_only=True)
class OnPolicyOptions:
    """`held_out`: the share of the families that is held out. `retries`: how often a run whose environment or grader
    failed is made anew. `max_steps` is how long training lasts: it has no epochs. A checkpoint is kept every
    `save_steps`.

    `max_completion_length`: tokens of a run behind its prompt, what the student is answered included.
    `max_turn_length`: tokens that the student writes in one go; None as many as the run has left.
    `max_tool_calling_iterations`: how often it is answered; None without a limit of its own.
    `use_peft`: trains a LoRA adapter, which is merged at the end, with `lora_r`, `lora_alpha` and `lora_dropout`.
    `vllm_mode`: `colocate`, or `server` at `vllm_server_base_url`.
    """

    held_out: float = HELD_OUT
    retries: int = 2
    seed: int = 0
    max_steps: int = 100
    save_steps: int = 10
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 1
    learning_rate: float = 1e-6
    lr_scheduler_type: str = "constant"
    warmup_steps: int = 0
    max_grad_norm: float = 1.0
    max_completion_length: int = 4096
    max_turn_length: int | None = None
    max_tool_calling_iterations: int | None = None
    temperature: float = 1.0
    top_p: float = 1.0
    use_peft: bool = False
    lora_r: int = 32
    lora_alpha: int = 64
    lora_dropout: float = 0.05
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_server_base_url: str | None = None
    vllm_gpu_memory_utilization: float = 0.3
    vllm_max_model_length: int | None = None
    report_to: str = "none"

    def __attrs_post_init__(self) -> None:
        at_least_1 = ("max_steps", "save_steps", "per_device_train_batch_size", "gradient_accumulation_steps")
        for name in (*at_least_1, "max_completion_length", "lora_r"):
            require(getattr(self, name) >= 1, f"`{name}` is at least 1; got {getattr(self, name)}")
        require(0 <= self.held_out <= 1, f"`held_out` is a share from 0 to 1; got {self.held_out}")
        require(self.retries >= 0, f"`retries` is at least 0; got {self.retries}")
        require(self.learning_rate > 0, f"`learning_rate` is greater than 0; got {self.learning_rate}")
        require(self.temperature > 0, f"`temperature` is greater than 0; got {self.temperature}")
        require(
            self.vllm_mode in ("colocate", "server"), f"`vllm_mode` is `colocate` or `server`; got `{self.vllm_mode}`"
        )

    @property
    def runs_per_step(self) -> int:
        return self.per_device_train_batch_size * self.gradient_accumulation_steps


def require(holds: bool, message: str) -> None:
    """Raises OptionError."""
    if not holds:
        raise OptionError(message)


_AS_TRL_NAMES_THEM = (
    "seed",
    "max_steps",
    "save_steps",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "learning_rate",
    "lr_scheduler_type",
    "warmup_steps",
    "max_grad_norm",
    "max_completion_length",
    "max_tool_calling_iterations",
    "temperature",
    "top_p",
    "use_vllm",
    "vllm_mode",
    "vllm_server_base_url",
    "vllm_gpu_memory_utilization",
    "vllm_max_model_length",
    "report_to",
)


def trainer_arguments(options: OnPolicyOptions, checkpoints: Path) -> dict[str, Any]:
    """What both of TRL's trainers take of the options, and what suits this machine."""
    given = asdict(options)
    longest = {"max_tokens" if options.use_vllm else "max_new_tokens": options.max_turn_length}
    common = common_arguments(checkpoints)
    return (
        common
        | {name: given[name] for name in _AS_TRL_NAMES_THEM}
        | {
            "generation_kwargs": longest if options.max_turn_length else None,
            "shuffle_dataset": False,
            "gradient_checkpointing": common["bf16"],
        }
    )
