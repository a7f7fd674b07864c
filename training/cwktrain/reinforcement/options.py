"""What reinforcement learning can be told."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from cwktrain.onpolicy.environments import Parts, Reward
from cwktrain.onpolicy.options import OnPolicyOptions, require
from cwktrain.reinforcement.advantages import DISCOUNT, STD_FLOOR, STEP_WEIGHT, weighted_geometric_mean

ALGORITHMS = ("grpo", "dr-grpo", "gdpo", "gigpo")
REWARDS = ("task", "geometric-mean")
ZERO_VARIANCE = ("keep", "resample")

LOSS_TOKENS = 1536


@frozen(kw_only=True)
class ReinforcementOptions(OnPolicyOptions):
    """`reward`: that of the task, or the geometric mean of completion, safety and robustness by `reward_weights`, which
    are the weights of `gdpo` as well. `judge`: the model that scores rubrics.

    `num_generations`: the size of a group. `zero_variance`: groups whose runs all earn the same are kept, which teaches
    nothing, or dropped and replaced by groups of other tasks, up to `most_resamples` times a step.

    `std_floor`: the least deviation to divide by. `loss_tokens`: the denominator of `dr-grpo`, for each run.
    `step_weight` and `discount` are of `gigpo`. `beta`: the weight of the KL term; `epsilon` and `epsilon_high`: the
    clipping of the ratio; `num_iterations`: updates for each batch of runs.
    """

    algorithm: str = "grpo"
    reward: str = "task"
    reward_weights: tuple[float, float, float] = (1.0, 1.0, 1.0)
    judge: str | None = None
    num_generations: int = 8
    zero_variance: str = "keep"
    most_resamples: int = 3
    std_floor: float = STD_FLOOR
    loss_tokens: int = LOSS_TOKENS
    step_weight: float = STEP_WEIGHT
    discount: float = DISCOUNT
    beta: float = 0.0
    epsilon: float = 0.2
    epsilon_high: float | None = None
    num_iterations: int = 1

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        for name, known in (("algorithm", ALGORITHMS), ("reward", REWARDS), ("zero_variance", ZERO_VARIANCE)):
            given = getattr(self, name)
            require(given in known, f"`{name}` is one of {', '.join(f'`{each}`' for each in known)}; got `{given}`")
        require(self.num_generations >= 2, f"`num_generations` is at least 2; got {self.num_generations}")
        require(
            self.runs_per_step % self.num_generations == 0,
            f"`per_device_train_batch_size` times `gradient_accumulation_steps` is a multiple of `num_generations`, "
            f"{self.num_generations}; got {self.runs_per_step}",
        )
        weights = self.reward_weights
        fit = len(weights) == 3 and min(weights) >= 0 < max(weights)
        require(fit, f"`reward_weights` are three numbers of at least 0, one of them greater; got {weights}")
        require(self.std_floor > 0, f"`std_floor` is greater than 0; got {self.std_floor}")
        require(self.loss_tokens >= 1, f"`loss_tokens` is at least 1; got {self.loss_tokens}")
        require(0 < self.discount <= 1, f"`discount` is greater than 0 and at most 1; got {self.discount}")
        require(self.beta >= 0, f"`beta` is at least 0; got {self.beta}")
        require(self.epsilon > 0, f"`epsilon` is greater than 0; got {self.epsilon}")

    @property
    def groups_per_step(self) -> int:
        return self.runs_per_step // self.num_generations


def reward_of(options: ReinforcementOptions) -> Reward:
    """What a run's parts are worth."""
    weights = options.reward_weights

    def task(parts: Parts) -> float:
        return parts.reward

    def geometric_mean(parts: Parts) -> float:
        return weighted_geometric_mean(parts.dimensions, weights)

    return task if options.reward == "task" else geometric_mean


def grpo_arguments(options: ReinforcementOptions) -> dict[str, Any]:
    """What TRL's GRPOTrainer takes beside what all trainers take. Its own advantages are not used; the loss is a run's
    mean over its tokens, or for `dr-grpo` the sum over a fixed number."""
    names = ("num_generations", "beta", "epsilon", "epsilon_high", "num_iterations")
    loss = "dr_grpo" if options.algorithm == "dr-grpo" else "grpo"
    return {name: getattr(options, name) for name in names} | {
        "loss_type": loss,
        "scale_rewards": "none",
        "router_aux_loss_coef": 0.0,
    }
