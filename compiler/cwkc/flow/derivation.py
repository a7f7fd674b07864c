"""Whether a value can be worked out from what is known, and what is missing where it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from attrs import frozen

from coworkdsl.operations import WEEKDAYS
from coworkdsl.text import read_number
from coworkdsl.values import parse_date
from cwkc.flow.knowledge import Knowledge, Source
from cwkc.flow.needs import Demand, Every, Need
from cwkc.flow.reads import Read, initial_scope, matching, reads, value_of
from cwkc.flow.words import FEWEST_DIGITS, digits
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.events import scope_behind
from cwkc.meaning.types import EMAIL, TEXT, EnumType, ListOf, Reference, Type, required
from cwkc.meaning.walk import children

NEAR = timedelta(days=31)
"""How far from the clock a day may be that an agent names without having read it: tomorrow, next Monday."""
SHORTEST_TEXT = 3
CONVERSIONS = frozenset({100, 365, 1000, 3600})
"""Numbers with which per cent, years, thousands and seconds are worked out."""
_CLOCK_TIME = re.compile(r"\d{1,2}:\d\d(:\d\d)?")


@frozen(eq=False)
class Missing:
    """`value` cannot be learned: a field of a record or its id (`read`), or what the author wrote (`read` is None).
    `chosen`: the truth or description whose records are chosen by that field. `expr` is where it is needed."""

    expr: typed.Expr
    value: Any
    read: Read | None = None
    chosen: typed.Expr | None = None


class Derivation:
    def __init__(self, task: typed.Task, knowledge: Knowledge) -> None:
        self._task = task
        self._knowledge = knowledge
        self._start = initial_scope(task)
        self._truths: dict[str, tuple[Missing, ...]] = {}

    def of(self, demand: Demand) -> tuple[Missing, ...] | None:
        """What is missing for a demand; None when nothing could satisfy it, whatever is known."""
        if isinstance(demand, Need):
            return tuple(self._value(demand.expr, demand.scope))
        found = [self.of(part) for part in demand.parts]
        if isinstance(demand, Every):
            whole = [each for each in found if each is not None]
            return tuple(missing for each in whole for missing in each) if len(whole) == len(found) else None
        return min((each for each in found if each is not None), key=len, default=None)

    def _value(self, expr: typed.Expr, scope: Scope) -> Iterator[Missing]:
        """What is missing for the value of an expression; nothing when it is known as it is."""
        value = value_of(expr, scope)
        if self._is_told(value, expr.type):
            return
        match expr:
            case typed.Constant() | typed.Variable():
                yield from self._member(expr, value, expr.type)
            case typed.Truth():
                yield from self._truth(expr)
            case typed.FieldOf():
                yield from self._field(expr, value, scope)
            case typed.IdOf():
                yield from self._value(expr.base, scope)
            case typed.Binder() | typed.First():
                yield from self._records(expr, value, scope)
            case typed.Sum():
                yield from self._sum(expr, scope)
            case _ if not self._stands(value, expr.type, Source.READ):
                for child in children(expr):
                    yield from self._operand(child, scope)

    def _operand(self, expr: typed.Expr, scope: Scope) -> Iterator[Missing]:
        """What is missing for a part of a computation. How an answer is laid out is not asked for, nor what everybody
        knows to reckon with."""
        if isinstance(expr, typed.Constant):
            is_layout = required(expr.type) == TEXT and not expr.value.strip(" ,;:.-#()")
            if is_layout or expr.value in CONVERSIONS:
                return
        yield from self._value(expr, scope)

    # ------------------------------------------------------------------------ truths, fields, records

    def _truth(self, expr: typed.Truth) -> Iterator[Missing]:
        if expr.name not in self._truths:
            truth = self._task.truths[expr.name]
            self._truths[expr.name] = tuple(self._value(truth.expr, scope_behind(self._task, truth, self._start)))
        for missing in self._truths[expr.name]:
            chosen = missing.chosen and (missing.chosen if isinstance(missing.chosen, typed.Truth) else expr)
            yield Missing(expr, missing.value, missing.read, chosen)

    def _field(self, expr: typed.FieldOf, value: Any, scope: Scope) -> Iterator[Missing]:
        """A field that was shown, of a record that can be told; or its value, from somewhere else."""
        id = value_of(expr.base, scope)
        if id is None:
            return
        if (expr.record, id, expr.name) in self._knowledge.shown:
            yield from self._value(expr.base, scope)
        elif not self._stands(value, expr.type, Source.ANY):
            yield Missing(expr, value, Read(expr.record, id, expr.name, value))

    def _records(self, expr: typed.Binder | typed.First, value: Any, scope: Scope) -> Iterator[Missing]:
        """The records of a description: their ids, and the fields by which they are chosen."""
        binder = expr.binder if isinstance(expr, typed.First) else expr
        yield from self._source(binder, scope)
        for each in value if isinstance(value, tuple) else (value,):
            yield from self._member(expr, each, binder.variable.type)
        yield from self._choice(expr, scope)

    def _sum(self, expr: typed.Sum, scope: Scope) -> Iterator[Missing]:
        yield from self._source(expr, scope)
        for value, inner in matching(expr, scope):
            yield from self._member(expr, value, expr.variable.type)
            yield from self._value(expr.value, inner)
        yield from self._choice(expr, scope)

    def _source(self, expr: typed.Binder | typed.Sum, scope: Scope) -> Iterator[Missing]:
        """What a table is read from; of records, each is known by itself."""
        if not isinstance(required(expr.variable.type), Reference):
            yield from self._value(expr.source, scope)

    def _member(self, expr: typed.Expr, value: Any, type: Type) -> Iterator[Missing]:
        if not self._is_known(value, type):
            yield Missing(expr, value, _identity(type, value))

    def _choice(self, expr: typed.Expr, scope: Scope) -> Iterator[Missing]:
        for read in dict.fromkeys(reads(expr, scope)):
            if read.chooses and not self._is_visible(read):
                yield Missing(expr, read.value, read, expr)

    def _is_visible(self, read: Read) -> bool:
        """Whether it can be seen that a record is one of those chosen: by that field, or by its value elsewhere."""
        if read.name is None or self._knowledge.has_column(read.record, read.name):
            return True
        return self._stands(read.value, self._task.records[read.record].fields[read.name].type, Source.READ)

    # ------------------------------------------------------------------------ values

    def _is_told(self, value: Any, type: Type) -> bool:
        """Whether the request, a policy or `given` gives the value away, so that nothing has to be learned. A word of a
        closed list stands there for what is sought, not for what is found."""
        return not isinstance(required(type), EnumType) and self._stands(value, type, Source.TOLD)

    def _is_known(self, value: Any, type: Type) -> bool:
        """Whether an agent can come by a value that stands in no field: by reading it, or without."""
        core = required(type)
        if isinstance(value, tuple):
            item = core.item if isinstance(core, ListOf) else core
            return all(self._is_known(each, item) for each in value)
        if value is None or isinstance(value, bool | timedelta | dict) or isinstance(core, EnumType):
            return True
        return self._needs_no_reading(value, core) or self._stands(value, core, Source.ANY)

    def _needs_no_reading(self, value: Any, core: Type) -> bool:
        if isinstance(value, datetime):
            return abs(value - self._task.now) <= NEAR
        if isinstance(value, date):
            return abs(value - self._task.now.date()) <= NEAR
        if isinstance(value, int | Fraction):
            return digits(value) < FEWEST_DIGITS
        if isinstance(core, Reference) or core == EMAIL:
            return False
        return self._is_commonplace(value)

    def _is_commonplace(self, text: str) -> bool:
        """Whether a text is too short to tell anything, a time of day, a weekday, or a number or day of that kind."""
        words = text.strip()
        if len(words) < SHORTEST_TEXT or _CLOCK_TIME.fullmatch(words) or words.casefold() in WEEKDAYS:
            return True
        number = read_number(words)
        if number is not None:
            return digits(number) < FEWEST_DIGITS or self._knowledge.has_number(number)
        try:
            day = parse_date(words)
        except ValueError:
            return False
        return self._needs_no_reading(day, TEXT) or self._knowledge.has_date(day)

    def _stands(self, value: Any, type: Type, source: Source) -> bool:
        """Whether a value is written somewhere in what is known; of a list, each member."""
        core = required(type)
        if isinstance(value, tuple):
            item = core.item if isinstance(core, ListOf) else core
            return bool(value) and all(self._stands(each, item, source) for each in value)
        if isinstance(value, date):
            return self._knowledge.has_date(value.date() if isinstance(value, datetime) else value, source)
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return self._knowledge.has_number(value, source)
        if not isinstance(value, str):
            return False
        if isinstance(core, Reference) or core == EMAIL:
            return self._knowledge.has_handle(value, source)
        return self._knowledge.has_text(value, source)


def _identity(type: Type, value: Any) -> Read | None:
    """Of a record's id, that it is what is to be read."""
    core = required(type)
    return Read(core.record, value, None, value) if isinstance(core, Reference) and isinstance(value, str) else None


def distinct(found: Iterable[Missing]) -> Iterator[Missing]:
    """One for each value that is missing, the first one; of a record that cannot be found at all, that alone."""
    everything = tuple(found)
    lost = {_key(missing) for missing in everything if missing.read is not None and missing.read.name is None}
    seen: set[tuple[Any, ...]] = set()
    for missing in everything:
        key = _key(missing)
        if key not in seen and (key in lost or key[:2] not in lost):
            seen.add(key)
            yield missing


def _key(missing: Missing) -> tuple[Any, ...]:
    read = missing.read
    if read is None:
        return (missing.value,)
    return (read.record, read.id) if read.name is None else (read.record, read.id, read.name)
