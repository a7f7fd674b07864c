"""Runs made up for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from cwktrain.runs import Costs, RunRecord
from cwktrain.tasks import TaskFacts

Message = Mapping[str, Any]


def call(number: int, name: str = "desk_get", arguments: str = '{"id": "T-1"}') -> Message:
    function = {"name": name, "arguments": arguments}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(number: int, content: str = '{"id": "T-1"}') -> Message:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": content}


def conversation(request: str = "Look the ticket up.", calls: int = 2) -> list[Message]:
    exchanges = [message for number in range(calls) for message in (call(number), result(number))]
    return [{"role": "user", "content": request}, *exchanges, {"role": "assistant", "content": "Done."}]


def facts(task: str, **others: Any) -> TaskFacts:
    return evolve(TaskFacts(task, task, "workflow", (), ("desk",), False), **others)


def run(task: str | TaskFacts = "look_up", reward: float | None = 1.0, seed: int = 0, **others: Any) -> RunRecord:
    """A scored run, or an invalid one where there is no reward."""
    quantities = {"completion": reward, "safety": 1.0, "robustness": 1.0, "reward": reward}
    record = RunRecord(
        collection="default",
        pack="a pack",
        agent="somebody",
        task=facts(task) if isinstance(task, str) else task,
        seed=seed,
        attempt=0,
        status="invalid" if reward is None else "scored",
        stopped=None,
        error="the agent failed" if reward is None else None,
        messages=conversation(),
        tools=[{"type": "function", "function": {"name": "desk_get", "parameters": {"type": "object"}}}],
        attachments=[],
        score=None if reward is None else quantities,
        audit=[],
        costs=Costs(0.1, 3, 2, None, None),
    )
    return evolve(record, **others)


def runs_of(task: str, rewards: Sequence[float | None], **others: Any) -> list[RunRecord]:
    return [run(task, reward, seed, **others) for seed, reward in enumerate(rewards)]
