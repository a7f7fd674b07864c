"""What is scripted for a run: a user who knows facts, and events that change the world and speak.

A script is fixed: what happens follows from what the agent does, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from coworkdsl.run import Run
from coworkdsl.world import World

Condition = Callable[[Run], Any]
Act = Callable[[World], tuple[str, ...]]
"""Changes the world, and gives what the user says."""

PATIENCE = 12
"""How many turns of the agent a user takes part in who was given no patience of their own."""


@dataclass(frozen=True, slots=True)
class Fact:
    """The user tells `text` once `asked` holds at the end of a turn; without `asked`, when the agent first speaks."""

    name: str
    text: str
    asked: Condition | None
    place: str


@dataclass(frozen=True, slots=True)
class ScriptedEvent:
    """Fires once: as soon as `when` holds after a call or a turn; or at the end of the agent's `turn`-th turn; or when
    the clock comes to `at`. `silent` ones are not announced; one that `ends` is the last thing that happens."""

    name: str
    act: Act
    place: str
    when: Condition | None = None
    turn: int | None = None
    at: datetime | None = None
    silent: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """`patience` is None where there is no user. `language`: the one in which a user says that there is nothing to
    add."""

    facts: tuple[Fact, ...] = ()
    events: tuple[ScriptedEvent, ...] = ()
    persona: str = ""
    patience: int | None = None
    language: str = "en"


NO_SCRIPT = Script()


def script_of(module: Mapping[str, Any]) -> Script:
    """The script that an emitted module defines. Raises KeyError."""
    return Script(
        tuple(module["FACTS"]), tuple(module["EVENTS"]), module["PERSONA"], module["PATIENCE"], module["LANGUAGE"]
    )
