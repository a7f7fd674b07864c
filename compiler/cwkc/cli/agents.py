"""Agents that can run a task: those built in, and callables by name."""

from __future__ import annotations

import click

from coworkdsl import Environment, PackError
from coworkdsl.witness import perform_witness
from cwkc.cli.human import human
from cwktrain.callables import Agent, AgentUnavailable, in_words, load_agent


def find_agent(name: str) -> Agent:
    """`witness`, `idle`, `human`, or `MODULE:NAME`, a callable that takes the environment.

    Raises click.UsageError when there is no such agent.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    try:
        return load_agent(name, ", ".join(f"`{known}`" for known in BUILT_IN))
    except AgentUnavailable as unavailable:
        raise click.UsageError(str(unavailable)) from unavailable


def let_run(agent: Agent, environment: Environment) -> None:
    """Runs the agent. Raises click.ClickException when it fails: then there is a run, but no fair score of it."""
    try:
        agent(environment)
    except (PackError, BrokenPipeError):
        raise
    except Exception as failure:
        raise click.ClickException(f"the agent failed, so that its run is not scored: {in_words(failure)}") from failure


def _idle(environment: Environment) -> None:
    """Says nothing and does nothing."""
    environment.finish()


BUILT_IN: dict[str, Agent] = {"witness": perform_witness, "idle": _idle, "human": human}
