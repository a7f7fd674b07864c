"""Benign variants of the run that earns everything: what another agent may do that is just as right."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from coworkdsl.text import read_number
from coworkdsl.values import decimal_text, to_wire
from cwkc.meaning import typed
from cwkc.meaning.types import EMAIL, TEXT, ListOf, required
from cwkc.meaning.walk import statements, walk
from cwkc.prove.run import CallStep, SayStep, Step
from cwkc.rehearse.deliveries import contracts_in, laid_out_otherwise
from cwkc.rehearse.mutants import Original
from cwkc.rehearse.readings import DELIVERS, Reading, conditions, rules
from cwkc.rehearse.sweep import reads_of
from cwkc.rehearse.trials import Steps

TOLERANT = frozenset(("contains", "mentions_any", "mentions_all", "states", "lists"))
"""The tests on texts for which case, width, white space and the spelling of numbers do not count."""

Text = Callable[[str, Sequence[Reading]], str]


@frozen(eq=False)
class Variant:
    """`what` is other, in words. `parts` are variants that do only some of it, to find out which of it costs."""

    what: str
    steps: Steps
    parts: tuple[Variant, ...] = ()


def variants(original: Original) -> Iterator[Variant]:
    """Those that there are anything to vary for."""
    for variant in (
        _extra_reads(original),
        _refused_calls(original),
        _other_order(original, True),
        _other_order(original, False),
        _defaults_spelled_out(original),
        _defaults_left_out(original),
        *(_respelled(original, what, change) for what, change in SPELLINGS.items()),
        _addresses_in_capitals(original),
    ):
        if variant is not None and variant.steps != original.steps:
            yield variant


# ---------------------------------------------------------------------------- reads


def _extra_reads(original: Original) -> Variant | None:
    """One more call of each tool that only reads and that no rule could rule out, as far as the limits allow."""
    ruled_out = frozenset(_ruled_out(original.task))
    room = _room(original)
    calls = []
    for tool in original.task.tools:
        if tool.reads_only and tool.name not in ruled_out:
            calls += list(reads_of(tool, original.samples))[:1]
    parts = tuple(Variant(f"with one more call of `{call.tool}`", (call, *original.steps)) for call in calls[:room])
    return Variant("that reads more", (*calls[:room], *original.steps), parts) if parts else None


def _refused_calls(original: Original) -> Variant:
    """Calls without their arguments, which are refused and count for nothing but a `tried`."""
    tried = {
        part.tool
        for condition in conditions(original.task)
        for part in walk(condition)
        if isinstance(part, typed.CallFact) and part.verb == "tried"
    }
    calls = [
        CallStep(tool.wire_name, {})
        for tool in original.task.tools
        if tool.name not in tried and any(parameter.required for parameter in tool.parameters.values())
    ]
    room = _room(original)
    parts = tuple(Variant(f"with a call of `{call.tool}` that is refused", (call, *original.steps)) for call in calls)
    return Variant("with calls that are refused", (*calls[:room], *original.steps), parts[:room])


def _room(original: Original) -> int:
    """How many more calls the limits allow, each in a turn of its own, whatever faults may hit."""
    limits, faults = original.task.limits, original.task.faults
    used = len(original.steps)
    repeats = sum(fault.call is not None for fault in faults)
    tries = 1 if repeats == len(faults) else 2
    allowed = ((limits[name] - repeats) // tries - used for name in ("turns", "calls") if name in limits)
    return max(0, min(allowed, default=used + 50))


def _ruled_out(task: typed.Task) -> Iterator[str]:
    """Tools that a rule could rule out: those in forbids, those of which a rule counts the calls, those negated."""
    for rule in rules(task):
        if isinstance(rule, typed.FrameDef):
            continue
        is_forbid = isinstance(rule, typed.ForbidDef)
        for part in walk(rule.condition):
            if is_forbid or isinstance(part, typed.Not | typed.Apply | typed.Compare | typed.Binder | typed.Before):
                yield from (fact.tool for fact in walk(part) if isinstance(fact, typed.CallFact))


# ---------------------------------------------------------------------------- order


def _other_order(original: Original, is_read: bool) -> Variant | None:
    """The calls that only read, or those that write, in reverse within each turn, where none of them can matter to
    another: between turns events happen."""
    places = [
        index
        for index, step in enumerate(original.steps)
        if isinstance(step, CallStep) and original.tools[step.tool].reads_only == is_read
    ]
    if is_read:
        ordered = frozenset(_ordered(original.task))
        places = [index for index in places if _tool(original, index).name not in ordered]
    elif not _are_independent(original, places):
        return None
    steps = list(original.steps)
    for turn in _by_turn(original.steps, places):
        for place, other in zip(turn, reversed(turn), strict=True):
            steps[place] = original.steps[other]
    return Variant(f"whose {'reads' if is_read else 'writes'} come in another order", tuple(steps))


def _by_turn(steps: Steps, places: Sequence[int]) -> Iterator[list[int]]:
    ends = [index for index, step in enumerate(steps) if isinstance(step, SayStep) and step.ends]
    for _, turn in groupby(places, key=lambda place: bisect(ends, place)):
        yield list(turn)


def _tool(original: Original, index: int) -> typed.ToolDef:
    step = original.steps[index]
    assert isinstance(step, CallStep)
    return original.tools[step.tool]


def _ordered(task: typed.Task) -> Iterator[str]:
    """The tools whose order a rule speaks of, and those that an event waits for."""
    for condition in conditions(task):
        for part in walk(condition):
            if isinstance(part, typed.Before):
                yield from (part.first.tool, part.second.tool)
    for awaited in (event.condition for event in task.events.values() if event.condition is not None):
        yield from (part.tool for part in walk(awaited) if isinstance(part, typed.CallFact))


def _are_independent(original: Original, places: Sequence[int]) -> bool:
    """Whether none of these calls reads what another writes, and no rule speaks of their order or of the state that
    they meet."""
    ordered = frozenset(_ordered(original.task))
    tools = [_tool(original, index) for index in places]
    if any(tool.name in ordered for tool in tools) or _meets_state(original.task, frozenset(t.name for t in tools)):
        return False
    written = [frozenset(record for record in _written(tool, original.task)) for tool in tools]
    read = [frozenset(_read(tool, original.task)) for tool in tools]
    writes = original.execution.run.writes
    made = {write.id for write in writes if write.kind == "insert" and not write.event}
    if any(value in made for index in places for value in _values(original.steps[index])):
        return False
    return not any(
        written[one] & read[other] or _overwrites(written[one] & written[other], tools[one], tools[other])
        for one in range(len(places))
        for other in range(len(places))
        if one != other
    )


def _meets_state(task: typed.Task, tools: frozenset[str]) -> bool:
    """Whether a rule reads the state in which a call of one of the tools was made."""
    return any(
        isinstance(fact, typed.CallFact)
        and fact.tool in tools
        and any(isinstance(part, typed.StoreRecords | typed.Lookup) for part in walk(fact))
        for condition in conditions(task)
        for fact in walk(condition)
    )


def _overwrites(records: frozenset[str], one: typed.ToolDef, other: typed.ToolDef) -> bool:
    """Whether two tools that write the same records can undo each other's work: those that only add cannot."""
    return bool(records) and any(not isinstance(part, typed.Insert) for tool in (one, other) for part in _writes(tool))


def _writes(tool: typed.ToolDef) -> Iterator[typed.Insert | typed.Set | typed.Delete]:
    for statement in statements(tool.body):
        if isinstance(statement, typed.Insert | typed.Set | typed.Delete):
            yield statement


def _written(tool: typed.ToolDef, task: typed.Task) -> Iterator[str]:
    for statement in _writes(tool):
        yield task.stores[statement.store].record if isinstance(statement, typed.Insert) else statement.record


def _read(tool: typed.ToolDef, task: typed.Task) -> Iterator[str]:
    """The records that a tool reads, its own result aside."""
    for part in (part for statement in statements(tool.body) for expr in _decisive(statement) for part in walk(expr)):
        if isinstance(part, typed.FieldOf):
            yield part.record
        elif isinstance(part, typed.StoreRecords | typed.Lookup):
            yield task.stores[part.store].record


def _decisive(statement: typed.Stmt) -> Iterator[typed.Expr]:
    """The expressions of a statement on which more depends than what the tool returns."""
    match statement:
        case typed.If(condition=condition):
            yield condition
        case typed.Fail(when=when) if when is not None:
            yield when
        case typed.Let(value=value):
            yield value
        case typed.Insert(assignments=assignments) | typed.Set(assignments=assignments):
            yield from (assignment.value for assignment in assignments)


def _values(step: Step) -> Iterator[Any]:
    for value in step.arguments.values() if isinstance(step, CallStep) else ():
        yield from value if isinstance(value, list) else (value,)


# ---------------------------------------------------------------------------- defaults


def _defaults_spelled_out(original: Original) -> Variant:
    def spelled(step: Step) -> Step:
        if not isinstance(step, CallStep):
            return step
        parameters = original.tools[step.tool].parameters
        defaults = {name: to_wire(each.default) for name, each in parameters.items() if not each.required}
        return CallStep(step.tool, {**defaults, **step.arguments})

    return Variant("that spells out what it could leave out", tuple(map(spelled, original.steps)))


def _defaults_left_out(original: Original) -> Variant:
    def short(step: Step) -> Step:
        if not isinstance(step, CallStep):
            return step
        parameters = original.tools[step.tool].parameters
        given = {
            name: value
            for name, value in step.arguments.items()
            if parameters[name].required or value != to_wire(parameters[name].default)
        }
        return CallStep(step.tool, given)

    return Variant("that leaves out what is the default", tuple(map(short, original.steps)))


# ---------------------------------------------------------------------------- spellings


def _respelled(original: Original, what: str, change: Text) -> Variant | None:
    """Every text that may be spelled otherwise, spelled otherwise."""
    parts = []
    steps = list(original.steps)
    for index, step in enumerate(original.steps):
        other = _respelled_step(original, step, change)
        if other != step:
            steps[index] = other
            parts.append(Variant(what, original.replacing(index, other)))
    return Variant(what, tuple(steps), tuple(parts)) if parts else None


def _respelled_step(original: Original, step: Step, change: Text) -> Step:
    """Texts may be spelled otherwise where all that reads them are tests for which the spelling does not count. An
    answer is for people to read, so that it may have words around it, unless a pattern says what it looks like."""
    if isinstance(step, SayStep):
        if step.only_waits:
            return step
        found = original.readings.of_words(step.ends)
        is_free = change is _in_a_sentence and all(reading.test not in ("matches", DELIVERS) for reading in found)
        return evolve(step, text=change(step.text, found)) if is_free or _may_change(found, change) else step
    tool = original.tools[step.tool]
    arguments = dict(step.arguments)
    for name, value in step.arguments.items():
        found = original.readings.of_argument(tool, name)
        if tool.parameters[name].type == TEXT and _may_change(found, change):
            arguments[name] = change(value, found)
    return CallStep(step.tool, arguments)


def _may_change(found: Sequence[Reading], change: Text) -> bool:
    """What is delivered may be laid out otherwise, and no more than that."""
    allowed = (DELIVERS,) if change is _in_another_layout else TOLERANT
    return bool(found) and all(reading.test in allowed for reading in found)


def _in_capitals(text: str, _: Sequence[Reading]) -> str:
    return text.upper()


def _in_full_width(text: str, _: Sequence[Reading]) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def _spaced(text: str, _: Sequence[Reading]) -> str:
    return f"  {text} ".replace(" ", " \n ")


def _in_a_sentence(text: str, _: Sequence[Reading]) -> str:
    return f"So: {text}."


def _in_another_layout(text: str, found: Sequence[Reading]) -> str:
    for contract in contracts_in(text, found):
        text = laid_out_otherwise(text, contract)
    return text


def _numbers_in_full(text: str, found: Sequence[Reading]) -> str:
    """Each number that the text has to state, as `1,240.50`."""
    wanted = {reading.operands[0] for reading in found if reading.test == "states" and reading.operands}
    spelled = {re.escape(word) for reading in found if reading.test != "states" for word in _spelled(reading)}

    def other(token: re.Match[str]) -> str:
        value = read_number(token.group())
        if value is None or value not in wanted or re.escape(token.group()) in spelled:
            return token.group()
        return _in_full(value)

    return re.sub(r"(?<![^\s;])\d[\d.,]*\d(?![^\s;])|(?<![^\s;])\d(?![^\s;])", other, text)


def _spelled(reading: Reading) -> Iterator[str]:
    """The words that another test looks for, which have to stay as they are."""
    for operand in reading.operands or ():
        for text in operand if isinstance(operand, tuple) else (operand,):
            yield from str(text).split()


def _in_full(value: Fraction) -> str:
    """`1,240.50`; a number that is no whole number of hundredths stays as it is."""
    whole, hundredths = divmod(value * 100, 100)
    return f"{whole:,}.{int(hundredths):02}" if hundredths.denominator == 1 else decimal_text(value)


SPELLINGS: dict[str, Text] = {
    "that writes in capitals": _in_capitals,
    "that writes in full width": _in_full_width,
    "with other white space in its texts": _spaced,
    "with words around its texts": _in_a_sentence,
    "that writes its numbers in full": _numbers_in_full,
    "that lays out what it delivers otherwise": _in_another_layout,
}


def _addresses_in_capitals(original: Original) -> Variant:
    def other(step: Step) -> Step:
        if not isinstance(step, CallStep):
            return step
        parameters = original.tools[step.tool].parameters
        arguments = dict(step.arguments)
        for name, value in step.arguments.items():
            kind = required(parameters[name].type)
            if kind == EMAIL:
                arguments[name] = value.upper()
            elif kind == ListOf(EMAIL):
                arguments[name] = [item.upper() for item in value]
        return CallStep(step.tool, arguments)

    return Variant("that writes addresses in capitals", tuple(map(other, original.steps)))
