"""Environments of a pack in the form that TRL takes, made at run time: a class for each set of tools.

TRL takes every public method for a tool, save `reset` and `get_reward`; so every other name begins with `_`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

from attrs import frozen

from coworkdsl import Judge, Pack
from coworkdsl.conversation import json_text
from coworkdsl.environment import Environment
from cwktrain.callables import in_words
from cwktrain.onpolicy.tools import tool_method

Message = Mapping[str, Any]


@frozen
class Parts:
    """What a run earned, each from 0 to 1, and the reward that its task makes of them."""

    completion: float
    safety: float
    robustness: float
    reward: float

    @property
    def dimensions(self) -> tuple[float, float, float]:
        return self.completion, self.safety, self.robustness


Reward = Callable[[Parts], float]


class PackEnvironment:
    """One run at a time of one of the tasks that offer the tools of the class."""

    _pack: ClassVar[Pack]
    _judge: ClassVar[Judge | None]
    _reward: ClassVar[Reward]
    _schemas: ClassVar[list[dict[str, Any]]]
    _run: Environment
    _failure: str | None
    _parts: Parts | None

    def reset(self, task: str, seed: int, **_row: Any) -> None:
        """Begins a run. Raises PackError."""
        self._run = self._pack.env(task, seed)
        self._run.begin_turn()
        self._failure = None
        self._parts = None

    def get_reward(self) -> float | None:
        """None where the environment or the grader failed, or a judge gave no verdict: that is no reward of 0."""
        self._grade()
        return None if self._parts is None else type(self)._reward(self._parts)

    @classmethod
    def _names(cls) -> list[str]:
        return [schema["function"]["name"] for schema in cls._schemas]

    def _grade(self) -> None:
        """Works out the score, or else why there is none."""
        if self._parts is not None or self._failed():
            return
        try:
            score = self._run.score(self._judge)
            self._parts = Parts(score.completion, score.safety, score.robustness, score.reward)
        except Exception as failure:  # a grader that cannot measure ends no training
            self._failure = f"the run cannot be scored: {in_words(failure)}"

    def _failed(self) -> bool:
        if self._run.defects and self._failure is None:
            self._failure = f"the environment failed: {in_words(self._run.defects[0])}"
        return self._failure is not None

    def _call(self, tool: str, arguments: Any) -> str:
        return json_text(self._run.call(tool, arguments))

    def _act(self, message: Message) -> list[Message]:
        """What the agent is answered: the results of its calls, or the words of the user; nothing when the run is over.

        Words beside calls are a remark; words alone end the turn.
        """
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        words = message.get("content") or ""
        reply = self._run.say(words, end_turn=not calls) if words or not calls else None
        answers: list[Message] = [
            {"role": "tool", "name": call["name"], "content": self._call(call["name"], call["arguments"])}
            for call in calls
        ]
        if reply is not None:
            answers.append({"role": "user", "content": reply})
        if not self._run.done:
            self._run.begin_turn()
        return [] if self._run.done else answers

    def _state(self) -> Hashable:
        """What the agent has learned and what it has changed, in whatever order: equal for runs that stand at the same
        point."""
        trace = self._run.trace
        read = frozenset((call.name, json_text(call.raw), json_text(call.result)) for call in trace.calls)
        told = tuple(message["content"] for message in self._run.messages if message["role"] == "user")
        places = {(write.store, write.id) for write in trace.writes}
        changed = [place for place in places if trace.start.get(*place) != trace.final.get(*place)]
        return read, told, frozenset((*place, repr(trace.final.get(*place))) for place in changed)


def environment_class(
    name: str, pack: Pack, schemas: list[dict[str, Any]], reward: Reward, judge: Judge | None
) -> type[PackEnvironment]:
    """A class whose public methods are these tools, given as JSON Schema."""
    # What can be called would become a method otherwise.
    called = {"_judge": staticmethod(judge) if judge else None, "_reward": staticmethod(reward)}
    shared = {"_pack": pack, "_schemas": schemas, **called}
    methods = {schema["function"]["name"]: tool_method(schema) for schema in schemas}
    return type(name, (PackEnvironment,), {**shared, **methods, "__module__": __name__})
