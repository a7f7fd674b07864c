"""Mutants that do more than the right run: one more write, or something forbidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cwkc.meaning import typed
from cwkc.meaning.types import EMAIL, Reference
from cwkc.meaning.walk import statements
from cwkc.prove.run import CallStep
from cwkc.rehearse.execute import Execution
from cwkc.rehearse.mutants import Mutant, Original
from cwkc.rehearse.readings import demands
from cwkc.rehearse.trials import Steps, shown_step


def extra_writes(original: Original) -> Iterator[Mutant]:
    """Each call that made a record once more, and made-up calls of each tool that writes."""
    frames = tuple(_frames(original.task))
    number = sum(isinstance(step, CallStep) for step in original.steps)

    def writes(execution: Execution) -> bool:
        """Whether the added call changed anything."""
        return any(write.before != write.after for write in execution.run.writes_of(number))

    for step in _inserting(original):
        yield Mutant("extra write", f"{shown_step(step)} once more", (original.adding(step),), frames, writes)
    for tool in original.task.tools:
        for step in () if tool.reads_only else made_up(original, tool):
            yield Mutant("extra write", f"also {shown_step(step)}", (original.adding(step),), frames, writes)


def _frames(task: typed.Task) -> Iterator[int]:
    """The numbers of `only changes`."""
    before = len(demands(task))
    for number, forbid in enumerate(task.forbids):
        if isinstance(forbid, typed.FrameDef):
            yield before + number


def _inserting(original: Original) -> Iterator[CallStep]:
    """The first call of each tool that made a record."""
    seen: set[str] = set()
    for index, step in enumerate(original.steps):
        if isinstance(step, CallStep) and step.tool not in seen:
            writes = original.execution.run.writes_of(original.call_number(index))
            if any(write.kind == "insert" for write in writes):
                seen.add(step.tool)
                yield step


def made_up(original: Original, tool: typed.ToolDef) -> Iterator[CallStep]:
    """A call of a tool on records that the right run leaves alone; where it sets fields, a call for each of them."""
    samples = original.samples
    chosen = dict(_untouched(original, tool))
    sets = any(isinstance(statement, typed.Set) for statement in statements(tool.body))
    optional = {name: each for name, each in tool.parameters.items() if sets and not each.required}
    given = [{name: value} for name, each in optional.items() for value in samples.values(each.type)[:1]]
    for fields in given or [{}]:
        call = samples.call(tool, **chosen, **fields)
        if call is not None:
            yield call


def _untouched(original: Original, tool: typed.ToolDef) -> Iterator[tuple[str, Any]]:
    """For the records and the addresses that a tool must have: those that the right run does not speak of."""
    used = tuple(_used(original))
    for name, parameter in tool.parameters.items():
        if parameter.required and (isinstance(parameter.type, Reference) or parameter.type == EMAIL):
            values = original.samples.values(parameter.type)
            yield from ((name, value) for value in [each for each in values if each not in used][:1])


def _used(original: Original) -> Iterator[Any]:
    for step in original.steps:
        if isinstance(step, CallStep):
            yield from step.arguments.values()


# ---------------------------------------------------------------------------- what is forbidden


def forbidden(original: Original, violations: Mapping[int, Steps]) -> Iterator[Mutant]:
    """The right run and, before it ends, the calls that violate a forbid. `violations`: by a forbid's number, a run
    that violates it; one that does so by what it says has no place in another run."""
    before = len(demands(original.task))
    for number, steps in violations.items():
        if all(isinstance(step, CallStep) for step in steps):
            what = f"also {', '.join(map(shown_step, steps))}"
            runs = (original.adding(*steps),)
            yield Mutant("forbidden call", what, runs, (before + number,), _violating(number))


def _violating(number: int) -> Callable[[Execution], bool]:
    def violates(execution: Execution) -> bool:
        return not execution.score.forbids[number].held

    return violates
