"""A run as an agent lives it: calls, messages, and a score at the end."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from coworkdsl.attachments import Attachment
from coworkdsl.conversation import written_messages
from coworkdsl.events import Event, Remark, Reply, Turn
from coworkdsl.faults import MESSAGES, STALE, due
from coworkdsl.judging import Judge, evidence_of, judged
from coworkdsl.operations import Undefined
from coworkdsl.run import Call, Run
from coworkdsl.score import Score
from coworkdsl.script import NO_SCRIPT
from coworkdsl.simulation import Simulation
from coworkdsl.task import OfferedTool, Task
from coworkdsl.tools import Refused, Result
from coworkdsl.values import shown
from coworkdsl.voice import Line, Voice, voiced
from coworkdsl.world import Fail, World

_SCALARS = frozenset((str, int, float, bool, type(None)))


class ErrorResult(NamedTuple):
    """What a call that was not accepted answers."""

    code: str
    message: str
    argument: str | None = None

    def wire(self) -> dict[str, Any]:
        error = {"code": self.code, "message": self.message}
        return {"error": error if self.argument is None else error | {"argument": self.argument}}


_RUN_ENDED = ErrorResult("run_ended", "the run has ended: no more calls are taken")


class Environment:
    """One run of a task. Its state is an overlay on the task's base, so that making one costs microseconds.

    `events`: what happened, in order. `defects`: exceptions that emitted code should not have raised; each was
    answered with the error `internal_error`.
    """

    __slots__ = (
        "_calls",
        "_ended",
        "_faults",
        "_limits",
        "_said",
        "_simulation",
        "_tools",
        "_turns",
        "_voice",
        "_world",
        "defects",
        "events",
        "seed",
        "task",
    )

    def __init__(self, task: Task, seed: int = 0, voice: Voice | None = None) -> None:
        """`voice` words what the user says; without it, they speak as the script is written. Raises PackError."""
        self.task = task
        self._voice = voice
        self.seed = seed
        self.events: list[Event] = []
        self.defects: list[Exception] = []
        self._tools = task.offered
        self._limits = task.limits
        self._faults = task.faults
        self._world = World(task.base)
        self._calls: list[Call] = []
        self._said: list[str] = []
        self._turns = 0
        self._ended: ErrorResult | None = None
        self._simulation = self._simulated()

    def _simulated(self) -> Simulation | None:
        """The user and the events, where the task has any."""
        script = self.task.script
        if script is NO_SCRIPT:
            return None
        return Simulation(script, self.task.request, self.task.base.view(), self._world, self._calls)

    @property
    def request(self) -> str:
        """What the agent is told."""
        return self.task.request

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that the agent is given along with the request, which names them. Raises PackError."""
        return self.task.attachments

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as JSON Schema, ready for a chat template."""
        return self.task.tools()

    @property
    def done(self) -> bool:
        return self._ended is not None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The run up to now as a conversation in the form of chat templates."""
        return written_messages(self.task.request, self.events)

    @property
    def fault(self) -> str | None:
        """The kind of the injected fault that hit the last call; None when none did."""
        return self._calls[-1].fault if self._calls else None

    @property
    def trace(self) -> Run:
        """The run up to now."""
        simulation = self._simulation
        told, fired = (simulation.told, simulation.fired) if simulation else ({}, {})
        return Run(self.task.base.view(), self._world, self._calls, self._said, told, fired)

    def score(self, judge: Judge | None = None) -> Score:
        """The score of the run up to now. A judge is asked for each rubric; without one these are unscored.

        Raises PackError when the grader cannot be loaded.
        """
        run, rubrics = self.trace, self.task.grader.rubrics
        if judge is None or not rubrics:
            return self.task.grade(run)
        evidence = evidence_of(run, self.messages, self.task.grader.deliverables)
        return self.task.grade(run, judged(judge, rubrics, self.task.id, evidence))

    # ------------------------------------------------------------------------ what the agent does

    def begin_turn(self) -> None:
        """Counts a turn: a runner calls it once for each message of the agent."""
        if self._ended is None:
            self.events.append(Turn())
            self._turns += 1
            self._exceeded("turns", self._turns)

    def say(self, text: str, end_turn: bool = True) -> str | None:
        """The agent speaks; with `end_turn` that ends its turn: what it is told then, by the user or as time passes.

        None when nobody answers: then the run is over, as `done` says. The last words of a user end it as well. An
        empty text says nothing. A remark beside tool calls does not end the turn.
        """
        if self._ended is not None:
            return None
        text = _encodable(text)
        self.events.append(Remark(text, end_turn))
        if text:
            self._said.append(text)
            if self._simulation:
                self._simulation.hear(text)
        return self._end_turn() if end_turn else None

    def finish(self) -> None:
        """Ends the agent's turns, with nothing to say, until the run is over: what an agent does that is done. Each of
        them counts."""
        while self._simulation and self._ended is None:
            self.begin_turn()
            self.say("")

    def _end_turn(self) -> str | None:
        answer = self._simulation.end_turn() if self._simulation else None
        if self._simulation is None or self._simulation.ended:
            self._ended = _RUN_ENDED
        if answer is None:
            return None
        reply = "\n\n".join(filter(None, (answer.notice, self._worded(answer.words))))
        self.events.append(Reply(reply))
        return reply

    def _worded(self, words: str) -> str:
        """What the user says, in the words of a voice where there is one."""
        if self._voice is None or self._simulation is None or not words:
            return words
        script, messages = self.task.script, self.messages
        known = (script.persona, *(message["content"] or "" for message in messages))
        line = Line(words, script.persona, script.language, messages)
        return voiced(self._voice, line, self._simulation.untold, known)

    def call(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        """Calls a tool with arguments, an object or its JSON text: a result, or `{"error": {code, message}}`.

        Never raises for what an agent does. A call that fails changes nothing.
        """
        if self._ended is not None:
            return self._ended.wire()
        index = len(self._calls)
        name = _encodable(tool) if isinstance(tool, str) else shown(tool)
        raw = _own_copy(arguments)
        exceeded = self._exceeded("calls", index + 1)
        if exceeded is not None:
            self.events.append(Call(index, name, "", None, False, raw, exceeded))
            return exceeded.wire()
        offered = self._tools.get(name)
        call = self._made(offered, index, name, raw) if offered else self._unknown(index, name, raw)
        self._calls.append(call)
        self.events.append(call)
        if self._simulation:
            self._simulation.after_call()
            self._ended = _RUN_ENDED if self._simulation.ended else None
        return call.outcome.wire()

    def _exceeded(self, limit: str, used: int) -> ErrorResult | None:
        """Ends the run when more than the limit is used."""
        most = self._limits.get(limit)
        if most is None or used <= most:
            return None
        self._ended = ErrorResult("limit_reached", f"the limit of {most} {limit} is reached: the run has ended")
        return self._ended

    def _made(self, offered: OfferedTool, index: int, name: str, raw: Any) -> Call:
        try:
            values = offered.signature.read(raw)
        except Refused as refused:
            outcome = ErrorResult(refused.code, refused.message, refused.argument)
            return Call(index, name, offered.name, None, False, raw, outcome)
        arguments = dict(zip(offered.signature.names, values, strict=True))
        fault = due(self._faults, offered.name, arguments, self._calls, self.seed, self.task.id)
        if fault is not None and fault != STALE:
            outcome = ErrorResult(fault, MESSAGES[fault])
            return Call(index, name, offered.name, arguments, False, raw, outcome, fault)
        self._world.begin(index)
        try:
            offered.signature.require_records(values, self._world)
            result = offered.function(self._world, *values)
        except Exception as error:  # whatever it is, the call is undone and the agent answered
            self._world.rollback()
            return Call(index, name, offered.name, arguments, False, raw, self._explained(error))
        self._world.commit()
        stale = self._stale(offered, values, result) if fault == STALE else None
        return Call(index, name, offered.name, arguments, True, raw, stale or result, STALE if stale else None)

    def _stale(self, offered: OfferedTool, values: list[Any], current: Result) -> Result | None:
        """What the call would have been answered at the start; None when that is nothing else, or an error."""
        start = World(self.task.base)
        try:
            offered.signature.require_records(values, start)
            result = offered.function(start, *values)
        except Exception as error:  # whatever it is, there is no such answer
            self._explained(error)
            return None
        return None if result.wire() == current.wire() else result

    def _explained(self, error: Exception) -> ErrorResult:
        if isinstance(error, Refused):
            return ErrorResult(error.code, error.message, error.argument)
        if isinstance(error, Fail):
            return ErrorResult(error.code, error.message)
        if isinstance(error, Undefined):
            return ErrorResult(error.code, str(error))
        self.defects.append(error)
        return ErrorResult("internal_error", "the tool failed; nothing was changed")

    def _unknown(self, index: int, name: str, raw: Any) -> Call:
        names = ", ".join(self._tools) or "none"
        outcome = ErrorResult("unknown_tool", f"no tool is named {shown(name)}; the tools are: {names}")
        return Call(index, name, "", None, False, raw, outcome)


def _encodable(text: Any) -> str:
    """The text, with halves of surrogate pairs replaced: so that every transcript can be written."""
    if not isinstance(text, str):
        return ""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _own_copy(arguments: Any) -> Any:
    """The arguments as JSON that nobody else can change; what is no JSON becomes a text that says so."""
    if type(arguments) is dict:
        for name, value in arguments.items():
            if type(name) is not str or type(value) not in _SCALARS:
                break
        else:
            return arguments.copy()
    if arguments is None or isinstance(arguments, str):
        return arguments
    try:
        return json.loads(json.dumps(arguments))
    except (TypeError, ValueError, RecursionError):
        return f"<{type(arguments).__name__}>"
