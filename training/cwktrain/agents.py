"""Agents by name: the witness with and without mistakes, language models here and on servers, and callables."""

from __future__ import annotations

import os
from pathlib import Path

from coworkdsl.witness import perform_witness
from cwkc.models import ModelUnavailable, Sampling, open_tool_model
from cwktrain.callables import Agent, AgentUnavailable, load_agent
from cwktrain.conversing import ModelAgent
from cwktrain.noise import RATE, NoisyWitness

OTHERS = "`anthropic:MODEL`, `openai:MODEL@URL`, `hf:PATH`, `witness`, `noisy-witness`, `noisy-witness:RATE`"
LOCAL_BATCH = 16
"""Runs at a time of a model on this machine, where nobody says another number."""

_SERVED = ("anthropic", "openai")


def shares_a_process(name: str) -> bool:
    """Whether the agent's runs wait for a model, that of a server or one that answers them in batches: then many of
    them fit into one process."""
    return local_student(name) is not None or name.partition(":")[0] in _SERVED


def local_student(name: str) -> Path | None:
    """The folder of an agent that is a model on this machine."""
    kind, _, rest = name.partition(":")
    return Path(rest) if kind == "hf" else None


def usual_jobs(name: str) -> int:
    """How many runs at a time suit the agent on this machine."""
    return LOCAL_BATCH if local_student(name) is not None else os.cpu_count() or 1


def open_agent(name: str, sampling: Sampling) -> Agent:
    """Raises AgentUnavailable."""
    kind, _, rest = name.partition(":")
    if kind == "witness" and not rest:
        return perform_witness
    if kind == "noisy-witness":
        return NoisyWitness(_rate(rest))
    if (student := local_student(name)) is not None:
        return _local(student, sampling)
    if kind in _SERVED:
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


def _local(student: Path, sampling: Sampling) -> Agent:
    from cwktrain.local_model import LocalModel
    from cwktrain.students import StudentUnavailable

    try:
        return ModelAgent(LocalModel(student, sampling))
    except StudentUnavailable as unavailable:
        raise AgentUnavailable(str(unavailable)) from unavailable
