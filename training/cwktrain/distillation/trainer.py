"""TRL's DistillationTrainer with runs in the environments of a pack, which it has no place for.

It rests on methods that TRL does not promise to keep; a test with scripted generations guards each of them:
`_tokenize_prompts`, `_tool_call_loop`, `_generate_and_score_completions` and `_generate_single_turn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trl import DistillationTrainer

from cwktrain.distillation.options import DistillationOptions
from cwktrain.onpolicy.collecting import Collector, Row
from cwktrain.onpolicy.environments import PackEnvironment
from cwktrain.onpolicy.office import Office
from cwktrain.onpolicy.tensors import leave_out
from cwktrain.onpolicy.turns import Answers, Episode, Rules, Tokens


class PackDistillationTrainer(DistillationTrainer):
    """Trains in one process. `office`: where the student works."""

    def __init__(self, *, office: Office, options: DistillationOptions, **others: Any) -> None:
        super().__init__(tools=office.tools(), **others)
        self._office = office
        self._options = options
        self._rows: Sequence[Row] = ()
        self._episodes: list[Episode] = []

    def _collector(self) -> Collector:
        return Collector(self._office, Rules.of(self), self._speak, _is_sound, self._options.retries)

    def _speak(self, prompts: list[Tokens]) -> Answers:
        return self._generate_single_turn(prompts, None, {}), None

    def _tokenize_prompts(self, prompts: Any) -> tuple[list[Tokens], None, dict[str, Any]]:
        """Each prompt with the tools of its own task."""
        collector = self._collector()
        return [collector.begin(row).prompt for row in self._rows], None, {}

    def _tool_call_loop(
        self,
        prompts: Any,
        prompt_ids: list[Tokens],
        completion_ids: list[Tokens],
        completions: Any,
        images: Any,
        multimodal_fields: Any,
    ) -> tuple[Any, ...]:
        episodes, failed = self._collector().collect(self._rows, (completion_ids, None))
        self._episodes = episodes
        self._count("runs_failed", failed)
        return (
            [episode.mask for episode in episodes],
            [episode.messages for episode in episodes],
            [episode.completion for episode in episodes],
            sum(episode.calls for episode in episodes),
            sum(episode.refused for episode in episodes),
            [[] for _ in episodes],
        )

    def _generate_and_score_completions(self, inputs: Sequence[Row]) -> dict[str, Any]:
        self._rows = inputs
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        rewards = [episode.environment.get_reward() for episode in self._episodes]
        known = [reward for reward in rewards if reward is not None]
        if known:
            self._count("reward", sum(known) / len(known))
        failed = {place for place, episode in enumerate(self._episodes) if not _is_sound(episode.environment)}
        self._count("runs_left_out", len(failed))
        leave_out(output, failed)
        return output

    def _count(self, name: str, value: float) -> None:
        self._metrics["train" if self.model.training else "eval"][name].append(float(value))


def _is_sound(environment: PackEnvironment) -> bool:
    """Whether the environment held: what a teacher says of a run needs no score."""
    return not environment._run.defects
