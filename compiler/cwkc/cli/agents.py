"""Agents that can run a task: those built in, and callables by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from coworkdsl import Environment, PackError
from cwkc.cli.human import human

Agent = Callable[[Environment], None]


def find_agent(name: str) -> Agent:
    """`witness`, `idle`, `human`, or `MODULE:NAME`, a callable that takes the environment.

    Raises click.UsageError when there is no such agent.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise click.UsageError(
            f"`{name}` is no agent: say {', '.join(f'`{known}`' for known in BUILT_IN)} or MODULE:NAME"
        )
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), attribute)
    except Exception as failure:
        raise click.UsageError(f"the agent `{name}` cannot be loaded: {_said(failure)}") from failure
    if not callable(found):
        raise click.UsageError(f"`{name}` cannot be called, and an agent is called with the environment")
    agent: Agent = found
    return agent


def let_run(agent: Agent, environment: Environment) -> None:
    """Runs the agent. Raises click.ClickException when it fails: then there is a run, but no fair score of it."""
    try:
        agent(environment)
    except (PackError, BrokenPipeError):
        raise
    except Exception as failure:
        raise click.ClickException(f"the agent failed, so that its run is not scored: {_said(failure)}") from failure


def _witness(environment: Environment) -> None:
    """Does what the compiler found to earn a full score, and makes a call once more that a fault hit: with another seed
    these are other calls than those repeated in the proof. Raises PackError."""
    steps = environment.task.proof["witness"]
    if steps is None:
        raise PackError("proof.json: it has no witness")
    for step in steps:
        if "say" in step:
            if step["ends"]:
                environment.begin_turn()
            environment.say(step["say"], end_turn=step["ends"])
        elif "again" not in step:
            _called(environment, step)
    environment.finish()


def _called(environment: Environment, step: Mapping[str, Any]) -> None:
    """Calls until no fault hits the call."""
    is_hit = True
    while is_hit and not environment.done:
        environment.begin_turn()
        environment.call(step["call"], step["arguments"])
        is_hit = environment.fault is not None


def _idle(environment: Environment) -> None:
    """Says nothing and does nothing."""
    environment.finish()


def _said(failure: Exception) -> str:
    frame = failure.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" ({frame.tb_frame.f_code.co_filename}:{frame.tb_lineno})" if frame else ""
    return f"{type(failure).__name__}: {failure}{place}"


BUILT_IN: dict[str, Agent] = {"witness": _witness, "idle": _idle, "human": human}
