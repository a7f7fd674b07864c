"""What a recipe says, table by table. The defaults are those of the single commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen

from cwktrain.curation.options import Options
from cwktrain.distillation.options import DistillationOptions
from cwktrain.evaluation.reports import PASS
from cwktrain.reinforcement.options import ReinforcementOptions
from cwktrain.rollouts import RETRIES
from cwktrain.split import HELD_OUT
from cwktrain.supervised import SupervisedOptions

BASE = "base"
"""How agents name the student as it is before any training."""

TRAININGS = ("sft", "rl", "distillation")
"""The tables that train, in the order in which they do. Agents name what comes of each by its table."""


def at_least(least: float) -> Callable[[Any, Any, Any], None]:
    def check(instance: Any, attribute: Any, value: Any) -> None:
        if value is not None and value < least:
            raise ValueError(f"`{attribute.name}` is at least {least:g}; got {value}")

    return check


def share(instance: Any, attribute: Any, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"`{attribute.name}` is a share from 0 to 1; got {value}")


@frozen
class PackPart:
    """`sources`: `.cwk` files, and folders of them, of which one pack is built; or else `built`, a pack. At most so
    many `members` of each family are built, which `seed` chooses. `held_out`: the share of the families that nothing is
    trained on."""

    sources: tuple[Path, ...] = ()
    built: Path | None = None
    members: int = field(default=200, validator=at_least(1))
    seed: int = 0
    held_out: float = field(default=HELD_OUT, validator=share)

    def __attrs_post_init__(self) -> None:
        if bool(self.sources) == (self.built is not None):
            raise ValueError("say either `sources`, files and folders to build, or `built`, a pack")


@frozen(kw_only=True)
class Episodes:
    """How often tasks are run, and within which limits: as the options of `cwkc rollout`."""

    trials: int = field(default=1, validator=at_least(1))
    seed: int = 0
    judge: str | None = None
    jobs: int | None = field(default=None, validator=at_least(1))
    retries: int = field(default=RETRIES, validator=at_least(0))
    max_turns: int | None = field(default=50, validator=at_least(1))
    max_calls: int | None = field(default=100, validator=at_least(1))
    max_seconds: float | None = field(default=600.0, validator=at_least(0.001))
    max_tokens: int | None = field(default=None, validator=at_least(1))
    answer_tokens: int = field(default=4096, validator=at_least(1))
    temperature: float | None = field(default=None, validator=at_least(0))


@frozen(kw_only=True)
class RolloutPart(Episodes):
    """Runs of the training split by an agent: of the forms that `cwkc rollout` takes, or `base`, the student."""

    agent: str


@frozen(kw_only=True)
class DistillationPart:
    """`teacher`: the folder of a model of the student's vocabulary."""

    teacher: Path
    options: DistillationOptions = field(factory=DistillationOptions)


@frozen(kw_only=True)
class EvaluationPart(Episodes):
    """`agents` are compared with the first of them: of the forms that `cwkc eval` takes, or `base`, `sft`, `rl` and
    `distillation`, the student before and after. A run passes with a reward of at least `threshold`."""

    agents: tuple[str, ...] = field()
    trials: int = field(default=3, validator=at_least(1))
    split: Literal["held-out", "training", "all"] = "held-out"
    threshold: float = field(default=PASS, validator=share)

    @agents.validator
    def _some(self, attribute: Any, value: tuple[str, ...]) -> None:
        if not value:
            raise ValueError("`agents` names at least one agent")


@frozen(kw_only=True)
class Recipe:
    """`student`: the folder of the model that is trained."""

    pack: PackPart
    student: Path | None = None
    rollouts: tuple[RolloutPart, ...] = ()
    curation: Options | None = None
    sft: SupervisedOptions | None = None
    rl: ReinforcementOptions | None = None
    distillation: DistillationPart | None = None
    evaluation: EvaluationPart | None = None
