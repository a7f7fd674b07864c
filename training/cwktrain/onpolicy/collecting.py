"""Runs of a student, collected for a step of training: begun, held to their end, and made anew where they failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from cwktrain.onpolicy.environments import PackEnvironment
from cwktrain.onpolicy.office import Office, UnfitTask
from cwktrain.onpolicy.turns import Answers, Episode, Rules, Speak, converse

Row = Mapping[str, Any]


@frozen
class Collector:
    """`is_valid`: whether a run can be trained on. `retries`: how often one that cannot is made anew."""

    office: Office
    rules: Rules
    speak: Speak
    is_valid: Callable[[PackEnvironment], bool]
    retries: int

    def begin(self, row: Row) -> Episode:
        """Raises PackError, and UnfitTask where the prompt alone is too long for the student."""
        environment = self.office.classes[row["environment"]]()
        environment.reset(**row)
        prompt, most = self.rules.prompt(row["prompt"], environment._schemas), self.rules.most_positions
        if len(prompt) >= most:
            raise UnfitTask(
                f"the prompt of the task `{row['task']}` has {len(prompt)} tokens, and the student takes {most} with "
                "all that follows: leave the task out"
            )
        return Episode(environment, prompt)

    def collect(self, rows: Sequence[Row], first: Answers | None = None) -> tuple[list[Episode], int]:
        """The runs of the rows, and how many were made that failed. `first`: what the student wrote behind the prompts,
        where it has begun.

        Raises PackError, UnfitTask and TemplateError.
        """
        episodes = [self.begin(row) for row in rows]
        converse(episodes, first or self._begun(episodes), self.speak, self.rules)
        failed = self._failed(episodes)
        count = len(failed)
        for _ in range(self.retries):
            if not failed:
                break
            again, _ = evolve(self, retries=0).collect([rows[place] for place in failed])
            for place, episode in zip(failed, again, strict=True):
                episodes[place] = episode
            failed = self._failed(episodes)
            count += len(failed)
        return episodes, count

    def _begun(self, episodes: Sequence[Episode]) -> Answers:
        return self.speak([episode.prompt for episode in episodes])

    def _failed(self, episodes: Sequence[Episode]) -> list[int]:
        return [place for place, episode in enumerate(episodes) if not self.is_valid(episode.environment)]
