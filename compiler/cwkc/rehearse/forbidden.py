"""Mutants that do one thing more which a forbid rules out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from coworkdsl.operations import Undefined
from coworkdsl.values import to_wire
from cwkc.meaning import typed
from cwkc.meaning.evaluator import evaluate
from cwkc.meaning.types import EMAIL, TEXT, EnumType, ListOf, Reference, Type, required
from cwkc.meaning.walk import walk
from cwkc.prove.run import CallStep
from cwkc.rehearse.execute import Execution
from cwkc.rehearse.mutants import Mutant, Original
from cwkc.rehearse.readings import is_closed, start_of
from cwkc.rehearse.samples import CONTENTLESS, STRANGER

MOST_TRIES = 16
"""So many calls are tried before it is left open whether a forbid can be violated."""


def forbidden(original: Original) -> Iterator[Mutant]:
    """For each forbid one more call that it rules out: the first that violates it, of those made up from its words."""
    before = len(original.task.checks) + len(original.task.requirements)
    for number, forbid in enumerate(original.task.forbids):
        if isinstance(forbid, typed.ForbidDef):
            tries = islice(_tries(original, forbid.condition), MOST_TRIES)
            runs = [original.adding(call) for call in tries]
            what = f"with something that `{forbid.label}` rules out"
            yield Mutant("forbidden call", what, runs, (before + number,), _violating(number))


def _violating(number: int) -> Callable[[Execution], bool]:
    def violates(execution: Execution) -> bool:
        return not execution.score.forbids[number].held

    return violates


def _tries(original: Original, condition: typed.Expr) -> Iterator[CallStep]:
    """Calls of the tools that a condition names, or else of those that write what it reads, with its own values."""
    known = tuple(_known(original, condition))
    named = {part.tool for part in walk(condition) if isinstance(part, typed.CallFact)}
    fields = {("field", part.record, part.name) for part in walk(condition) if isinstance(part, typed.FieldOf)}
    for tool in original.task.tools:
        flows = original.readings.flows[tool.name]
        matters = {name for name, flow in flows.items() if flow.written & fields}
        if tool.name in named:
            matters |= {part.name for part in walk(condition) if isinstance(part, typed.Variable)}
            matters |= {part.parameter for part in _patterns(condition)}
        elif named or not matters or tool.reads_only:
            continue
        yield from _calls(original, tool, matters, known)


def _patterns(condition: typed.Expr) -> Iterator[typed.Pattern]:
    for part in walk(condition):
        if isinstance(part, typed.CallFact):
            yield from part.patterns


def _calls(
    original: Original, tool: typed.ToolDef, matters: set[str], known: Sequence[tuple[Type, Any]]
) -> Iterator[CallStep]:
    """Calls with each combination of the values that could matter."""
    names = [name for name in tool.parameters if name in matters]
    choices = [_choices(original, tool.parameters[name].type, known) for name in names]
    for values in product(*choices):
        call = original.samples.call(tool, **dict(zip(names, values, strict=True)))
        if call is not None:
            yield call


def _choices(original: Original, type: Type, known: Sequence[tuple[Type, Any]]) -> list[Any]:
    """Values for a parameter: what the condition speaks of, and what it may not expect."""
    kind = required(type)
    item = kind.item if isinstance(kind, ListOf) else kind
    own = [to_wire(value) for other, value in known if required(other) == item]
    if item == TEXT:
        own = ["; ".join(own), CONTENTLESS]
    elif item == EMAIL:
        own = [STRANGER, *own]
    elif isinstance(item, Reference):
        own += [id for id in original.samples.ids(item.record) if id not in own][:2]
    elif isinstance(item, EnumType):
        own += [value for value in item.values if value not in own]
    else:
        own += original.samples.values(item)
    return [[value] for value in own] if isinstance(kind, ListOf) else own


def _known(original: Original, condition: typed.Expr) -> Iterator[tuple[Type, Any]]:
    """The values that a condition speaks of and that are known before the run, each once, with their types."""
    start = start_of(original.task)
    seen = set()
    for part in walk(condition):
        if not is_closed(part, start):
            continue
        try:
            value = evaluate(part, start)
        except Undefined:
            continue
        kind = required(part.type)
        pairs = [(kind.item, each) for each in value] if isinstance(kind, ListOf) and value else [(kind, value)]
        for pair in pairs:
            if pair[1] is not None and not isinstance(pair[1], tuple | dict) and pair not in seen:
                seen.add(pair)
                yield pair
