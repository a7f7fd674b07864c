"""TRL's GRPOTrainer with the runs, the advantages and the denominators of this package.

It rests on methods that TRL does not promise to keep; a test with scripted generations guards each of them:
`_tool_call_loop`, `_generate_and_score_completions`, `_generate_single_turn` and `_compute_loss`.
"""

from __future__ import annotations

from typing import Any

import torch
from trl import GRPOTrainer

from cwktrain.onpolicy.collecting import Collector, Row
from cwktrain.onpolicy.environments import PackEnvironment
from cwktrain.onpolicy.office import Office
from cwktrain.onpolicy.tensors import leave_out, over_tokens
from cwktrain.onpolicy.turns import Answers, Episode, Rules, Tokens
from cwktrain.reinforcement.options import ReinforcementOptions
from cwktrain.reinforcement.scoring import has_variance, turn_advantages


class PackGRPOTrainer(GRPOTrainer):
    """Trains in one process. `office`: where the student works."""

    max_completion_length: int

    def __init__(self, *, office: Office, options: ReinforcementOptions, **others: Any) -> None:
        super().__init__(environment_factory=dict(office.classes), **others)
        # TRL would show the methods' signatures; the student is shown the schemas, as everywhere else.
        self._env_tools = {name: made._schemas for name, made in office.classes.items()}
        self._office = office
        self._options = options
        self._rows: list[Row] = []
        self._episodes: list[Episode] = []
        self._dropped: set[int] = set()

    def _collector(self) -> Collector:
        return Collector(self._office, Rules.of(self), self._speak, _has_reward, self._options.retries)

    def _speak(self, prompts: list[Tokens]) -> Answers:
        answers: Answers = self._generate_single_turn(prompts, None, {}, num_generations=1)
        return answers

    def _tool_call_loop(
        self,
        prompts: Any,
        prompt_ids: list[Tokens],
        completion_ids: list[Tokens],
        completions: Any,
        logprobs: list[list[float]] | None,
        images: Any,
        multimodal_fields: Any,
    ) -> tuple[Any, ...]:
        """Runs to their end. The prompts of groups that were replaced are replaced in place."""
        collector = self._collector()
        self._episodes, failed = collector.collect(self._rows, (completion_ids, logprobs))
        failed += self._replace_groups(collector)
        self._count("runs_failed", failed)
        episodes = self._episodes
        self.environments = [episode.environment for episode in episodes]
        prompt_ids[:] = [episode.prompt for episode in episodes]
        return (
            [episode.mask for episode in episodes],
            [episode.messages for episode in episodes],
            [episode.completion for episode in episodes],
            None if logprobs is None else [episode.probabilities for episode in episodes],
            sum(episode.calls for episode in episodes),
            sum(episode.refused for episode in episodes),
            [[] for _ in episodes],
        )

    def _replace_groups(self, collector: Collector) -> int:
        """Counts the groups without variance, and where told so puts others in their place; gives how many runs failed
        on the way. Groups that could not be replaced are left out."""
        flat = self._flat_groups()
        self._count("groups_without_variance", len(flat))
        self._dropped = set()
        replaced = failed = 0
        if self._options.zero_variance == "resample":
            for attempt in range(self._options.most_resamples):
                if not flat:
                    break
                failed += self._draw(flat, attempt, collector)
                replaced += len(flat)
                flat = self._flat_groups()
            size = self._options.num_generations
            self._dropped = {group * size + place for group in flat for place in range(size)}
        self._count("groups_drawn", replaced)
        self._count("groups_dropped", len(self._dropped) // self._options.num_generations)
        return failed

    def _draw(self, groups: list[int], attempt: int, collector: Collector) -> int:
        """Other episodes in the place of these groups, behind all that training was planned with."""
        size, a_step = self._options.num_generations, self._options.groups_per_step
        planned = self._options.max_steps * a_step
        first = planned + (self.state.global_step * self._options.most_resamples + attempt) * a_step
        rows = [self._office.row(first + number) for number in range(len(groups)) for _ in range(size)]
        episodes, failed = collector.collect(rows)
        for number, group in enumerate(groups):
            self._episodes[group * size : (group + 1) * size] = episodes[number * size : (number + 1) * size]
        return failed

    def _groups(self) -> list[list[Episode]]:
        size = self._options.num_generations
        return [self._episodes[start : start + size] for start in range(0, len(self._episodes), size)]

    def _flat_groups(self) -> list[int]:
        groups = enumerate(self._groups())
        return [number for number, group in groups if not has_variance(group, self._options)]

    def _generate_and_score_completions(self, inputs: list[Row]) -> dict[str, Any]:
        self._rows = inputs
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        by_turn = [run for group in turn_advantages(self._groups(), self._options) for run in group]
        output["advantages"] = over_tokens(self._episodes, by_turn, output["completion_mask"])
        unscored = {place for place, each in enumerate(self._episodes) if not _has_reward(each.environment)}
        self._count("runs_left_out", len(unscored | self._dropped))
        leave_out(output, unscored | self._dropped)
        return output

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> torch.Tensor:
        """TRL divides the loss of Dr. GRPO by the token budget; here the two are told apart."""
        budget = self.max_completion_length
        if self._options.algorithm == "dr-grpo":
            self.max_completion_length = self._options.loss_tokens
        try:
            loss: torch.Tensor = super()._compute_loss(model, inputs)
        finally:
            self.max_completion_length = budget
        return loss

    def _count(self, name: str, value: int) -> None:
        self._metrics["train" if self.model.training else "eval"][name].append(float(value))


def _has_reward(environment: PackEnvironment) -> bool:
    return environment.get_reward() is not None
