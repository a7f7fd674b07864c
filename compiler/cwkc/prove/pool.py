"""The calls of which a run is made up.

Every fact that a run may need to bear out asks for a call of its own, under a key, so that it is the same call each
time the task is encoded. Encoding is repeated until nobody asks for more; then a fact holds of the run exactly when it
does for some call of the pool.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

from attrs import field, frozen

from cwkc.meaning.typed import EventDef, ToolDef
from cwkc.prove.values import Value

DEEPEST = 3
"""How long a chain of calls that are there for the sake of one another may be."""

MOST_ALIKE = 12
"""How many calls one count may ask for."""

MOST_CALLS = 60
"""How many calls a pool may have at first."""


@frozen
class Call:
    """A call that a run may make. `may_fail`: it is there to be tried, so that it need not be accepted. `fixed`: the
    arguments that its purpose settles. `before`: the call that it is there to prepare. `event`: the event that it
    stands for, which writes as a call of a tool does but is none of the agent's."""

    number: int
    tool: ToolDef = field(eq=False)
    depth: int
    may_fail: bool
    fixed: Mapping[str, Value] = field(eq=False)
    before: Call | None = field(default=None, eq=False)
    event: EventDef | None = field(default=None, eq=False)

    @property
    def name(self) -> str:
        return f"c{self.number}"


class Pool:
    """`calls` and `remarks` stay as they are while a task is encoded, and grow between two times. The events are there
    from the first."""

    def __init__(self, events: Iterable[EventDef] = (), most: int = MOST_CALLS) -> None:
        self.most = most
        self.calls = [Call(number, each.as_tool, 1, False, {}, event=each) for number, each in enumerate(events)]
        self.events = {call.tool.name: call for call in self.calls}
        self.remarks = 0
        self._keys: dict[Hashable, Call | int] = {}
        self._asked: list[Call] = []
        self._asked_remarks = 0

    def ask(
        self,
        key: Hashable,
        tool: ToolDef,
        depth: int,
        fixed: Mapping[str, Value],
        may_fail: bool = False,
        before: Call | None = None,
    ) -> bool:
        """Asks for a call; False when the chain of reasons has become too long, or the calls too many."""
        if key in self._keys or tool.name in self.events:
            return True
        number = len(self.calls) + len(self._asked)
        if depth > DEEPEST or number >= self.most:
            return False
        call = Call(number, tool, depth, may_fail, fixed, before)
        self._keys[key] = call
        self._asked.append(call)
        return True

    def has(self, key: Hashable) -> bool:
        """Whether a call was asked for under that key, and granted."""
        return key in self._keys

    def ask_remark(self, key: Hashable) -> None:
        """Asks for something that the agent may say beside its answer."""
        if key not in self._keys:
            self._keys[key] = self.remarks + self._asked_remarks
            self._asked_remarks += 1

    def grow(self) -> bool:
        """Takes in what was asked for; False when there is nothing new."""
        grew = bool(self._asked) or self._asked_remarks > 0
        self.calls.extend(self._asked)
        self.remarks += self._asked_remarks
        self._asked.clear()
        self._asked_remarks = 0
        return grew

    @property
    def made_by_agent(self) -> Iterator[Call]:
        return (call for call in self.calls if call.event is None)

    def of(self, tool: str) -> Iterator[Call]:
        return (call for call in self.calls if call.tool.name == tool)
