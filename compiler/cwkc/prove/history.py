"""What the calls of the pool write, and which of their writes come last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from cwkc.prove import terms
from cwkc.prove.calls import Calls
from cwkc.prove.effects import Effect
from cwkc.prove.pool import Call, Pool
from cwkc.prove.script import Script
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, conjunction, disjunction, equal, implication, negation
from cwkc.prove.values import NULL, Value


@frozen
class Event:
    """A write of some record, by an effect of a call; `done` tells when it takes place."""

    call: Call
    effect: Effect
    done: Term


@frozen
class Write:
    """A write of one field."""

    call: Call
    done: Term
    value: Value


class History:
    def __init__(self, pool: Pool, script: Script, calls: Calls) -> None:
        self._pool = pool
        self._script = script
        self._calls = calls
        self._events: dict[tuple[str, str, Call | None], tuple[Event, ...]] = {}

    def inserts(self, record: str) -> Iterator[tuple[Call, Effect]]:
        """Every insert of a record of that type that a call of the pool may make."""
        for call in self._pool.calls:
            for effect in self._calls.effects(call).writes:
                if effect.kind == "insert" and effect.record == record:
                    yield call, effect

    def events(self, record: str, id: Term, before: Call | None) -> tuple[Event, ...]:
        """The writes of a record: all of them, or those before a call."""
        key = record, id.text, before
        if key not in self._events:
            self._events[key] = tuple(self._find(record, id, before))
        return self._events[key]

    def _find(self, record: str, id: Term, before: Call | None) -> Iterator[Event]:
        for call in self._pool.calls:
            if call is before:
                continue
            for effect in self._calls.effects(call).writes:
                if effect.record != record:
                    continue
                same = equal(effect.target, id)
                done = conjunction(self._calls.accepted(call), effect.guard, same) if same != FALSE else FALSE
                if done != FALSE and before is not None:
                    done = conjunction(done, self._calls.earlier(call, before))
                if done != FALSE:
                    yield Event(call, effect, self._script.name("event", done))

    def made_with(self, id: Term, name: str) -> Value | None:
        """What the insert that mints an id gives to a field."""
        for call in self._pool.calls:
            for effect in self._calls.effects(call).writes:
                if effect.minted and effect.target == id:
                    return next((write.value for write in effect.fields if write.name == name), None)
        return None

    def writes(self, record: str, id: Term, name: str, before: Call | None, sets_alone: bool) -> tuple[Write, ...]:
        """The writes of one field; a delete makes it null. With `sets_alone`, without inserts and deletes."""
        found = []
        for event in self.events(record, id, before):
            if sets_alone and event.effect.kind != "set":
                continue
            if event.effect.kind == "delete":
                found.append(Write(event.call, event.done, NULL))
            for write in event.effect.fields:
                if write.name == name:
                    done = self._script.name("write", conjunction(event.done, write.guard))
                    found.append(Write(event.call, done, write.value))
        return tuple(found)

    def last(self, written: Sequence[Write | Event]) -> tuple[Term, ...]:
        """For each of some writes, when it is the last of those that take place.

        Where several calls may write, the time of the last of them has a name, so that the text stays as long as the
        writes are many.
        """
        if len({write.call.number for write in written}) < 2:
            return tuple(
                conjunction(write.done, *(negation(later.done) for later in written[index + 1 :]))
                for index, write in enumerate(written)
            )
        last = self._script.fresh("last", Sort.INT)
        latest = []
        for index, write in enumerate(written):
            time = self._calls.time(write.call)
            self._script.require(implication(write.done, terms.at_most(time, last)))
            outdone = (negation(later.done) for later in written[index + 1 :] if later.call is write.call)
            latest.append(conjunction(write.done, equal(time, last), *outdone))
        self._script.require(disjunction(untouched(written), *latest))
        return tuple(latest)


def untouched(written: Sequence[Write | Event]) -> Term:
    """That none of some writes takes place."""
    return conjunction(*(negation(write.done) for write in written)) if written else TRUE
