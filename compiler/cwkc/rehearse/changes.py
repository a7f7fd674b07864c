"""Mutants of values: each argument that a check reads with another value, each text without one of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from attrs import evolve

from coworkdsl.text import read_number
from coworkdsl.values import decimal_text, parse_date, parse_datetime, to_wire
from cwkc.meaning import typed
from cwkc.meaning.calendar import moved
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    EMAIL,
    INT,
    TEXT,
    EnumType,
    ListOf,
    Reference,
    required,
)
from cwkc.prove.run import CallStep, SayStep
from cwkc.prove.witness import SEPARATOR
from cwkc.rehearse.deliveries import contracts_in, misdelivered
from cwkc.rehearse.mutants import Mutant, Original
from cwkc.rehearse.readings import Reading
from cwkc.rehearse.samples import CONTENTLESS, STRANGER
from cwkc.rehearse.trials import shown_step

KIND = "changed argument"
EMPTIED = "emptied words"
MOST_OTHERS = 4
"""Of so many other records one must be noticed in a record's place."""

FAR = 1_000_003


def changed(original: Original) -> Iterator[Mutant]:
    """Every argument, and every message, that a check or a requirement reads and asks for something."""
    for index, step in enumerate(original.steps):
        if isinstance(step, SayStep):
            asked = _asked(original.readings.of_words(step.ends))
            for what, text in _texts(step.text, asked):
                said = evolve(step, text=text)
                yield Mutant(KIND, f"an answer {what}", (original.replacing(index, said),), _rules(asked))
            continue
        tool = original.tools[step.tool]
        for name in step.arguments:
            asked = _asked(original.readings.of_argument(tool, name))
            if asked:
                yield from _argument(original, index, tool.parameters[name], asked)


def emptied(original: Original) -> Iterator[Mutant]:
    """Every call that writes and of whose words no check reads any, with words that say nothing: what is sent to the
    right one may not be empty. Where some of its words are read, the others are the agent's own."""
    for index, step in enumerate(original.steps):
        if not isinstance(step, CallStep) or not original.writes(index):
            continue
        tool = original.tools[step.tool]
        words = [name for name in step.arguments if required(tool.parameters[name].type) == TEXT]
        if not words or any(_asked(original.readings.of_argument(tool, name)) for name in words):
            continue
        others = [name for name in step.arguments if name not in words]
        asked = [each for name in others for each in _asked(original.readings.of_argument(tool, name))]
        empty = CallStep(step.tool, {**step.arguments, **dict.fromkeys(words, CONTENTLESS)})
        what = f"{shown_step(step)} with words that say nothing"
        yield Mutant(EMPTIED, what, (original.replacing(index, empty),), _rules(asked))


def _asked(found: Sequence[Reading]) -> tuple[Reading, ...]:
    return tuple(reading for reading in found if reading.is_asked)


def _rules(asked: Sequence[Reading]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(reading.rule for reading in asked))


def _argument(
    original: Original, index: int, parameter: typed.ParameterDef, asked: Sequence[Reading]
) -> Iterator[Mutant]:
    step = original.steps[index]
    assert isinstance(step, CallStep)
    value = step.arguments[parameter.name]

    def mutant(what: str, *values: Any) -> Mutant:
        runs = tuple(
            original.replacing(index, CallStep(step.tool, {**step.arguments, parameter.name: each})) for each in values
        )
        return Mutant(KIND, f"`{step.tool}` with `{parameter.name}` {what}", runs, _rules(asked))

    kind = required(parameter.type)
    if isinstance(kind, ListOf):
        for place, item in enumerate(value):
            yield mutant(f"without `{item}`", [*value[:place], *value[place + 1 :]])
        everything = original.samples.everything(kind)
        if set(everything) - set(value):
            yield mutant("of everything", everything)
    elif kind == TEXT:
        for what, text in _texts(value, asked):
            yield mutant(what, text)
    else:
        others = tuple(_others(original, parameter, value))
        if others:
            yield mutant("changed", *others)
        for other in _other_recipients(original, value)[:1] if kind == EMAIL else ():
            yield mutant(f"of `{other}`", other)


def _other_recipients(original: Original, value: str) -> list[str]:
    """The addresses to which the same run sends something else."""
    calls = (step for step in original.steps if isinstance(step, CallStep))
    used = {text for step in calls for text in step.arguments.values() if isinstance(text, str)}
    return [address for address in original.samples.addresses if address in used and address != value]


def _others(original: Original, parameter: typed.ParameterDef, value: Any) -> Iterator[Any]:
    """Other values of an argument's type, one of which must be noticed."""
    kind = required(parameter.type)
    if isinstance(kind, EnumType):
        yield from (other for other in kind.values if other != value)
    elif isinstance(kind, Reference):
        others = [other for other in original.samples.ids(kind.record) if other != value]
        yield from others[:MOST_OTHERS]
    elif kind == EMAIL:
        yield STRANGER
    elif kind == BOOL:
        yield not value
    elif kind in (INT, DECIMAL):
        yield from (value + FAR, value - FAR, value + 1, value - 1)
    elif kind == DATE:
        yield from (to_wire(each) for each in _other_days(parse_date(value)))
    elif kind == DATETIME:
        yield from (to_wire(each) for each in _other_days(parse_datetime(value)))


def _other_days(moment: date | datetime) -> Iterator[date | datetime]:
    for days in (1, -1, 800, -800):
        yield moved(moment, timedelta(days=days))


# ---------------------------------------------------------------------------- texts


def _texts(text: str, asked: Sequence[Reading]) -> Iterator[tuple[str, str]]:
    """Other texts, each with what was done to it."""
    if not asked:
        return
    yield "that says nothing", CONTENTLESS
    for contract in contracts_in(text, asked):
        yield from misdelivered(text, contract)
    pieces = text.split(SEPARATOR)
    for place, piece in enumerate(pieces) if len(pieces) > 1 else ():
        yield f"without `{piece}`", SEPARATOR.join([*pieces[:place], *pieces[place + 1 :]])
    for found in re.finditer(r"[^\s;,]+", text):
        number = found.group()
        for other in dict.fromkeys(_other_numbers(number, asked)) if read_number(number) is not None else ():
            yield f"with `{other}` for `{number}`", text[: found.start()] + other + text[found.end() :]


def _other_numbers(number: str, asked: Sequence[Reading]) -> Iterator[str]:
    """What may not stand in a number's place: where it is to be stated, the next whole number that is too far from it;
    where its digits are looked for, longer numbers that have them."""
    for reading in asked:
        if reading.test == "states" and reading.operands and read_number(number) == reading.operands[0]:
            yield decimal_text(Fraction(reading.operands[0] + reading.operands[1] + 1))
        elif reading.test in ("contains", "matches") and number.isdigit():
            yield from (f"1{number}", f"{number}0")
