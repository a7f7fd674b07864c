"""What a grader reads: the states, the calls, the writes and the words of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from coworkdsl.operations import Undefined
from coworkdsl.tools import Result
from coworkdsl.world import View, World, Write

Predicate = Callable[[dict[str, Any], View], bool]
Allowed = tuple[str, ...]


class RunError(ValueError):
    """A recorded run is damaged; the message says where and how."""


class Call:
    """One call. `arguments` are the validated values by parameter, None when the call broke the tool's schema.

    `name` and `raw` are the tool's name and the arguments as the agent wrote them; `tool` is qualified,
    `helpdesk.get_ticket`, and empty when the task offers no such tool. `fault` is the kind of the injected fault that
    hit it, None when none did.
    """

    __slots__ = ("accepted", "arguments", "fault", "index", "name", "outcome", "raw", "tool")

    def __init__(
        self,
        index: int,
        name: str,
        tool: str,
        arguments: dict[str, Any] | None,
        accepted: bool,
        raw: Any,
        outcome: Result,
        fault: str | None = None,
    ) -> None:
        self.index = index
        self.name = name
        self.tool = tool
        self.arguments = arguments
        self.accepted = accepted
        self.raw = raw
        self.outcome = outcome
        self.fault = fault

    @property
    def result(self) -> dict[str, Any]:
        """What the agent read."""
        return self.outcome.wire()


def precedes(firsts: tuple[int, ...], seconds: tuple[int, ...]) -> bool:
    """`A before B`: B happened, and some A precedes the first B."""
    return bool(firsts and seconds) and min(firsts) < min(seconds)


class Run:
    """A run up to now. It does not change when the run goes on."""

    __slots__ = (
        "_before",
        "_by_tool",
        "_commits",
        "_world",
        "calls",
        "final",
        "fired",
        "said",
        "start",
        "told",
        "writes",
    )

    def __init__(
        self,
        start: View,
        world: World,
        calls: Iterable[Call],
        said: Iterable[str],
        told: Mapping[str, int] = MappingProxyType({}),
        fired: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """`told` and `fired`: the facts that the user told and the events that happened, each with the number of calls
        made before."""
        self.start = start
        self.told = dict(told)
        self.fired = dict(fired)
        self.calls = tuple(calls)
        self.said = tuple(said)
        self.writes = tuple(world.log)
        self.final = world.before(len(self.calls))
        self._world = world
        self._commits = world.commits
        self._before: dict[int, View] = {}
        self._by_tool: dict[str, list[Call]] = {}
        for call in self.calls:
            self._by_tool.setdefault(call.tool, []).append(call)

    @property
    def answer(self) -> str | None:
        """The agent's last message; null when it never spoke."""
        return self.said[-1] if self.said else None

    def writes_of(self, call: int) -> tuple[Write, ...]:
        """What the agent wrote with that call."""
        return tuple(write for write in self.writes if write.call == call and not write.event)

    def learned(self, fact: str) -> bool:
        """Whether the user told the fact."""
        return fact in self.told

    def after(self, event: str, value: Any) -> Any:
        """A value that is there once an event has happened. Raises Undefined when it has not."""
        if event not in self.fired:
            raise Undefined(f"the event `{event}` has not happened")
        return value

    def before(self, call: int) -> View:
        """The state just before that call."""
        if call not in self._before:
            self._before[call] = self._world.before(call)
        return self._before[call]

    def called(self, tool: str, predicate: Predicate | None = None) -> tuple[int, ...]:
        """The indices of the accepted calls of the tool that match."""
        calls = self._by_tool.get(tool, ())
        return tuple(call.index for call in calls if call.accepted and self._matches(call, predicate))

    def tried(self, tool: str, predicate: Predicate | None = None) -> tuple[int, ...]:
        """Likewise of every call, failed ones included; one that broke the schema matches only without predicate."""
        return tuple(call.index for call in self._by_tool.get(tool, ()) if self._matches(call, predicate))

    def _matches(self, call: Call, predicate: Predicate | None) -> bool:
        if predicate is None:
            return True
        return call.arguments is not None and predicate(call.arguments, self.before(call.index))

    def when(self, test: Callable[[View], bool]) -> tuple[int, ...]:
        """The calls after which a state passes a test, in order; -1 stands for the time before the first.

        Only states behind what wrote something are asked about, be it a call or an event that followed it.
        """
        passed = {call for call, state in self._world.behind(self._commits) if test(state)}
        return tuple(sorted(passed | {-1} if test(self.start) else passed))

    def frame(self, allowed: Iterable[Allowed]) -> tuple[Write, ...]:
        """The agent's writes outside of what is allowed, undone or not.

        Allowed are `("record", record, id)`: any write of it; `("field", record, id, field)`; `("store", store)`: any
        write in it; `("new", store)`: inserts into it; `("column", store, field)`: the field of any record in it.
        """
        grants = frozenset(allowed)
        return tuple(write for write in self.writes if not write.event and not self._is_allowed(write, grants))

    def _is_allowed(self, write: Write, grants: frozenset[Allowed]) -> bool:
        record = self._world.layout.stores[write.store].record
        if ("store", write.store) in grants or ("record", record, write.id) in grants:
            return True
        if write.kind == "insert":
            return ("new", write.store) in grants
        return write.kind == "set" and all(
            ("column", write.store, field) in grants or ("field", record, write.id, field) in grants
            for field in write.fields
        )
