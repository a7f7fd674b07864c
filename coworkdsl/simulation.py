"""The rest of the office in a run: what the scripted user says and does, and how time passes.

After each call, and when the agent ends its turn, the events whose condition holds fire. At the end of a turn the user
answers: with the facts that were asked for and with what events say; a question that nothing answers gets a sentence
that says so. Where there is no answer, the next timed event comes and moves the clock. Where there is none, the run
ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from coworkdsl.operations import Undefined, truthy
from coworkdsl.run import Call, Run
from coworkdsl.script import Condition, Script, ScriptedEvent
from coworkdsl.text import normalise
from coworkdsl.values import datetime_text
from coworkdsl.world import View, World

_NOTHING_TO_ADD = {
    "en": "I have nothing to add to that.",
    "de": "Dazu habe ich nichts hinzuzufügen.",
    "fr": "Je n'ai rien à ajouter à cela.",
}
_CHANGES = {"insert": "is new", "set": "has changed", "delete": "is gone"}


class Answer(NamedTuple):
    """What the agent is told at the end of a turn: what the user says, below what happened without their words."""

    notice: str
    words: str


class Simulation:
    """`told`: the facts that the user has told, and `fired`: the events that happened, each with the number of calls
    made before; both in order. `ended`: the user has left, or the last event has happened."""

    __slots__ = (
        "_calls",
        "_heard",
        "_is_asked",
        "_notices",
        "_request",
        "_script",
        "_start",
        "_turns",
        "_waiting",
        "_world",
        "ended",
        "fired",
        "told",
    )

    def __init__(self, script: Script, request: str, start: View, world: World, calls: Sequence[Call]) -> None:
        """`calls` is the list that the run adds to."""
        self._script = script
        self._request = normalise(request)
        self._world = world
        self._start = start
        self._calls = calls
        self._heard: list[str] = []
        self._waiting: list[str] = []
        self._notices: list[str] = []
        self._is_asked = False
        self.told: dict[str, int] = {}
        self.fired: dict[str, int] = {}
        self._turns = 0
        self.ended = False

    def hear(self, text: str) -> None:
        """The agent spoke. Words that only repeat the request ask for nothing, and are not heard."""
        heard = normalise(text)
        new = heard.replace(self._request, "") if self._request and self._request in heard else text
        self._heard.append(new)
        self._is_asked = "?" in new or "？" in new

    def after_call(self) -> None:
        """Lets every event happen whose condition holds, until none is left."""
        waiting = [event for event in self._script.events if event.when is not None and event.name not in self.fired]
        while due := next((event for event in waiting if self._holds(event.when)), None):
            waiting.remove(due)
            self._fire(due)

    @property
    def untold(self) -> tuple[str, ...]:
        """The words of the facts that the user has not told yet."""
        return tuple(fact.text for fact in self._script.facts if fact.name not in self.told)

    def end_turn(self) -> Answer | None:
        """What the agent is told next; None when the run is over."""
        self._turns += 1
        facts = list(self._told_facts())
        self._fire_turn()
        self.after_call()
        answer = self._spoken(facts)
        is_asked, self._is_asked = self._is_asked, False
        if self.ended or self._is_out_of_patience():
            self.ended = True
            return answer
        return answer or (self._nothing_to_add if is_asked else None) or self._pass_time()

    # ------------------------------------------------------------------------ parts

    def _spoken(self, facts: list[str]) -> Answer | None:
        """What has gathered to be told, if anything."""
        answer = Answer("\n".join(self._notices), "\n\n".join((*facts, *self._waiting)))
        self._notices, self._waiting = [], []
        return answer if any(answer) else None

    @property
    def _trace(self) -> Run:
        return Run(self._start, self._world, self._calls, self._heard, self.told, self.fired)

    def _holds(self, condition: Condition | None) -> bool:
        if condition is None:
            return True
        try:
            return truthy(condition(self._trace))
        except Undefined:
            return False

    def _told_facts(self) -> Iterator[str]:
        for fact in self._script.facts if self._heard else ():
            if fact.name not in self.told and self._holds(fact.asked):
                self.told[fact.name] = len(self._calls)
                yield fact.text

    def _fire_turn(self) -> None:
        for event in self._script.events:
            if event.turn == self._turns:
                self._fire(event)

    def _fire(self, event: ScriptedEvent) -> None:
        """Writes by an event belong to the call before it. One whose values do not exist changes and says nothing."""
        self.fired[event.name] = len(self._calls)
        written = len(self._world.log)
        self._world.begin(len(self._calls) - 1, event.name)
        try:
            said = event.act(self._world)
        except Undefined:
            self._world.rollback()
            said = ()
        self._world.commit()
        self._waiting += said
        if not event.silent and not said:
            writes = self._world.log[written:]
            self._notices += [f"{write.store}: {write.id} {_CHANGES[write.kind]}" for write in writes]
        self.ended = self.ended or event.ends

    def _is_out_of_patience(self) -> bool:
        return self._script.patience is not None and self._turns >= self._script.patience

    @property
    def _nothing_to_add(self) -> Answer | None:
        """What a user answers to a question that nothing else does."""
        if self._script.patience is None:
            return None
        return Answer("", _NOTHING_TO_ADD.get(self._script.language, _NOTHING_TO_ADD["en"]))

    def _pass_time(self) -> Answer | None:
        """The next timed events, all that have the same time; None when there is none to come."""
        coming = [event for event in self._script.events if event.at is not None and event.name not in self.fired]
        if not coming:
            self.ended = True
            return None
        time: datetime = min(event.at for event in coming if event.at is not None)
        self._world.now = max(time, self._world.now)
        self._notices.append(f"It is {datetime_text(time)}.")
        for event in coming:
            if event.at == time:
                self._fire(event)
        self.after_call()
        return self._spoken([])
