"""The witness of a task as an agent: it does what the compiler found to earn a full score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coworkdsl.environment import Environment
from coworkdsl.files import PackError
from coworkdsl.task import Task


def witness_steps(task: Task) -> Sequence[Mapping[str, Any]]:
    """What the witness does, in order: calls (`call`, `arguments`) and words (`say`, `ends`). The calls that a proof
    repeats because a fault hits them are left out: with another seed these are others. Raises PackError."""
    steps = task.proof["witness"]
    if steps is None:
        raise PackError("proof.json: it has no witness")
    return [step for step in steps if "again" not in step]


def perform_witness(environment: Environment) -> None:
    """Does all of it, and ends the run. Raises PackError."""
    for step in witness_steps(environment.task):
        perform_step(environment, step)
    environment.finish()


def perform_step(environment: Environment, step: Mapping[str, Any]) -> None:
    """Does one step; a call that a fault hits is made again until none does."""
    if "say" in step:
        if step["ends"]:
            environment.begin_turn()
        environment.say(step["say"], end_turn=step["ends"])
        return
    is_hit = True
    while is_hit and not environment.done:
        environment.begin_turn()
        environment.call(step["call"], step["arguments"])
        is_hit = environment.fault is not None
