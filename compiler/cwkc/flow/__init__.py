"""The room of the flow of information: what an agent can come to know, and what it was told.

    established = follow(task)

No solver: the tools are executed as their bodies mean, by an agent that tries everything it may know.
"""

from __future__ import annotations

from cwkc.flow.dated import dated
from cwkc.flow.live import live
from cwkc.flow.needs import demands
from cwkc.flow.reachable import reachable
from cwkc.flow.sealed import sealed
from cwkc.meaning import typed
from cwkc.prove.theorems import Established

__all__ = ["follow", "follow_values"]


def follow_values(task: typed.Task) -> tuple[Established, ...]:
    """The theorems that follow no agent: what is asked of every member of a family, however many there are."""
    demanded = demands(task)
    return sealed(task, demanded), dated(task)


def follow(task: typed.Task) -> tuple[Established, ...]:
    """The theorems of a task that speak of what is known; what fails is a diagnostic, and never an exception."""
    demanded = demands(task)
    return reachable(task, demanded), sealed(task, demanded), dated(task), live(task, demanded)
