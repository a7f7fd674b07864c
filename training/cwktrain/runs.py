"""Runs as they are kept: the conversation, what it earned, what the agent wrote, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import asdict, frozen

from cwktrain.tasks import TaskFacts

Status = Literal["scored", "unscored", "invalid"]


class RunsError(Exception):
    """Kept runs cannot be read or added to; the message says why."""


@frozen
class Costs:
    """Tokens are None where the agent or its server counts none."""

    seconds: float
    turns: int
    calls: int
    tokens_read: int | None
    tokens_written: int | None


@frozen
class RunRecord:
    """One attempt at a task.

    `status`: `scored`; `unscored`, where a judge gave no verdict, so that `score` has bounds alone; `invalid`, where
    the agent, its server or the environment failed, as `error` says: then there is no score, which is not a score of 0.
    `stopped`: the limit that ended the run (`turns`, `calls`, `seconds`, `tokens`, `context`), if one did.
    `seed` is the number of the trial as well. `attempt` counts from 0; later ones repeat invalid ones.
    `messages` and `tools` are those of chat templates. `attachments` names the files that the agent was shown besides.
    `audit` are all writes, the events' among them. `score` is in the form of run.json.
    """

    collection: str
    pack: str
    agent: str
    task: TaskFacts
    seed: int
    attempt: int
    status: Status
    stopped: str | None
    error: str | None
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    attachments: Sequence[str]
    score: Mapping[str, Any] | None
    audit: Sequence[Mapping[str, Any]]
    costs: Costs

    @property
    def reward(self) -> float:
        """Of a scored run. Raises RunsError for another."""
        return self._scored("reward")

    @property
    def completion(self) -> float:
        """Of a scored run. Raises RunsError for another."""
        return self._scored("completion")

    def _scored(self, quantity: str) -> float:
        value = self.score[quantity] if self.score is not None and self.status == "scored" else None
        if value is None:
            raise RunsError(f"the run of `{self.task.id}` with seed {self.seed} is {self.status}: it has no {quantity}")
        return float(value)

    def to_json(self) -> dict[str, Any]:
        return asdict(self, recurse=False) | {"task": self.task.to_json(), "costs": asdict(self.costs)}

    @classmethod
    def from_json(cls, document: Any) -> RunRecord:
        """Raises RunsError."""
        try:
            costs, task = Costs(**document["costs"]), TaskFacts.from_json(document["task"])
            return cls(**{**document, "costs": costs, "task": task})
        except (KeyError, TypeError) as error:
            raise RunsError(f"a run has the wrong form: {type(error).__name__}: {error}") from error
