"""Agents that somebody wrote: callables by name, and their failures in words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Agent = Callable[[Any], None]
"""Runs an environment to its end."""


class AgentUnavailable(Exception):
    """There is no such agent, or it cannot be opened; the message says why."""


def load_agent(name: str, others: str) -> Agent:
    """The callable NAME of MODULE, by `MODULE:NAME`, with the current folder on the path.

    Raises AgentUnavailable, which says what `others` there are.
    """
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        raise AgentUnavailable(f"`{name}` is no agent: say {others} or `MODULE:NAME`")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), attribute)
    except Exception as failure:
        raise AgentUnavailable(f"the agent `{name}` cannot be loaded: {in_words(failure)}") from failure
    if not callable(found):
        raise AgentUnavailable(f"`{name}` cannot be called, and an agent is called with the environment")
    agent: Agent = found
    return agent


def in_words(failure: BaseException) -> str:
    """What failed, and the line where."""
    frame = failure.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" ({frame.tb_frame.f_code.co_filename}:{frame.tb_lineno})" if frame else ""
    return f"{type(failure).__name__}: {failure}{place}"
