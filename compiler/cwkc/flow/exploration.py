"""An agent that calls every tool with everything that it knows, until it learns nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from coworkdsl.operations import Undefined
from coworkdsl.run import Call, Run
from coworkdsl.world import Base, Fail, World
from cwkc.flow.arguments import Arguments
from cwkc.flow.knowledge import Knowledge, Source
from cwkc.flow.reads import is_true
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.execution import execute, result
from cwkc.meaning.types import ListOf, Reference, View, required
from cwkc.meaning.walk import statements, walk

MOST_CALLS = 1000
"""Of one tool in one round."""
MOST_PREPARATIONS = 60
"""Calls of one tool after each of which everything is tried again, with fewer calls."""
MOST_CALLS_PREPARED = 200

Made = tuple[typed.ToolDef, Mapping[str, Any]]
Tools = tuple[typed.ToolDef, ...]
Ids = tuple[str, ...]


class Exploration:
    """Calls tools as the meaning of their bodies says, each call in a world of its own, and keeps what is shown.

    `is_cut_off`: there was more to try before the first call that writes than is tried.
    """

    def __init__(self, task: typed.Task, knowledge: Knowledge, base: Base) -> None:
        """`base` is the state in which the agent looks around."""
        self.knowledge = knowledge
        self.calls = 0
        self.is_cut_off = False
        self._task = task
        self._base = base
        self._arguments = Arguments(task, knowledge, base)
        self._rules = [rule.condition for rule in task.forbids if isinstance(rule, typed.ForbidDef)]
        self._frames = [_grants(rule) for rule in task.forbids if isinstance(rule, typed.FrameDef)]
        self._named = {part.tool for rule in self._rules for part in walk(rule) if isinstance(part, typed.CallFact)}
        self._done: dict[tuple[Any, ...], Ids | None] = {}

    def stages(self) -> Iterator[None]:
        """Looks around, further at each step: with tools that change nothing, with all that show something, and again
        after each call that the rules allow and that changes something, as what a tool shows may depend on it."""
        readers = tuple(tool for tool in self._task.tools if tool.reads_only)
        showing = tuple(tool for tool in self._task.tools if reveals(tool))
        self._look(readers, ())
        yield
        self._look(showing, ())
        yield
        for tool in self._task.tools:
            if not tool.reads_only:
                self._look_after(tool, readers, showing)
        yield

    def _look_after(self, tool: typed.ToolDef, readers: Tools, showing: Tools) -> None:
        for arguments in islice(self._arguments.of(tool, frozenset()), MOST_PREPARATIONS):
            before = self.knowledge.size
            if self._call(tool, arguments, ()) is not None:
                self._look(readers, ((tool, arguments),))
            if self.knowledge.size > before:
                self._look(showing, ())

    def _look(self, tools: Tools, prepared: tuple[Made, ...]) -> None:
        size = -1
        while size != self.knowledge.size:
            size = self.knowledge.size
            for tool in tools:
                self._try(tool, prepared)

    def _try(self, tool: typed.ToolDef, prepared: tuple[Made, ...]) -> None:
        """Calls a tool in every way that may show something new, as long as there is something left to show."""
        hidden = self._hidden(tool)
        if hidden is not None and not hidden:
            return
        untried = (each for each in self._arguments.of(tool, hidden) if _key(tool, each, prepared) not in self._done)
        for number, arguments in enumerate(untried):
            if number == (MOST_CALLS_PREPARED if prepared else MOST_CALLS):
                self.is_cut_off |= not prepared
                return
            seen = self._call(tool, arguments, prepared)
            if hidden is not None and seen:
                hidden = hidden - set(seen) | self._still_hidden(tool, hidden & set(seen))
                if not hidden:
                    return

    def _hidden(self, tool: typed.ToolDef) -> frozenset[str] | None:
        """The ids of the records of the tool's kind that it would show more of; None when it returns no records."""
        kind = shown_by(tool)
        if kind is None:
            return None
        rows = (self._base.view().rows(store) for store in self._task.records[kind[0]].stores)
        return self._still_hidden(tool, (id for held in rows for id, _ in held))

    def _still_hidden(self, tool: typed.ToolDef, ids: Iterable[str]) -> frozenset[str]:
        kind = shown_by(tool)
        assert kind is not None, "only what shows records can hide some"
        record, fields = kind[0], kind[1] or tuple(self._task.records[kind[0]].fields)
        shown = self.knowledge.shown
        return frozenset(id for id in ids if any((record, id, name) not in shown for name in fields))

    def _call(self, tool: typed.ToolDef, arguments: Mapping[str, Any], prepared: tuple[Made, ...]) -> Ids | None:
        """Calls, if that was not done before, and learns from the answer: the ids of the records that it shows; None
        where the call is refused or breaks a rule."""
        key = _key(tool, arguments, prepared)
        if key not in self._done:
            self.calls += 1
            self._done[key] = self._made(tool, arguments, prepared)
        return self._done[key]

    def _made(self, tool: typed.ToolDef, arguments: Mapping[str, Any], prepared: tuple[Made, ...]) -> Ids | None:
        world = World(self._base)
        try:
            for other, values in prepared:
                execute(other, values, world)
            value = execute(tool, arguments, world)
        except (Fail, Undefined):
            return None
        world.commit()
        return self._learn(tool, value, world) if self._is_allowed(tool, arguments, value, world) else None

    def _is_allowed(self, tool: typed.ToolDef, arguments: Mapping[str, Any], value: Any, world: World) -> bool:
        """Whether a run of this call alone breaks no rule."""
        if not world.log and tool.name not in self._named:
            return True
        answer = result(tool.returns, value, world)
        call = Call(0, tool.wire_name, tool.name, dict(arguments), True, None, answer)
        run = Run(self._base.view(), world, (call,), ())
        truths = {name: truth.value for name, truth in self._task.truths.items()}
        scope = Scope(world=run.final, start=run.start, run=run, now=self._task.now, truths=truths)
        return not any(map(run.frame, self._frames)) and not any(is_true(rule, scope) for rule in self._rules)

    def _learn(self, tool: typed.ToolDef, value: Any, world: World) -> Ids:
        kind = shown_by(tool)
        if kind is None:
            self.knowledge.learn(value, Source.READ)
            return ()
        record, fields = kind
        found = [(id, world.find(record, id)) for id in (value if isinstance(value, tuple) else (value,))]
        for id, row in found:
            if row is not None:
                shown = row.items() if fields is None else ((name, row[name]) for name in fields)
                self.knowledge.show(tool.wire_name, record, id, shown)
        return tuple(id for id, row in found if row is not None)


# ---------------------------------------------------------------------------- tools and rules


def _key(tool: typed.ToolDef, arguments: Mapping[str, Any], prepared: tuple[Made, ...]) -> tuple[Any, ...]:
    return tuple((other.name, *values.items()) for other, values in (*prepared, (tool, arguments)))


def shown_by(tool: typed.ToolDef) -> tuple[str, tuple[str, ...] | None] | None:
    """The record that a tool shows, and which of its fields, None being all; None when it returns no records."""
    kind = required(tool.returns) if tool.returns is not None else None
    if isinstance(kind, ListOf):
        kind = required(kind.item)
    if isinstance(kind, View):
        return kind.record, kind.fields
    return (kind.record, None) if isinstance(kind, Reference) else None


def reveals(tool: typed.ToolDef) -> bool:
    """Whether an answer can hold more than the caller wrote: what a tool reads, or a record that was there before."""
    if tool.returns is None:
        return False
    body = tuple(statements(tool.body))
    made = {each.name for each in body if isinstance(each, typed.Insert)}
    written = [each.value for s in body if isinstance(s, typed.Insert) for each in s.assignments]
    given = [each.value for each in body if isinstance(each, typed.Return)]
    return any(not isinstance(each, typed.Variable) or each.name not in made for each in given) or any(
        isinstance(part, typed.FieldOf | typed.StoreRecords | typed.Lookup) for each in written for part in walk(each)
    )


def _grants(frame: typed.FrameDef) -> tuple[tuple[str, ...], ...]:
    """What a frame allows, as the runtime takes it."""
    parts = ((each.kind, each.record, each.id, each.store, each.field) for each in frame.allowed)
    return tuple(tuple(part for part in each if part is not None) for each in parts)
