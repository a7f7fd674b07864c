"""The course of a run as the solver sees it: which events happen, when, and what the user tells.

An event is a call of the pool that the agent does not make. What holds of every run is asserted: an event happens only
where its condition came to hold before it, timed ones happen in the order of their times, and behind one that ends the
run nothing is accepted. Only where runs are looked for (`exact`), an event whose condition holds must happen, and so
must each timed one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cwkc.prove.pool import Call
from cwkc.prove.scope import EITHER, POSITIVE, Scope
from cwkc.prove.terms import Sort, Term, conjunction, disjunction, implication
from cwkc.prove.values import Value, choose, known
from cwkc.prove.world import Moment

if TYPE_CHECKING:
    from cwkc.prove.encoder import Encoder


class Course:
    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._calls = {call.event.name: call for call in encoder.pool.events.values() if call.event}
        self._told: dict[str, Term] = {}

    def happened(self, event: str) -> Term:
        return self._encoder.calls.made(self._calls[event])

    def told(self, fact: str) -> Term:
        """Whether the user told a fact: only when it was asked for."""
        if fact not in self._told:
            user = self._encoder.task.user
            assert user is not None, "the checker lets nobody learn a fact that no user knows"
            self._told[fact] = told = self._encoder.script.symbol(f"told.{fact}", Sort.BOOL)
            asked = user.facts[fact].asked
            heard = self._spoken(fact) if asked is None else self._encoder.holds(asked, Scope(), POSITIVE)
            self._require(implication(told, heard))
        return self._told[fact]

    def _spoken(self, fact: str) -> Term:
        """That the agent says anything at all."""
        self._encoder.pool.ask_remark(("told", fact))
        return disjunction(*(spoken for spoken, _ in self._encoder.utterances()))

    def clock(self, scope: Scope) -> Value:
        """The clock where an expression is read: the time of the last timed event before it."""
        call = scope.moment.call
        now = known(self._encoder.task.now)
        for each in self._timed:
            time = None if each.event is None else each.event.time
            if each is call:
                return known(time)
            passed = self._encoder.calls.made(each)
            if call is not None:
                passed = conjunction(passed, self._encoder.calls.earlier(each, call))
            now = choose(passed, known(time), now)
        return now

    @property
    def _timed(self) -> list[Call]:
        """The timed events in the order in which they happen."""
        timed = [call for call in self._calls.values() if call.event and call.event.time]
        return sorted(timed, key=lambda call: (call.event.time if call.event else None) or self._encoder.task.now)

    def _require(self, term: Term) -> None:
        self._encoder.script.require(term)

    def constrain(self) -> None:
        """Asserts when events happen."""
        for call in self._calls.values():
            self._constrain(call)
        earlier, made = self._encoder.calls.earlier, self._encoder.calls.made
        timed = self._timed
        for one, other in pairwise(timed):
            self._require(implication(made(other), conjunction(made(one), earlier(one, other))))

    def _constrain(self, call: Call) -> None:
        event, happened = call.event, self._encoder.calls.made(call)
        assert event is not None
        if event.condition is not None:
            self._encoder.start(positive=True)
            before = Scope(Moment("before", call), depth=1, until=call)
            self._require(implication(happened, self._encoder.holds(event.condition, before, POSITIVE)))
            held = self._encoder.holds(event.condition, Scope(depth=1), EITHER)
            self._require(implication(conjunction(self._encoder.exact, held), happened))
        elif event.time is not None:
            self._require(implication(self._encoder.exact, happened))

    def end(self, event: str) -> Term:
        """That no call is accepted behind an event that ends the run."""
        call = self._calls[event]
        return implication(self._encoder.calls.made(call), self._nothing_behind(call))

    def _nothing_behind(self, call: Call) -> Term:
        """That no call is accepted behind an event."""
        calls = self._encoder.calls
        others = self._encoder.pool.made_by_agent
        return conjunction(*(implication(calls.accepted(each), calls.earlier(each, call)) for each in others))
