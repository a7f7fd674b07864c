"""What happens in a run, in order."""

from __future__ import annotations

from typing import NamedTuple

from coworkdsl.run import Call


class Turn(NamedTuple):
    """The runner began a turn: a message of the agent."""


class Remark(NamedTuple):
    """The agent spoke; `final` when that ended its turn."""

    text: str
    final: bool


class Reply(NamedTuple):
    """What the agent was told when it had ended its turn: by the user, or that time has passed."""

    text: str


Event = Turn | Remark | Reply | Call
