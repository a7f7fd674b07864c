"""The server's side of the process that proves."""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process

from cwkc.lsp.worker import LENGTH, Answer, Question, packed

START = "from cwkc.lsp.worker import main; main()"


class Prover:
    """Answers one question at a time, in the order in which they are asked; of each file the last one alone.

    The process lives on from one question to the next: what takes long in a new one is to import the compiler.
    """

    def __init__(self) -> None:
        self.process: Process | None = None
        self.turn = asyncio.Lock()
        self.asked: dict[str, asyncio.Task[Answer | None]] = {}
        """By the path of the file, what is being answered or waits for its turn."""

    async def ask(self, question: Question) -> Answer | None:
        """The answer; None where it was cancelled, or a defect of the compiler came in between."""
        self.cancel(question.path)
        task = self.asked[question.path] = asyncio.ensure_future(self._in_turn(question))
        try:
            return await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise
            return None
        finally:
            if self.asked.get(question.path) is task:
                del self.asked[question.path]

    def cancel(self, path: str) -> None:
        """What is asked of a file is answered with None."""
        task = self.asked.pop(path, None)
        if task is not None:
            task.cancel()

    async def stop(self) -> None:
        """End for good."""
        for path in list(self.asked):
            self.cancel(path)
        async with self.turn:
            await self._kill()

    async def _in_turn(self, question: Question) -> Answer | None:
        async with self.turn:
            try:
                return await self._answer(question)
            except asyncio.CancelledError:
                await self._kill()
                raise

    async def _kill(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

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
