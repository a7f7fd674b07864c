"""Agents by name: the witness with and without mistakes, language models, and callables."""

from __future__ import annotations

from coworkdsl.witness import perform_witness
from cwkc.models import ModelUnavailable, Sampling, open_tool_model
from cwktrain.callables import Agent, AgentUnavailable, load_agent
from cwktrain.conversing import ModelAgent
from cwktrain.noise import RATE, NoisyWitness

OTHERS = "`anthropic:MODEL`, `openai:MODEL@URL`, `witness`, `noisy-witness`, `noisy-witness:RATE`"
_SERVED = ("anthropic", "openai")


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
    return load_agent(name, OTHERS)


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
