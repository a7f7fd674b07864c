"""What one run may use up, whoever the agent is."""

from __future__ import annotations

import time
from typing import Any

from attrs import frozen

from coworkdsl import Environment, Task
from coworkdsl.environment import ErrorResult


@frozen
class Limits:
    """Turns, calls, seconds and tokens that a run may take; None where that is free. `tokens`: those that the model
    writes."""

    turns: int | None = 50
    calls: int | None = 100
    seconds: float | None = 600.0
    tokens: int | None = None


class LimitReached(BaseException):
    """A run would go beyond one of its limits: it ends as it is. No Exception, so that no agent's own handler of
    failures goes on after it."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class MeteredEnvironment(Environment):
    """An environment that raises LimitReached to an agent that would go beyond a limit.

    The task's own limit of seconds is kept as well. `stopped`: the limit of the task that ended the run, if one did.
    `tokens_read` and `tokens_written` are None where no answer was counted, or some came without a count.
    """

    __slots__ = (
        "_answers",
        "_calls_left",
        "_deadline",
        "_limits_of_run",
        "_turns_left",
        "stopped",
        "tokens_read",
        "tokens_written",
    )

    def __init__(self, task: Task, seed: int, limits: Limits) -> None:
        """Raises PackError."""
        super().__init__(task, seed)
        seconds = [limit for limit in (limits.seconds, task.limits.get("seconds")) if limit is not None]
        self._limits_of_run = limits
        self._deadline = time.monotonic() + min(seconds) if seconds else None
        self._turns_left = limits.turns
        self._calls_left = limits.calls
        self._answers = 0
        self.stopped: str | None = None
        self.tokens_read: int | None = None
        self.tokens_written: int | None = None

    @property
    def seconds_left(self) -> float | None:
        """Until the run must end; None where it need not."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def begin_turn(self) -> None:
        self._check_time()
        self._turns_left = _one_less(self._turns_left, "turns")
        super().begin_turn()

    def call(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        self._check_time()
        self._calls_left = _one_less(self._calls_left, "calls")
        return super().call(tool, arguments)

    def _exceeded(self, limit: str, used: int) -> ErrorResult | None:
        result = super()._exceeded(limit, used)
        self.stopped = limit if result else self.stopped
        return result

    def spend(self, read: int | None, written: int | None) -> None:
        """Counts the tokens of an answer."""
        first = self._answers == 0
        self._answers += 1
        self.tokens_read = read if first else _sum(self.tokens_read, read)
        self.tokens_written = written if first else _sum(self.tokens_written, written)
        most = self._limits_of_run.tokens
        if most is not None and self.tokens_written is not None and self.tokens_written > most:
            raise LimitReached("tokens")

    def _check_time(self) -> None:
        if self.seconds_left == 0:
            raise LimitReached("seconds")


def _one_less(left: int | None, limit: str) -> int | None:
    if left == 0:
        raise LimitReached(limit)
    return None if left is None else left - 1


def _sum(known: int | None, more: int | None) -> int | None:
    return None if known is None or more is None else known + more
