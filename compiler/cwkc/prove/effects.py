"""What a call does to the world: its tool's body, run once with symbolic arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.types import Reference
from cwkc.meaning.walk import statements
from cwkc.prove import values
from cwkc.prove.terms import FALSE, TRUE, Term, conjunction, disjunction, negation
from cwkc.prove.values import Known, Symbolic, Value


@frozen
class FieldWrite:
    name: str
    value: Value
    guard: Term


@frozen
class Effect:
    """One write, under `guard`. `kind` is `insert`, `set` or `delete`; `store` is that of an insert; `target` is the
    code of the record's id; `minted` tells an id that only the execution decides."""

    kind: str
    record: str
    store: str | None
    target: Term
    guard: Term
    fields: tuple[FieldWrite, ...] = ()
    minted: bool = False


@frozen
class Effects:
    """`fails`: the conditions under which the call is refused."""

    writes: tuple[Effect, ...]
    fails: tuple[Term, ...]


@frozen
class Footprint:
    """What a tool may write at all: the stores that it inserts into (with `at`, an id of the caller's choice), the
    fields that it sets, the records that it deletes."""

    inserts: frozenset[str]
    places: frozenset[str]
    sets: frozenset[tuple[str, str]]
    deletes: frozenset[str]


def footprint(tool: typed.ToolDef) -> Footprint:
    body = tuple(statements(tool.body))
    inserts = [statement for statement in body if isinstance(statement, typed.Insert)]
    return Footprint(
        frozenset(insert.store for insert in inserts),
        frozenset(insert.store for insert in inserts if insert.id is not None),
        frozenset(
            (statement.record, assignment.field)
            for statement in body
            if isinstance(statement, typed.Set)
            for assignment in statement.assignments
        ),
        frozenset(statement.record for statement in body if isinstance(statement, typed.Delete)),
    )


def named_by(tool: typed.ToolDef, record: str, stores: Sequence[str], field: str | None) -> str | None:
    """The parameter that names the record which a tool writes, if it is always the same one: of the sets of one field
    or, without a field, of deletes, and of inserts at an id."""
    names: set[str | None] = set()
    for statement in statements(tool.body):
        match statement:
            case typed.Set(record=written) if written == record and field is not None:
                if any(assignment.field == field for assignment in statement.assignments):
                    names.add(_parameter(statement.target))
            case typed.Delete(record=written) if written == record and field is None:
                names.add(_parameter(statement.target))
            case typed.Insert(store=store, id=typed.Expr() as id) if store in stores:
                names.add(_parameter(id))
    return names.pop() if len(names) == 1 else None


def _parameter(expr: typed.Expr) -> str | None:
    if isinstance(expr, typed.Lookup):
        return _parameter(expr.key)
    return expr.name if isinstance(expr, typed.Variable) and expr.kind == "parameter" else None


class Machine(Protocol):
    """What running a body needs from whoever encodes."""

    def evaluate(self, expr: typed.Expr, names: Mapping[str, Value], touched: frozenset[str]) -> Value:
        """The value of an expression just before the call; what lies in a `touched` record may have changed since."""
        ...

    def mint(self) -> Term:
        """The code of a new record."""
        ...

    def code(self, id: str) -> Term:
        """The code of an id."""
        ...

    def present(self, record: str, id: Term) -> Term:
        """Whether a record is there just before the call, when it was there at some time."""
        ...


class _Performance:
    """One run of a body: where it has got to, and what it did on the way."""

    def __init__(self, task: typed.Task, arguments: Mapping[str, Value], machine: Machine) -> None:
        self.task = task
        self.machine = machine
        self.names = dict(arguments)
        self.alive = TRUE
        self.touched: frozenset[str] = frozenset()
        self.writes: list[Effect] = []
        self.fails: list[Term] = []

    def run(self, body: Iterable[typed.Stmt]) -> None:
        for statement in body:
            if self.alive == FALSE:
                return
            self._step(statement)

    def _step(self, statement: typed.Stmt) -> None:
        match statement:
            case typed.Let():
                self.names[statement.name] = self._value(statement.value)
            case typed.Return():
                self.alive = FALSE
            case typed.Fail():
                self._fail(statement)
            case typed.If():
                self._branch(statement)
            case typed.Insert():
                self._insert(statement)
            case typed.Set():
                self._set(statement)
            case typed.Delete():
                for guard, target in self._targets(statement.target, statement.record):
                    self._write(Effect("delete", statement.record, None, target, guard))

    def _value(self, expr: typed.Expr) -> Value:
        return self.machine.evaluate(expr, self.names, self.touched)

    def _write(self, effect: Effect) -> None:
        self.writes.append(effect)
        self.touched |= {effect.record}

    def _holds(self, expr: typed.Expr) -> Term:
        return values.holds(values.truth_of, self._value(expr))

    def _fail(self, statement: typed.Fail) -> None:
        condition = TRUE if statement.when is None else self._holds(statement.when)
        self.fails.append(conjunction(self.alive, condition))
        if condition == TRUE:
            self.alive = FALSE

    def _branch(self, statement: typed.If) -> None:
        condition = self._holds(statement.condition)
        alive, touched = self.alive, self.touched
        ends, written = [], touched
        for guard, body in ((condition, statement.then), (negation(condition), statement.otherwise)):
            self.alive, self.touched = conjunction(alive, guard), touched
            self.run(body)
            ends.append(self.alive)
            written |= self.touched
        self.alive, self.touched = disjunction(*ends), written

    def _writes_of(self, assignments: Iterable[typed.Assignment]) -> Iterable[FieldWrite]:
        for assignment in assignments:
            value = self._value(assignment.value)
            guard = negation(values.is_null(value)) if assignment.if_given else TRUE
            if guard != FALSE:
                yield FieldWrite(assignment.field, value, guard)

    def _insert(self, statement: typed.Insert) -> None:
        record = self.task.stores[statement.store].record
        written = {write.name: write for write in self._writes_of(statement.assignments)}
        fields = tuple(
            self._with_default(definition, written.get(name))
            for name, definition in self.task.records[record].fields.items()
        )
        minted = statement.id is None
        targets = [(TRUE, self.machine.mint())] if statement.id is None else self._terms(self._value(statement.id))
        for guard, target in targets:
            guard = conjunction(self.alive, guard)
            self._write(Effect("insert", record, statement.store, target, guard, fields, minted))
        if statement.name is not None:
            type = Reference(record)
            self.names[statement.name] = values.guarded((guard, Symbolic(term, type)) for guard, term in targets)

    @staticmethod
    def _with_default(definition: typed.FieldDef, write: FieldWrite | None) -> FieldWrite:
        default = values.known(definition.default)
        if write is None:
            return FieldWrite(definition.name, default, TRUE)
        return FieldWrite(definition.name, values.choose(write.guard, write.value, default), TRUE)

    def _set(self, statement: typed.Set) -> None:
        fields = tuple(self._writes_of(statement.assignments))
        if fields:
            for guard, target in self._targets(statement.target, statement.record):
                self._write(Effect("set", statement.record, None, target, guard, fields))

    def _targets(self, expr: typed.Expr, record: str) -> list[tuple[Term, Term]]:
        return [
            (conjunction(self.alive, guard, self.machine.present(record, target)), target)
            for guard, target in self._terms(self._value(expr))
        ]

    def _terms(self, value: Value) -> list[tuple[Term, Term]]:
        """The codes that an id may have, each under its guard; null is none."""
        found = []
        for guard, leaf in value.cases:
            if isinstance(leaf, Symbolic):
                found.append((guard, leaf.term))
            elif isinstance(leaf, Known) and isinstance(leaf.value, str):
                found.append((guard, self.machine.code(leaf.value)))
        return found


def perform(task: typed.Task, tool: typed.ToolDef, arguments: Mapping[str, Value], machine: Machine) -> Effects:
    """The effects and the refusals of one call."""
    performance = _Performance(task, arguments, machine)
    performance.run(tool.body)
    return Effects(tuple(performance.writes), tuple(performance.fails))
