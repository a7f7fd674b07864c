"""Agents that can run a task: those built in, and callables by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click

from coworkdsl import Environment, PackError
from coworkdsl.witness import perform_witness
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


def _idle(environment: Environment) -> None:
    """Says nothing and does nothing."""
    environment.finish()


def _said(failure: Exception) -> str:
    frame = failure.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" ({frame.tb_frame.f_code.co_filename}:{frame.tb_lineno})" if frame else ""
    return f"{type(failure).__name__}: {failure}{place}"


BUILT_IN: dict[str, Agent] = {"witness": perform_witness, "idle": _idle, "human": human}
