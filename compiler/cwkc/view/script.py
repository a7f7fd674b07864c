"""The user and the events of a task: who knows what, and what happens when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from coworkdsl import Task
from coworkdsl.operations import Undefined
from coworkdsl.script import Condition, ScriptedEvent
from coworkdsl.values import datetime_text
from coworkdsl.world import Fail, World
from cwkc.view.changes import change
from cwkc.view.grading import quotations


@frozen
class Known:
    """A fact that the user tells. `when`: in words, or the author's condition."""

    name: str
    text: str
    when: str


@frozen
class Happening:
    """An event: `when` it comes, what is `said`, and the `changes` that it makes in the initial world; of an event that
    cannot happen there, None."""

    name: str
    when: str
    said: tuple[str, ...]
    changes: tuple[str, ...] | None
    is_silent: bool
    ends: bool


@frozen
class Scripted:
    persona: str
    patience: int | None
    facts: tuple[Known, ...]
    events: tuple[Happening, ...]


def scripted(task: Task) -> Scripted | None:
    """None where there is neither a user nor an event. Raises PackError."""
    script = task.script
    if not script.events and script.patience is None:
        return None
    quoted = quotations(task.text("user.py"))
    facts = tuple(Known(fact.name, fact.text, _asked(fact.asked, quoted)) for fact in script.facts)
    return Scripted(script.persona, script.patience, facts, tuple(_happenings(task, quoted)))


def _asked(condition: Condition | None, quoted: Mapping[str, str]) -> str:
    return "the agent first speaks" if condition is None else _words(condition, quoted)


def _words(condition: Condition, quoted: Mapping[str, str]) -> str:
    return quoted.get(condition.__name__, "a condition holds")


def _happenings(task: Task, quoted: Mapping[str, str]) -> Iterator[Happening]:
    """In one world, so that an event finds what those before it left."""
    world = World(task.base)
    for event in task.script.events:
        before = len(world.log)
        said = _acted(event, world)
        changes = None if said is None else tuple(change(write) for write in world.log[before:])
        yield Happening(event.name, _when(event, quoted), said or (), changes, event.silent, event.ends)


def _acted(event: ScriptedEvent, world: World) -> tuple[str, ...] | None:
    """What the user says; None when what the event needs is not there yet."""
    if event.at is not None:
        world.now = event.at
    world.begin(-1, event.name)
    try:
        said = event.act(world)
    except (Fail, Undefined):
        world.rollback()
        return None
    world.commit()
    return said


def _when(event: ScriptedEvent, quoted: Mapping[str, str]) -> str:
    if event.at is not None:
        return f"at {datetime_text(event.at)}"
    if event.turn is not None:
        return f"at the end of turn {event.turn}"
    return f"once {_words(event.when, quoted)}" if event.when else "never"
