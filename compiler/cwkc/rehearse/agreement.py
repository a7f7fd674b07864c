"""Whether emitted tools do what their bodies mean: agents read their answers, and graders do not.

The calls of the witness are made one after the other in the task's own world; then each tool is called in a small
made-up world, in situations that make each part of its body decide once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from coworkdsl import Pack, Run
from coworkdsl.operations import Undefined
from coworkdsl.script import ScriptedEvent
from coworkdsl.tools import Parameter, Refused, Result, Signature
from coworkdsl.world import Base, Fail, World
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.execution import execute, happen, result
from cwkc.meaning.facts import delivered_text
from cwkc.meaning.initial import descriptor, initial_state
from cwkc.prove.run import CallStep, Step
from cwkc.rehearse.cases import Case, cases, held, small_rows, spellings
from cwkc.rehearse.execute import Disagreement, EmittedCodeError
from cwkc.rehearse.samples import Samples
from cwkc.rehearse.situations import ANY, MadeUp


def require_evidence(task: typed.Task, pack: Pack, run: Run) -> None:
    """Compares what judges are shown as delivered by a run with what was. Raises EmittedCodeError and PackError."""
    scope = Scope(run.final, run.start, run, task.now)
    shown = {name: read(run) for name, read in pack.task(task.name).grader.deliverables.items()}
    promised = task.deliverables if task.judges else {}
    meant = {name: evaluate(delivered_text(each.path, each.span), scope) for name, each in promised.items()}
    if shown != meant:
        raise EmittedCodeError(task.name, "to show judges what was delivered", Disagreement(f"{shown} for {meant}"))


def require_agreement(task: typed.Task, pack: Pack, steps: Iterable[Step], samples: Samples) -> None:
    """Makes the calls of a run, and then some of each tool. Raises EmittedCodeError and PackError."""
    worlds = _Worlds(task, pack, task.rows)
    for number, step in enumerate(step for step in steps if isinstance(step, CallStep)):
        _require(task, step, partial(worlds.agree_on, step, number))
    rows = small_rows(task)
    made_up = MadeUp(task, rows, samples.addresses)
    small = _Worlds(task, pack, rows)
    for case in cases(task, made_up, rows):
        _require(task, case.step, partial(small.agree_in, case, made_up))
    for step in (step for tool in task.tools for step in spellings(tool, made_up)):
        _require(task, step, partial(small.read_alike, step))
    _require_script(task, pack)


def _require_script(task: typed.Task, pack: Pack) -> None:
    """Compares what the user knows and what events do, one event after the other. Raises EmittedCodeError."""
    script, worlds = pack.task(task.name).script, _Worlds(task, pack, task.rows)
    facts = [(fact.name, fact.text) for fact in script.facts]
    meant = [(fact.name, fact.words) for fact in (task.user.facts.values() if task.user else ())]
    disagreeing = [] if facts == meant else ["the facts"]
    disagreeing += [event.name for event in script.events if not worlds.agree_on_event(event)]
    if disagreeing or [event.name for event in script.events] != list(task.events):
        raise EmittedCodeError(task.name, "to follow its script", Disagreement(f"{disagreeing}"))


def _require(task: typed.Task, step: CallStep, agree: Callable[[], bool]) -> None:
    try:
        agreed = agree()
    except Exception as error:  # whatever a tool raises, it should not have
        raise EmittedCodeError(task.name, "in a tool", error) from error
    if not agreed:
        what = Disagreement(f"`{step.tool}` with {dict(step.arguments)}")
        raise EmittedCodeError(task.name, "to do what its tools say", what)


class _Worlds:
    """Two worlds with one history: what emitted tools make of it, and what the meaning of their bodies does."""

    def __init__(self, task: typed.Task, pack: Pack, rows: Iterable[typed.RowDef]) -> None:
        self._task = task
        self._tools = {tool.wire_name: tool for tool in task.tools}
        self._signatures = {tool.wire_name: _signature(tool) for tool in task.tools}
        self._offered = pack.task(task.name).offered
        base = pack.task(task.name).base
        self._bases = (
            base if rows is task.rows else Base(base.layout, held(rows), task.now),
            initial_state(task.records, task.stores, rows, task.now),
        )
        self._emitted, self._meant = map(World, self._bases)

    def agree_in(self, case: Case, made_up: MadeUp) -> bool:
        """Whether a call shows and writes the same in both, where the records lie as they are to lie; where they lie
        as they do, it is made twice."""
        self._emitted, self._meant = map(World, self._bases)
        for world in (self._emitted, self._meant):
            world.begin(0)
            case.situation.write(world, made_up)
            world.commit()
        return all(self.agree_on(case.step, number) for number in ((1, 2) if case.situation is ANY else (1,)))

    def read_alike(self, step: CallStep) -> bool:
        """Whether the arguments of a call are refused by both, or mean the same to both."""
        signatures = (self._offered[step.tool].signature, self._signatures[step.tool])
        emitted, meant = (_values(each, step, self._meant) for each in signatures)
        return emitted == meant

    def agree_on(self, step: CallStep, number: int) -> bool:
        """Whether a call shows and writes the same in both."""
        tool, offered, signature = self._tools[step.tool], self._offered[step.tool], self._signatures[step.tool]

        def emitted(world: World) -> Result:
            return offered.function(world, *_read(offered.signature, step, world))

        def meant(world: World) -> Result:
            arguments = dict(zip(signature.names, _read(signature, step, world), strict=True))
            return result(tool.returns, execute(tool, arguments, world), world)

        shown = _answer(emitted, self._emitted, number)
        return shown == _answer(meant, self._meant, number) and self._emitted.log == self._meant.log

    def agree_on_event(self, event: ScriptedEvent) -> bool:
        """Whether an event comes on the same occasion, writes the same and lets the user say the same in both."""
        defined = self._task.events[event.name]
        truths = {name: truth.value for name, truth in self._task.truths.items()}
        for world in (self._emitted, self._meant):
            world.begin(-1, event.name)
        if event.at is not None:
            self._emitted.now = max(event.at, self._emitted.now)
        said = event.act(self._emitted), happen(defined, self._meant, truths)
        for world in (self._emitted, self._meant):
            world.commit()
        occasions = (event.at, event.turn, event.silent, event.ends, event.when is not None)
        meant = (defined.time, defined.turn, defined.silent, defined.ends, defined.condition is not None)
        return said[0] == said[1] and occasions == meant and self._emitted.log == self._meant.log


def _signature(tool: typed.ToolDef) -> Signature:
    return Signature(
        tuple(
            Parameter(each.name, descriptor(each.type), each.required, each.default)
            for each in tool.parameters.values()
        )
    )


def _read(signature: Signature, step: CallStep, world: World) -> list[Any]:
    """The values of a call's arguments. Raises Refused."""
    values = signature.read(dict(step.arguments))
    signature.require_records(values, world)
    return values


def _values(signature: Signature, step: CallStep, world: World) -> list[Any] | str:
    """The values of a call's arguments, or the code of the refusal."""
    try:
        return _read(signature, step, world)
    except Refused as refused:
        return refused.code


def _answer(call: Callable[[World], Result], world: World, number: int) -> dict[str, Any] | str:
    """What a tool shows, or the code of its error."""
    world.begin(number)
    try:
        shown = call(world).wire()
    except (Refused, Fail, Undefined) as refused:
        world.rollback()
        return refused.code
    world.commit()
    return shown
