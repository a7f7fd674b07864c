"""What an expression reads and a situation can change, and how it is to be changed for the expression to have a value.

`put` sets what is read, `valued` says what a situation gives, `solved` works backwards through arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from attrs import evolve, field, frozen

from coworkdsl import operations, text
from coworkdsl.operations import Undefined, elements
from cwkc.meaning import typed
from cwkc.meaning.evaluator import OPERATIONS, Scope, evaluate
from cwkc.meaning.types import DATETIME, ListOf, required
from cwkc.meaning.walk import children
from cwkc.rehearse.situations import ANY, MadeUp, Situation, Words, plain

Valued = tuple[Any, Situation]
Holding = Callable[[typed.Expr, bool, "Stage"], Iterator[Situation]]


@frozen
class Reads:
    """Whether an expression reads anything that a run can change, whether anything that an agent sends, and the
    variables that stand in it unbound."""

    changes: bool
    is_sent: bool
    free: frozenset[str]


@frozen(eq=False)
class Stage:
    """Where an expression stands. `scope`: the initial world, and what is bound. `locals`: what the names of a tool's
    body stand for. `place` tells the new records of one element from those of another. `holding` makes a condition
    true or false: it stands on what is here, and what is here on it. `given` is what is to be the case already."""

    made_up: MadeUp
    scope: Scope
    holding: Holding
    given: Situation = ANY
    locals: Mapping[str, typed.Expr] = field(factory=dict)
    place: str = "new"
    _reads: dict[int, Reads] = field(factory=dict)
    _values: dict[tuple[Any, ...], Any] = field(factory=dict)

    def bound(self, variable: typed.Variable, value: Any) -> Stage:
        scope, place = self.scope.bind(variable.name, value), f"{self.place}-{value}"
        return Stage(self.made_up, scope, self.holding, self.given, self.locals, place, self._reads, self._values)

    def under(self, situation: Situation) -> Stage:
        """Where a situation is given too."""
        if situation is ANY:
            return self
        given = self.given | situation
        return Stage(self.made_up, self.scope, self.holding, given, self.locals, self.place, self._reads, self._values)

    def of_a_call(self) -> Stage:
        """Where the arguments are those of another call, of which nothing is given."""
        return evolve(self, given=evolve(self.given, arguments={})) if self.given.arguments else self

    def having(self, name: str, value: typed.Expr) -> Stage:
        return evolve(self, locals={**self.locals, name: value})

    def is_fixed(self, expr: typed.Expr) -> bool:
        """Whether the expression has one value in all situations."""
        reads = self._reads_of(expr)
        return not reads.changes and reads.free <= self.scope.variables.keys()

    def _reads_of(self, expr: typed.Expr) -> Reads:
        found = self._reads.get(id(expr))
        if found is None:
            found = self._reads[id(expr)] = self._read(expr)
        return found

    def _read(self, expr: typed.Expr) -> Reads:
        if isinstance(expr, typed.Variable):
            return Reads(expr.kind != "bound", expr.kind != "bound", frozenset((expr.name,)))
        below = [self._reads_of(child) for child in children(expr) if child is not getattr(expr, "variable", None)]
        free = frozenset().union(*(each.free for each in below))
        if isinstance(expr, typed.Binder | typed.Sum):
            free -= {expr.variable.name}
        is_sent = isinstance(expr, _SENT) or any(each.is_sent for each in below)
        changes = is_sent or isinstance(expr, _RECORDS) or any(each.changes for each in below)
        return Reads(changes and not isinstance(expr, typed.Start), is_sent, free)

    def is_known(self, expr: typed.Expr) -> bool:
        """Whether the expression has a value at the start."""
        reads = self._reads_of(expr)
        return not reads.is_sent and reads.free <= self.scope.variables.keys()

    def value(self, expr: typed.Expr) -> Any:
        """The value of an expression at the start; null where it has none."""
        if isinstance(expr, typed.Constant):
            return expr.value
        if isinstance(expr, typed.Truth):
            return self.scope.truths[expr.name]
        if isinstance(expr, typed.Variable):
            return self.scope.variables[expr.name]
        variables = self.scope.variables
        key = (id(expr), *(repr(variables[name]) for name in self._reads_of(expr).free))
        if key not in self._values:
            try:
                self._values[key] = evaluate(expr, self.scope)
            except Undefined:
                self._values[key] = None
        return self._values[key]


_RECORDS = (typed.FieldOf, typed.Lookup, typed.StoreRecords)
_SENT = (typed.Answer, typed.Said, typed.CallFact, typed.Before)


# ---------------------------------------------------------------------------- records


def record_of(expr: typed.Expr, stage: Stage) -> tuple[str | None, Situation]:
    """The id of the record that a reference is to name, and the situation in which it does."""
    if isinstance(expr, typed.Truth | typed.Constant) or (isinstance(expr, typed.Variable) and expr.kind == "bound"):
        id = stage.value(expr) if stage.is_fixed(expr) else None
        return (id if isinstance(id, str) else None), ANY
    match expr:
        case typed.IdOf(base=base):
            return record_of(base, stage)
        case typed.Variable(kind="local", name=name):
            return record_of(stage.locals[name], stage) if name in stage.locals else (None, ANY)
        case typed.Variable(kind="parameter" | "argument", name=name, type=type):
            id = stage.given.arguments.get(name)
            if isinstance(id, str):
                return id, ANY
            id = stage.made_up.value(type, name)
            return (id, Situation(arguments={name: id})) if isinstance(id, str) else (None, ANY)
        case typed.Lookup(store=store, key=key):
            id, situation = valued(key, stage)
            if isinstance(id, str) and not stage.made_up.is_kept(id, store):
                situation |= Situation(records={id: store})
            return id if isinstance(id, str) else None, situation
        case typed.FieldOf(record=record, name=name):
            return _referred(expr, record, name, stage)
        case typed.Binder(quantifier="only" | "all") | typed.First():
            return _described(expr.binder if isinstance(expr, typed.First) else expr, stage)
    return None, ANY


def _referred(expr: typed.FieldOf, record: str, name: str, stage: Stage) -> tuple[str | None, Situation]:
    """The record that another one's field names; where it names none, it is made to."""
    value, situation = valued(expr, stage)
    if isinstance(value, str):
        return value, situation
    other = stage.made_up.value(expr.type, name)
    owner, situation = record_of(expr.base, stage)
    if not isinstance(other, str) or owner is None:
        return None, situation
    return other, situation | Situation(fields={(record, owner, name): other})


def _described(expr: typed.Binder, stage: Stage) -> tuple[str | None, Situation]:
    """A new record of which a description holds."""
    if not isinstance(expr.source, typed.StoreRecords):
        return None, ANY
    id, situation = new_record(expr.source, expr.variable, stage)
    if expr.where is not None:
        situation |= next(stage.holding(expr.where, True, stage.bound(expr.variable, id)), ANY)
    return id, situation


def new_record(
    source: typed.StoreRecords, variable: typed.Variable, stage: Stage, number: int = 0
) -> tuple[str, Situation]:
    id = f"{stage.place}-{variable.name}-{number}"
    return id, Situation(records={id: source.store})


# ---------------------------------------------------------------------------- setting what is read


def put(expr: typed.Expr, value: Any, stage: Stage) -> Situation | None:
    """The situation in which what an expression reads has this value; None where it reads nothing that can be set."""
    match expr:
        case typed.Variable(kind="local", name=name):
            return put(stage.locals[name], value, stage) if name in stage.locals else None
        case typed.Variable(kind="parameter" | "argument", name=name):
            return Situation(arguments={name: value})
        case typed.FieldOf(base=base, record=record, name=name):
            id, situation = record_of(base, stage)
            return None if id is None else situation | Situation(fields={(record, id, name): value})
        case typed.Answer() | typed.Said():
            words = value if isinstance(value, Words) else (value,)
            return Situation(said=tuple(word for word in words if isinstance(word, str)))
    return None


def is_lever(expr: typed.Expr, stage: Stage) -> bool:
    if isinstance(expr, typed.Variable) and expr.kind == "local":
        return expr.name in stage.locals and is_lever(stage.locals[expr.name], stage)
    if isinstance(expr, typed.Variable):
        return expr.kind in ("parameter", "argument")
    return isinstance(expr, typed.FieldOf | typed.Answer | typed.Said)


def is_said(expr: typed.Expr, stage: Stage) -> bool:
    """Whether what is given says something of what the expression reads."""
    given = stage.given
    if given is ANY or stage.is_fixed(expr):
        return False
    match expr:
        case typed.Variable(kind="parameter" | "argument", name=name):
            return name in given.arguments
        case typed.Variable(kind="local", name=name):
            return name in stage.locals and is_said(stage.locals[name], stage)
        case typed.FieldOf(base=base, record=record, name=name):
            return (record, record_of(base, stage)[0], name) in given.fields
    return any(is_said(child, stage) for child in children(expr))


# ---------------------------------------------------------------------------- what a situation gives


def valued(expr: typed.Expr, stage: Stage) -> Valued:
    """A value that the expression can have, and the situation in which it has it."""
    if stage.is_fixed(expr):
        return stage.value(expr), ANY
    match expr:
        case typed.Variable(kind="local", name=name) if name in stage.locals:
            return valued(stage.locals[name], stage)
        case typed.Variable(kind="parameter" | "argument", name=name, type=type):
            if name in stage.given.arguments:
                return plain(stage.given.arguments[name]), ANY
            is_list = isinstance(required(type), ListOf)
            value = stage.made_up.sent(type) if is_list else stage.made_up.value(type, name)
            return value, Situation(arguments={name: value})
        case typed.FieldOf():
            return _field(expr, stage)
        case typed.Answer() | typed.Said():
            return "\n".join(stage.given.said) or None, ANY
        case typed.IdOf() | typed.Lookup() | typed.Binder(quantifier="only"):
            return record_of(expr, stage)
        case typed.Sum() | typed.Binder():
            return (stage.value(expr), ANY) if stage.is_known(expr) else _gathered(expr, stage)
        case typed.Apply() | typed.Arithmetic() | typed.Negate() | typed.Interpolation() | typed.ListDisplay():
            return _computed(expr, stage)
    return None, ANY


def _field(expr: typed.FieldOf, stage: Stage) -> Valued:
    """What the field holds; where it is empty, what it is to hold."""
    id, situation = record_of(expr.base, stage)
    if id is None:
        return None, situation
    key = (expr.record, id, expr.name)
    if key in stage.given.fields:
        return plain(stage.given.fields[key]), situation
    assert stage.scope.world is not None
    value = stage.scope.world.field(expr.record, id, expr.name)
    if value is None:
        value = stage.made_up.value(expr.type, expr.name, 1)
        situation |= Situation(fields={key: value})
    return value, situation


_TESTS = (typed.Compare, typed.TextTest, typed.Membership, typed.IsNull)


def is_so(expr: typed.Expr, stage: Stage) -> bool | None:
    """Whether a comparison or a test holds by what is given already; None where that says nothing of it."""
    if not isinstance(expr, _TESTS):
        return None
    values = []
    for part in children(expr):
        value, needed = valued(part, stage)
        if needed is not ANY:
            return None
        values.append(value)
    match expr:
        case typed.IsNull():
            return values[0] is None
        case typed.TextTest(test="lists"):
            return text.lists(values[0], tuple(values[1:]))
        case typed.TextTest(test=test) | typed.Compare(operator=test, ignore_case=False):
            return bool(OPERATIONS[test](*values))
        case typed.Compare(operator=operator):
            return operations.eq_ignoring_case(*values) is (operator == "==")
    return (operations.member_ignoring_case if expr.ignore_case else operations.member)(*values)


def _gathered(expr: typed.Sum | typed.Binder, stage: Stage) -> Valued:
    """What a sum, or a list, comes to over a list that is sent."""
    source, situation = valued(expr.source, stage)
    members = tuple(elements(source))
    if isinstance(expr, typed.Binder):
        return members, situation
    values = []
    for member in members:
        value, needed = valued(expr.value, stage.bound(expr.variable, member))
        values.append(value)
        situation |= needed
    return operations.total(tuple(values)), situation


def _computed(expr: typed.Expr, stage: Stage) -> Valued:
    values, situation = [], ANY
    for part in children(expr):
        value, needed = valued(part, stage)
        values.append(value)
        situation |= needed
    try:
        return _result(expr, values), situation
    except Undefined:
        return None, situation


def _result(expr: typed.Expr, values: Sequence[Any]) -> Any:
    match expr:
        case typed.Arithmetic(operator=name) | typed.Apply(function=name):
            return OPERATIONS[name](*values) if name in OPERATIONS else None
        case typed.Negate():
            return operations.neg(values[0])
        case typed.Interpolation():
            return operations.interpolate(*values)
    return tuple(values)


# ---------------------------------------------------------------------------- backwards


def solved(expr: typed.Expr, wanted: Any, stage: Stage) -> Iterator[Situation]:
    """Situations in which the expression has the value, as far as that can be worked out."""
    if stage.is_fixed(expr):
        return
    match expr:
        case typed.Variable(kind="local", name=name):
            if name in stage.locals:
                yield from solved(stage.locals[name], wanted, stage)
        case typed.Arithmetic():
            yield from _undone(expr, wanted, stage)
        case typed.Negate(operand=operand) | typed.Apply(function="abs" | "round" | "lower", arguments=(operand, *_)):
            back = operations.neg(wanted) if isinstance(expr, typed.Negate) else wanted
            yield from solved(operand, back, stage)
        case typed.Apply(function="date", arguments=(moment,)):
            if wanted is not None and not isinstance(wanted, datetime) and required(moment.type) == DATETIME:
                yield from solved(moment, datetime.combine(wanted, time(12), stage.scope.now.tzinfo), stage)
        case typed.Apply(function="len", arguments=(text,)):
            if isinstance(wanted, int) and wanted >= 0 and not isinstance(required(text.type), ListOf):
                yield from solved(text, "x" * wanted, stage)
        case _:
            situation = put(expr, wanted, stage)
            if situation is not None:
                yield situation


def _undone(expr: typed.Arithmetic, wanted: Any, stage: Stage) -> Iterator[Situation]:
    """The one side is given, and the other one worked out from it."""
    sides = ((expr.left, expr.right), (expr.right, expr.left))
    for at, (open_side, other) in enumerate(sides):
        if stage.is_fixed(open_side):
            continue
        given, needed = valued(other, stage)
        try:
            back = _inverse(expr.operator, at == 0, wanted, given)
        except Undefined:
            continue
        if back is not None:
            yield from (needed | situation for situation in solved(open_side, _whole(back, open_side), stage))
            return


def _inverse(operator: str, is_left: bool, wanted: Any, given: Any) -> Any:
    """x for `x operator given`, or for `given operator x`."""
    match operator, is_left:
        case "+", _:
            return operations.sub(wanted, given)
        case "-", True:
            return operations.add(wanted, given)
        case "-", False:
            return operations.sub(given, wanted)
        case "*", _:
            return operations.div(wanted, given)
        case "/", True:
            return operations.mul(wanted, given)
    return operations.div(given, wanted)


def _whole(value: Any, of: typed.Expr) -> Any:
    """A number as its place can hold it: whole where it must be."""
    if str(required(of.type)) == "int" and not isinstance(value, int | timedelta):
        return int(value)
    return value
