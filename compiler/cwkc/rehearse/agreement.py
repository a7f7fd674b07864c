"""Whether emitted code is what the task says, where no score tells: the tables of the grader, and what tools show.

Some calls of each tool are made beside the meaning of the tools' bodies, since agents read their answers and graders do
not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from coworkdsl import Pack, Run
from coworkdsl.operations import Undefined
from coworkdsl.script import ScriptedEvent
from coworkdsl.tools import Parameter, Refused, Result, Signature
from coworkdsl.world import Fail, World
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.execution import execute, happen, result
from cwkc.meaning.facts import delivered_text
from cwkc.meaning.initial import descriptor, initial_state
from cwkc.meaning.types import DATE, TEXT, required
from cwkc.prove.run import CallStep, Step
from cwkc.rehearse.execute import EmittedCodeError
from cwkc.rehearse.samples import Samples

MOST_VALUES = 2
"""So many values of each parameter are tried, one parameter at a time."""

MOST_READ = 2000
"""So many records, all calls together, may be read: the meaning of a tool is worked out slowly."""


class Disagreement(Exception):
    """Emitted code is other than it should be; the message names the place."""


def require_tables(task: typed.Task, pack: Pack) -> None:
    """Compares the amounts in the grader's tables with those of the task. Raises EmittedCodeError and PackError."""
    grader = pack.task(task.name).grader
    emitted = [(rule.label, rule.weight) for rule in grader.checks]
    emitted += [(rule.label, rule.amount) for rule in grader.requirements]
    emitted += [("", rule.safety) for rule in grader.forbids]
    emitted += [(rubric.text, rubric.weight) for rubric in grader.rubrics]
    meant = [(rule.label, rule.weight) for rule in task.checks]
    meant += [(rule.label, rule.amount) for rule in task.requirements]
    meant += [("", rule.safety) for rule in task.forbids]
    meant += [(judge.rubric, judge.weight) for judge in task.judges]
    if emitted != meant:
        raise EmittedCodeError(task.name, "to list its rules", Disagreement(f"{emitted} for {meant}"))


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
    worlds = _Worlds(task, pack)
    calls = (step for step in steps if isinstance(step, CallStep))
    most = MOST_READ // max(1, len(task.rows))
    for number, step in enumerate((*calls, *islice(probes(task, samples), most))):
        try:
            agree = worlds.agree_on(step, number)
        except Exception as error:  # whatever a tool raises, it should not have
            raise EmittedCodeError(task.name, "in a tool", error) from error
        if not agree:
            what = Disagreement(f"`{step.tool}` with {dict(step.arguments)}")
            raise EmittedCodeError(task.name, "to do what its tools say", what)
    _require_script(task, pack)


def _require_script(task: typed.Task, pack: Pack) -> None:
    """Compares what the user knows and what events do, one event after the other. Raises EmittedCodeError."""
    script, worlds = pack.task(task.name).script, _Worlds(task, pack)
    facts = [(fact.name, fact.text) for fact in script.facts]
    meant = [(fact.name, fact.words) for fact in (task.user.facts.values() if task.user else ())]
    disagreeing = [] if facts == meant else ["the facts"]
    disagreeing += [event.name for event in script.events if not worlds.agree_on_event(event)]
    if disagreeing or [event.name for event in script.events] != list(task.events):
        raise EmittedCodeError(task.name, "to follow its script", Disagreement(f"{disagreeing}"))


class _Worlds:
    """Two worlds with one history: what emitted tools make of it, and what the meaning of their bodies does."""

    def __init__(self, task: typed.Task, pack: Pack) -> None:
        self._task = task
        self._tools = {tool.wire_name: tool for tool in task.tools}
        self._signatures = {tool.wire_name: _signature(tool) for tool in task.tools}
        self._offered = pack.task(task.name).offered
        self._emitted = World(pack.task(task.name).base)
        self._meant = World(initial_state(task.records, task.stores, task.rows, task.now))

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


def probes(task: typed.Task, samples: Samples) -> Iterator[CallStep]:
    """Calls of each tool that differ in one argument: those that read, and then those that write, twice, so that they
    meet what they wrote."""
    reads = [call for tool in task.tools if tool.reads_only for call in _calls(tool, samples)]
    writes = [call for tool in task.tools if not tool.reads_only for call in _calls(tool, samples)]
    yield from (*reads, *writes, *writes)


def _calls(tool: typed.ToolDef, samples: Samples) -> Iterator[CallStep]:
    choices = {name: _values(tool, each, samples) for name, each in tool.parameters.items()}
    first = {name: choices[name][0] for name, each in tool.parameters.items() if each.required and choices[name]}
    calls = [samples.call(tool, **first)]
    for name, values in choices.items():
        others = values[1:MOST_VALUES] if name in first else values[:MOST_VALUES]
        calls += [samples.call(tool, **{**first, name: value}) for value in others]
    return (call for call in calls if call is not None)


def _values(tool: typed.ToolDef, parameter: typed.ParameterDef, samples: Samples) -> Sequence[Any]:
    """Values of a parameter; where a search must have a text, first the one that finds everything."""
    kind = required(parameter.type)
    if kind == DATE:
        return samples.days or samples.values(kind)
    if kind == TEXT:
        texts = tuple(islice(samples.texts(parameter.name), MOST_VALUES))
        return ("", *texts) if tool.reads_only and parameter.required else (*texts, "")
    return samples.values(kind)
