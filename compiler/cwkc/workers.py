"""Processes that answer questions beside one another.

One question at a time goes to each, so that it is known which one a process was lost with. The standard library's
executor does not tell that, and its processes outlive this one when it is killed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from cwkc.workshop import Lost, Question, Work

_CONTEXT = get_context("spawn")  # a process forked from one with threads may wait for ever


class Worker:
    """One process and what was sent to it."""

    def __init__(self) -> None:
        self.connection, other = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=serve, args=(other,), daemon=True)
        with _interrupts_held():
            self.process.start()
        other.close()
        self.shared: Any = None
        """What it has of all questions in common."""
        self.place: int | None = None
        """The place of the question that it has to answer."""

    def ask(self, work: Work, shared: Any, place: int, question: Question) -> None:
        """Raises OSError where the process is no more."""
        self.connection.send((None if shared is self.shared else shared, work, question.arguments))
        self.shared, self.place = shared, place

    def end(self) -> Lost:
        """Ends the process, and says how it ended."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        status = self.process.exitcode or 0
        return Lost(f"was ended by signal {-status}" if status < 0 else f"ended with status {status}")


class Workers:
    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[Worker] = []

    def answers(
        self, work: Work, shared: Any, asked: Mapping[int, Question], tell: Callable[[str], None]
    ) -> Iterator[tuple[int, Any]]:
        """The answers, or `Lost`, by the questions' places, as they come. A lost process is replaced by another."""
        waiting = list(asked.items())[::-1]
        while waiting or any(worker.place is not None for worker in self._workers):
            for worker in self._idle(len(waiting)):
                place, question = waiting.pop()
                tell(question.doing)
                try:
                    worker.ask(work, shared, place, question)
                except OSError:
                    yield place, self._drop(worker)
            for worker in self._ready():
                assert worker.place is not None, "it was asked"
                place, worker.place = worker.place, None
                yield place, self._received(worker, work, shared, asked[place])

    def close(self) -> None:
        """Ends all processes, whatever they are doing."""
        while self._workers:
            self._workers.pop().end()

    def _idle(self, wanted: int) -> list[Worker]:
        """At most so many processes that have nothing to do; new ones as long as there may be more."""
        idle = [worker for worker in self._workers if worker.place is None]
        while len(idle) < wanted and len(self._workers) < self._count:
            self._workers.append(Worker())
            idle.append(self._workers[-1])
        return idle[:wanted]

    def _ready(self) -> list[Worker]:
        """The processes that have answered, or have ended; waits for one."""
        busy = [worker for worker in self._workers if worker.place is not None]
        ready = connection.wait([worker.connection for worker in busy]) if busy else ()
        return [worker for worker in busy if worker.connection in ready]

    def _received(self, worker: Worker, work: Work, shared: Any, question: Question) -> Any:
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            return self._drop(worker)
        if answer is None:  # a defect of the compiler: it comes about again here, where it can be told
            return work(shared, *question.arguments)
        return answer

    def _drop(self, worker: Worker) -> Lost:
        self._workers.remove(worker)
        worker.process.join(1)
        return worker.end()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """What is started meanwhile never hears of an interrupt at the terminal: this process does, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which it would be behind the block, and then lift it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------------------- in the process


def serve(asker: Connection) -> None:
    """Answers questions until nobody is left to ask; None stands for a defect of the compiler."""
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # whoever asked is gone, perhaps in the middle of a question
        _answer(asker)


def _answer(asker: Connection) -> None:
    """Raises EOFError and OSError when nobody is left to ask."""
    shared: Any = None
    while True:
        sent, work, arguments = asker.recv()
        shared = shared if sent is None else sent
        try:
            answer = work(shared, *arguments)
        except Exception:  # it is told by the process that asked
            answer = None
        asker.send(answer)


def _end_with_parent() -> None:
    """A question is no longer worth its answer when nobody waits for it."""
    parent = parent_process()
    assert parent is not None, "this process was started by another"
    parent.join()
    os._exit(1)
