"""Agents by name: the witness with and without mistakes, language models, and callables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from coworkdsl.witness import perform_witness
from cwkc.models import ModelUnavailable, Sampling, open_tool_model
from cwktrain.conversing import ModelAgent
from cwktrain.noise import RATE, NoisyWitness

Agent = Callable[[Any], None]
"""Runs an environment to its end."""

FORMS = "`anthropic:MODEL`, `openai:MODEL@URL`, `witness`, `noisy-witness`, `noisy-witness:RATE` or `MODULE:NAME`"
_SERVED = ("anthropic", "openai")


class AgentUnavailable(Exception):
    """There is no such agent, or it cannot be opened; the message says why."""


def waits_for_a_server(name: str) -> bool:
    """Whether the agent spends its time waiting: then many of its runs fit into one process."""
    return name.partition(":")[0] in _SERVED


def open_agent(name: str, sampling: Sampling) -> Agent:
    """Raises AgentUnavailable."""
    kind, _, rest = name.partition(":")
    if kind == "witness" and not rest:
        return perform_witness
    if kind == "noisy-witness":
        return NoisyWitness(_rate(rest))
    if waits_for_a_server(name):
        return _model(name, sampling)
    return _callable(kind, rest, name)


def _rate(text: str) -> float:
    try:
        rate = float(text or RATE)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise AgentUnavailable(f"the rate of mistakes is a number from 0 to 1; got `{text}`")
    return rate


def _model(name: str, sampling: Sampling) -> Agent:
    try:
        return ModelAgent(open_tool_model(name, sampling))
    except ModelUnavailable as unavailable:
        raise AgentUnavailable(str(unavailable)) from unavailable


def _callable(module: str, attribute: str, name: str) -> Agent:
    if not (module and attribute):
        raise AgentUnavailable(f"`{name}` is no agent: say {FORMS}")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), attribute)
    except Exception as failure:
        raise AgentUnavailable(f"the agent `{name}` cannot be loaded: {type(failure).__name__}: {failure}") from failure
    if not callable(found):
        raise AgentUnavailable(f"`{name}` cannot be called, and an agent is called with the environment")
    agent: Agent = found
    return agent
