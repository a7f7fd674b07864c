"""A witness that makes mistakes: runs of every quality, without a model.

Before each call of the witness a seeded draw decides whether it goes well. If not, the step is left out, or made twice,
or first made with a slip (an argument missing or a tool misspelt) that the agent reads the error of and mends.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from attrs import frozen

from coworkdsl import Environment
from coworkdsl.witness import perform_step, witness_steps

RATE = 0.2
"""Of the calls, how many do not go well."""

CLOSING = "Done."
"""The last words where the witness has none: a run that is shown to a model must show how runs end."""


@frozen
class NoisyWitness:
    """`rate`: the share of the calls, from 0 to 1, that do not go well. The same seed makes the same mistakes."""

    rate: float = RATE

    def __call__(self, environment: Environment) -> None:
        """Raises PackError."""
        chance = Random(f"{environment.task.id} {environment.seed}")
        for step in witness_steps(environment.task):
            if "say" in step or chance.random() >= self.rate:
                perform_step(environment, step)
            else:
                _err(environment, step, chance)
        if not environment.done and not _has_spoken_last(environment):
            environment.begin_turn()
            environment.say(CLOSING)
        environment.finish()


def _err(environment: Environment, step: Mapping[str, Any], chance: Random) -> None:
    mistake = chance.choice(("left out", "twice", "slip"))
    if mistake == "left out":
        return
    perform_step(environment, _slip(step, chance) if mistake == "slip" else step)
    perform_step(environment, step)


def _slip(step: Mapping[str, Any], chance: Random) -> Mapping[str, Any]:
    """The step with an argument less; without any, of a tool that is not there."""
    arguments = dict(step["arguments"])
    if not arguments:
        return {**step, "call": f"{step['call']}s"}
    del arguments[chance.choice(sorted(arguments))]
    return {**step, "arguments": arguments}


def _has_spoken_last(environment: Environment) -> bool:
    last = environment.messages[-1]
    return last["role"] == "assistant" and not last.get("tool_calls")
