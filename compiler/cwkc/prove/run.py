"""A run as this room hands it out to be executed, and what it wants to know of the execution."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from attrs import frozen


@frozen
class CallStep:
    """A call by the tool's wire name, with its arguments as JSON values. `again`: it repeats the call before it, since
    a fault hit that."""

    tool: str
    arguments: Mapping[str, Any]
    again: bool = False


NO_WORDS, A_QUESTION = "", "?"
"""With what turns are ended that only wait for an event."""


@frozen
class SayStep:
    """What the agent says, which may be nothing; `ends` its turn, or is a remark beside calls."""

    text: str
    ends: bool

    @property
    def only_waits(self) -> bool:
        """Whether a turn is ended for the sake of what comes then, without a word or with a bare question."""
        return self.ends and self.text in (NO_WORDS, A_QUESTION)


Step = CallStep | SayStep


@frozen
class CallOutcome:
    """What became of a call: `error` is its code, None when it was accepted; `created` are the records that it made,
    store and id, in the order in which it made them."""

    error: str | None
    created: tuple[tuple[str, str], ...]


@frozen
class Outcome:
    """The score of a run. `completion` takes every judge as full, and `checked` as nothing: it is what is decided by
    what happened. `checks`, `requirements`, `forbids` tell for each, in the task's order, whether it was earned
    in full, met, kept; `calls` are the outcomes of the call steps in their order. `fired`: the events that had happened
    behind the last step, before the run went on to its end. `happened`: those of the whole run. `told`: the facts that
    the user told in it."""

    completion: Fraction
    checked: Fraction
    safety: Fraction
    checks: tuple[bool, ...]
    requirements: tuple[bool, ...]
    forbids: tuple[bool, ...]
    calls: tuple[CallOutcome, ...]
    fired: frozenset[str] = frozenset()
    happened: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()

    @property
    def is_full(self) -> bool:
        return all((*self.checks, *self.requirements, *self.forbids))


class Execute(Protocol):
    """Runs steps in the emitted environment from its start, ends the agent's turns until the run is over, and scores it
    with the emitted grader."""

    def __call__(self, steps: tuple[Step, ...]) -> Outcome: ...
