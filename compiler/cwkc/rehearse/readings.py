"""What grading reads of a run, and whether it asks for it or rules it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from coworkdsl.operations import Undefined, elements
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate
from cwkc.meaning.initial import initial_view
from cwkc.meaning.types import ListOf, Reference
from cwkc.meaning.walk import children, walk
from cwkc.rehearse.flows import Flow, Place, flows

VALUE = "value"
"""The test of whatever is not read by a test on texts."""

DELIVERS = "delivers"
"""The test of what is delivered; its operand is the contract."""

MOST_BOUND = 12
"""Of so many values of a binder's list the operands are worked out."""


Rule = typed.CheckDef | typed.RequireDef | typed.ForbidDef | typed.FrameDef


@frozen
class Reading:
    """`operands`: the values of the test's operands, None where they depend on the run. `is_asked`: a rule can hold
    because of it; else it only rules something out. `rule` is the rule's number: see `rules`."""

    rule: int
    place: Place
    test: str
    operands: tuple[Any, ...] | None
    is_asked: bool


@frozen(eq=False)
class Readings:
    """What a task's grading reads, and where the arguments of its tools go. `start`: the initial world, with the
    truths."""

    start: Scope
    all: tuple[Reading, ...]
    flows: Mapping[str, Mapping[str, Flow]]

    def of_argument(self, tool: typed.ToolDef, parameter: str) -> tuple[Reading, ...]:
        """The readings that an argument can matter to."""
        flow = self.flows[tool.name][parameter]
        places = flow.written | {("argument", tool.name, parameter)}
        found = tuple(reading for reading in self.all if reading.place in places)
        chosen = (reading for reading in self.all if reading.place in flow.chosen)
        return found + tuple(evolve(reading, test=VALUE, operands=None) for reading in chosen)

    def of_words(self, ends: bool) -> tuple[Reading, ...]:
        """The readings that a message can matter to."""
        places = (("answer",), ("said",)) if ends else (("said",),)
        return tuple(reading for reading in self.all if reading.place in places)


def readings(task: typed.Task) -> Readings:
    scope = _start_of(task)
    found: dict[Reading, None] = {}
    for number, rule in enumerate(rules(task)):
        if not isinstance(rule, typed.FrameDef):
            sign = -1 if isinstance(rule, typed.ForbidDef) else 1
            found.update(dict.fromkeys(_read(rule.condition, _Reader(scope, number, sign))))
    return Readings(scope, tuple(found), {tool.name: flows(tool, task.stores) for tool in task.tools})


def rules(task: typed.Task) -> tuple[Rule, ...]:
    """Everything that a score depends on, as the score lists it."""
    return (*task.checks, *task.requirements, *task.forbids)


def demands(task: typed.Task) -> tuple[typed.CheckDef | typed.RequireDef, ...]:
    """The rules that ask for something: the first of all rules."""
    return (*task.checks, *task.requirements)


def conditions(task: typed.Task) -> Iterator[typed.Expr]:
    """The conditions of all rules that have one."""
    for rule in rules(task):
        if not isinstance(rule, typed.FrameDef):
            yield rule.condition


def _start_of(task: typed.Task) -> Scope:
    start = initial_view(task.records, task.stores, task.rows, task.now)
    truths = {name: truth.value for name, truth in task.truths.items()}
    return Scope(world=start, start=start, now=task.now, truths=truths)


_OF_THE_RUN = (typed.Answer, typed.Said, typed.CallFact, typed.Before, typed.Learned, typed.StoreRecords)


def is_closed(expr: typed.Expr, scope: Scope) -> bool:
    """Whether the expression has a value before the run, as far as the scope binds its variables."""
    for part in walk(expr):
        if isinstance(part, typed.Variable) and (part.kind != "bound" or part.name not in scope.variables):
            return False
        if isinstance(part, _OF_THE_RUN):
            return False
    return True


# ---------------------------------------------------------------------------- walking


@frozen
class _Reader:
    """`sign`: 1 where an expression is asked for, -1 where it is ruled out, 0 where it may be either. `tool`: whose
    arguments stand in the expression."""

    scope: Scope
    rule: int
    sign: int
    tool: str = ""

    def signed(self, factor: int) -> _Reader:
        return evolve(self, sign=self.sign * factor)

    def bound(self, name: str, value: Any) -> _Reader:
        return evolve(self, scope=self.scope.bind(name, value))

    def within(self, tool: str) -> _Reader:
        return evolve(self, tool=tool)

    def reading(self, place: Place, test: str = VALUE, operands: tuple[Any, ...] | None = None) -> Reading:
        return Reading(self.rule, place, test, operands, self.sign >= 0)


def _read(expr: typed.Expr, reader: _Reader) -> Iterator[Reading]:
    match expr:
        case typed.TextTest():
            yield from _tested(expr, reader)
        case typed.Delivered():
            yield from _delivered(expr, reader)
        case typed.Not():
            yield from _read(expr.operand, reader.signed(-1))
        case typed.Binder():
            yield from _bound(expr, reader)
        case typed.Sum():
            yield from _children(expr, reader.signed(0))
        case typed.Apply(function="count"):
            yield from _children(expr, reader.signed(0))
        case typed.CallFact():
            yield from _children(expr, reader.within(expr.tool))
        case _:
            place = _place(expr, reader)
            if place is not None:
                yield reader.reading(place)
            yield from _children(expr, reader)


def _children(expr: typed.Expr, reader: _Reader) -> Iterator[Reading]:
    for child in children(expr):
        yield from _read(child, reader)


def _place(expr: typed.Expr, reader: _Reader) -> Place | None:
    match expr:
        case typed.FieldOf(record=record, name=name):
            return "field", record, name
        case typed.Variable(name=name, kind="argument"):
            return "argument", reader.tool, name
        case typed.Answer():
            return ("answer",)
        case typed.Said():
            return ("said",)
        case typed.StoreRecords(type=ListOf(item=Reference(record=record))):
            return "record", record
        case _:
            return None


def _tested(expr: typed.TextTest, reader: _Reader) -> Iterator[Reading]:
    """The places of the subject are read by the test; those of the operands, and of whatever chooses the record whose
    field is the subject, by their values."""
    operands = _operands(expr, reader.scope)
    place = _place(expr.subject, reader)
    if place is None:
        places = (found for part in walk(expr.subject) if (found := _place(part, reader)) is not None)
        yield from (reader.reading(found, expr.test, operands) for found in places)
    else:
        yield reader.reading(place, expr.test, operands)
        yield from _children(expr.subject, reader)
    for operand in expr.operands:
        yield from _read(operand, reader)


def _delivered(expr: typed.Delivered, reader: _Reader) -> Iterator[Reading]:
    """The text is read as a contract; what that promises was read before the run."""
    place = _place(expr.subject, reader)
    assert place is not None, "what is delivered is a field or the answer"
    yield reader.reading(place, DELIVERS, (expr.contract,))
    yield from _children(expr.subject, reader)


def _operands(expr: typed.TextTest, scope: Scope) -> tuple[Any, ...] | None:
    if not all(is_closed(operand, scope) for operand in expr.operands):
        return None
    try:
        return tuple(evaluate(operand, scope) for operand in expr.operands)
    except Undefined:
        return None


_SIGNS = {"some": (1, 1), "no": (-1, -1), "every": (-1, 1), "each": (-1, 1), "all": (0, 0), "only": (0, 0)}
"""Of a binder's `where` and of its body."""


def _bound(expr: typed.Binder, reader: _Reader) -> Iterator[Reading]:
    in_where, in_body = _SIGNS[expr.quantifier]
    yield from _read(expr.source, reader.signed(in_where))
    if expr.order is not None:
        yield from _read(expr.order.key, reader.signed(0))
    for inner in _bindings(expr, reader):
        if expr.where is not None:
            yield from _read(expr.where, inner.signed(in_where))
        if expr.body is not None:
            yield from _read(expr.body, inner.signed(in_body))


def _bindings(expr: typed.Binder, reader: _Reader) -> tuple[_Reader, ...]:
    """The variable with each value of a list that is known before the run; else unbound."""
    if not is_closed(expr.source, reader.scope):
        return (reader,)
    try:
        values = elements(evaluate(expr.source, reader.scope))
    except Undefined:
        return (reader,)
    return tuple(reader.bound(expr.variable.name, value) for value in tuple(values)[:MOST_BOUND])
