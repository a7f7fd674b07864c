"""Where answers come from: each from its own request, or those of all slots together in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Condition, Event
from typing import Protocol

from attrs import frozen

from cwkc.generate.journal import Journal
from cwkc.generate.prompts import Request, Role
from cwkc.generate.spending import Stopped
from cwkc.models import BatchModel, Completion, Model, ModelError

POLL = 10.0
"""Seconds between two questions whether a batch has ended."""

Result = Completion | ModelError | Stopped


class Source(Protocol):
    """Gives answers to several threads, each of which works on a slot."""

    def answer(self, request: Request) -> Completion:
        """Raises ModelError and Stopped."""
        ...

    def left(self) -> None:
        """A slot needs no more answers."""
        ...

    def abort(self) -> None:
        """None is wanted any more."""
        ...


@frozen(eq=False)
class Singly:
    """Each request by itself, to the model of its role."""

    model_of: Callable[[Role], Model]
    answer_tokens: int

    def answer(self, request: Request) -> Completion:
        return self.model_of(request.role).complete(request.system, request.messages, self.answer_tokens)

    def left(self) -> None:
        """Nobody waits for it."""

    def abort(self) -> None:
        """What is under way comes to its end."""


class InBatches:
    """The requests of a round, one of each slot that is not done, go out together: whoever completes the round sends it
    and waits for it, and the others for that one. The journal has the id of each batch, from which an interrupted run
    fetches what was asked for already."""

    def __init__(self, model: BatchModel, answer_tokens: int, journal: Journal, slots: int) -> None:
        self._model = model
        self._answer_tokens = answer_tokens
        self._journal = journal
        self._slots = slots
        self._round: dict[str, Request] = {}
        self._results: dict[str, Result] = {}
        self._changed = Condition()
        self._aborted = Event()

    def answer(self, request: Request) -> Completion:
        with self._changed:
            self._round[request.key] = request
            self._send_if_complete()
            self._changed.wait_for(lambda: request.key in self._results or self._aborted.is_set())
            result = self._results.pop(request.key, None) or _interrupted()
        if isinstance(result, Completion):
            return result
        raise result

    def left(self) -> None:
        with self._changed:
            self._slots -= 1
            self._send_if_complete()

    def abort(self) -> None:
        self._aborted.set()
        with self._changed:
            self._changed.notify_all()

    def _send_if_complete(self) -> None:
        """All others wait meanwhile, so that nobody else needs what is locked."""
        if not self._round or len(self._round) < self._slots or self._aborted.is_set():
            return
        requests, self._round = self._round, {}
        try:
            self._results |= self._results_of(requests)
        except (ModelError, Stopped) as error:
            self._results |= dict.fromkeys(requests, error)
        finally:
            self._changed.notify_all()

    def _results_of(self, requests: Mapping[str, Request]) -> dict[str, Result]:
        """Those of earlier batches, where these have them, and of another one."""
        results: dict[str, Result] = {}
        for line in self._journal.all("batch"):
            if not requests.keys().isdisjoint(line["requests"]):
                answered = self._ended(line["key"])
                results |= {key: each for key, each in answered.items() if isinstance(each, Completion)}
        rest = {key: (each.system, each.messages) for key, each in requests.items() if key not in results}
        if rest:
            batch = self._model.begin(rest, self._answer_tokens)
            self._journal.add("batch", batch, requests=list(rest))
            results |= self._ended(batch)
        missing = ModelError("the batch has no answer to it")
        return {key: results.get(key, missing) for key in requests}

    def _ended(self, batch: str) -> dict[str, Completion | ModelError]:
        """What a batch came to, once it has ended."""
        while (results := self._model.results(batch)) is None:
            if self._aborted.wait(POLL):
                raise _interrupted()
        return results


def _interrupted() -> Stopped:
    return Stopped("it was interrupted")
