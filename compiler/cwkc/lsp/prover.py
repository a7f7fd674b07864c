"""The server's side of the process that proves."""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process

from cwkc.lsp.worker import LENGTH, Answer, Question, packed

START = "from cwkc.lsp.worker import main; main()"


class Prover:
    """At most one question is being answered; the next one cancels it.

    The process lives on from one question to the next: what takes long in a new one is to import the compiler.
    """

    def __init__(self) -> None:
        self.process: Process | None = None
        self.running: asyncio.Task[Answer | None] | None = None

    async def ask(self, question: Question) -> Answer | None:
        """The answer; None where the next question, or a defect of the compiler, came in between."""
        self.cancel()
        running = self.running = asyncio.ensure_future(self._answer(question))
        try:
            return await running
        except asyncio.CancelledError:
            if not running.cancelled():
                running.cancel()
                raise
            return None
        finally:
            if self.running is running:
                self.running = None

    def cancel(self) -> None:
        """Stop what is being proved; what has been asked is answered with None."""
        if self.running is not None:
            self.running.cancel()
            self.running = None
            self.stop()

    def stop(self) -> None:
        """End the process."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
        self.process = None

    async def _answer(self, question: Question) -> Answer | None:
        process = await self._ready()
        to_it, from_it = process.stdin, process.stdout
        if to_it is None or from_it is None:
            raise RuntimeError("both are pipes")
        try:
            to_it.write(packed(question))
            await to_it.drain()
            (length,) = LENGTH.unpack(await from_it.readexactly(LENGTH.size))
            answer: Answer = pickle.loads(await from_it.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.process = None
            return None
        return answer

    async def _ready(self) -> Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(sys.executable, "-c", START, stdin=PIPE, stdout=PIPE)
        return self.process
