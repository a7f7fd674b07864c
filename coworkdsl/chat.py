"""Runs kept as conversations: replayed on a fresh environment, and written as run.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coworkdsl.conversation import read_messages
from coworkdsl.environment import Environment
from coworkdsl.pack import Pack
from coworkdsl.run import Run, RunError

RUN_FORMAT = 1


def replay(env: Environment, messages: Any) -> Run:
    """Does on the environment what the agent does in the conversation; what tools answered there is not read.

    Words beside tool calls are a remark; words alone end the turn. Raises RunError when the conversation is damaged,
    before anything is done.
    """
    for message in read_messages(messages):
        env.begin_turn()
        if message.calls:
            if message.words and message.words.strip():
                env.say(message.words, end_turn=False)
            for tool, arguments in message.calls:
                env.call(tool, arguments)
        else:
            env.say(message.words or "")
    return env.trace


def export_run(env: Environment, with_score: bool = True) -> dict[str, Any]:
    """The run as run.json."""
    document: dict[str, Any] = {
        "format": RUN_FORMAT,
        "task": env.task.id,
        "seed": env.seed,
        "messages": env.messages,
    }
    return document | {"score": env.score().to_json()} if with_score else document


def replay_run(pack: Pack, document: Any) -> Environment:
    """An environment of the pack in which the run of a run.json was replayed. Raises RunError and PackError."""
    if not isinstance(document, dict):
        raise RunError("a run must be an object")
    if document.get("format") != RUN_FORMAT:
        raise RunError(f"format: is {document.get('format')!r:.80}; this version reads format {RUN_FORMAT}")
    task = document.get("task")
    if not isinstance(task, str) or task not in pack.tasks:
        raise RunError(f"task: the pack has no task {task!r:.80}")
    env = pack.env(task, read_seed(document))
    replay(env, document.get("messages"))
    return env


def read_seed(document: Mapping[str, Any]) -> int:
    """The seed of a run, which decides the faults that it met; 0 where it says none. Raises RunError."""
    seed = document.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise RunError(f"seed: must be a whole number; got {seed!r:.80}")
    return seed
