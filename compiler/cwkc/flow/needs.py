"""What a full score needs an agent to know: the values that checks and requirements compare with what it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve, field, frozen

from cwkc.flow.footprint import Fixed
from cwkc.flow.reads import initial_scope, is_true, value_of
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope
from cwkc.meaning.patterns import literal_words
from cwkc.meaning.types import Type, required
from cwkc.meaning.walk import children

Rule = typed.CheckDef | typed.RequireDef


@frozen(eq=False)
class Need:
    """A value that the agent has to know: that of an expression which no run changes."""

    expr: typed.Expr
    scope: Scope = field(repr=False)


@frozen(eq=False)
class Every:
    parts: tuple[Demand, ...] = ()


@frozen(eq=False)
class Some:
    """One of the parts is enough; without any, nothing is."""

    parts: tuple[Demand, ...] = ()


Demand = Need | Every | Some

NOTHING = Every()


Demanded = tuple[tuple[Rule, Demand], ...]


def demands(task: typed.Task) -> Demanded:
    """What each check and each requirement needs."""
    return tuple(_demands(task))


def _demands(task: typed.Task) -> Iterator[tuple[Rule, Demand]]:
    reader, scope = _Reader(Fixed.of(task)), initial_scope(task)
    for check in task.checks:
        read = reader.share if check.share == "value" else reader.condition
        yield check, read(check.condition, scope)
    for requirement in task.requirements:
        yield requirement, reader.condition(requirement.condition, scope)


def needs(demand: Demand) -> Iterator[Need]:
    """Every value that may be needed, whichever way is taken."""
    if isinstance(demand, Need):
        yield demand
    else:
        for part in demand.parts:
            yield from needs(part)


@frozen(eq=False)
class _Reader:
    """Reads demands off conditions that are to become true. What a negation says needs nothing to be known."""

    fixed: Fixed

    def is_fixed(self, expr: typed.Expr, scope: Scope) -> bool:
        return self.fixed.holds(expr, frozenset(scope.variables))

    def condition(self, expr: typed.Expr, scope: Scope) -> Demand:
        """What has to be known for a condition to become true."""
        if self.is_fixed(expr, scope):
            return NOTHING if is_true(expr, scope) else Some()
        match expr:
            case typed.Logical(operator="and"):
                return _every(self.condition(part, scope) for part in (expr.left, expr.right))
            case typed.Logical():
                return Some(tuple(self.condition(part, scope) for part in (expr.left, expr.right)))
            case typed.Compare():
                return self._comparison(expr, scope)
            case typed.Membership():
                return self._membership(expr, scope)
            case typed.TextTest():
                return self._text_test(expr, scope)
            case typed.Delivered():
                return self._delivered(expr, scope)
            case typed.Binder():
                return self._binder(expr, scope)
            case typed.CallFact():
                return self._call(expr, scope)
            case typed.Before():
                return _every((self._call(expr.first, scope), self._call(expr.second, scope)))
            case typed.FieldOf() | typed.Lookup() | typed.Not():
                return self.target(expr, scope)
        return NOTHING

    def share(self, expr: typed.Expr, scope: Scope) -> Demand:
        """What has to be known for a number to be the whole of what it can be."""
        match expr:
            case typed.Apply(function="count"):
                return self._counted(expr.arguments[0], scope)
            case typed.Arithmetic() | typed.Apply():
                return _every(self.share(child, scope) for child in children(expr))
        return NOTHING

    def target(self, expr: typed.Expr, scope: Scope) -> Demand:
        """What has to be known to bring about another value of an expression: the records that it reads."""
        if self.is_fixed(expr, scope):
            return NOTHING
        match expr:
            case typed.FieldOf() if self.is_fixed(expr.base, scope):
                return Need(expr.base, scope)
            case typed.Lookup():
                return self._value(expr.key, scope)
            case typed.Binder() | typed.Sum() | typed.CallFact() | typed.Before() | typed.Start():
                return NOTHING
        return _every(self.target(child, scope) for child in children(expr))

    def _value(self, expr: typed.Expr, scope: Scope) -> Demand:
        """What has to be known for something to take the value of an expression."""
        if self.is_fixed(expr, scope):
            return Need(expr, scope)
        if isinstance(expr, typed.Interpolation | typed.ListDisplay | typed.Arithmetic):
            return _every(self._value(child, scope) for child in children(expr))
        return self.target(expr, scope)

    def _comparison(self, expr: typed.Compare, scope: Scope) -> Demand:
        if expr.operator == "==":
            return _every((self._value(expr.left, scope), self._value(expr.right, scope), self._enough(expr, scope)))
        return _every((self.target(expr.left, scope), self.target(expr.right, scope), self._enough(expr, scope)))

    def _enough(self, expr: typed.Compare, scope: Scope) -> Demand:
        """Of `count(…) >= n`: what one of those that are counted needs."""
        least = {">=": 1, ">": 0, "==": 1}.get(expr.operator)
        bound = value_of(expr.right, scope) if self.is_fixed(expr.right, scope) else None
        if least is None or not isinstance(bound, int) or bound < least:
            return NOTHING
        match expr.left:
            case typed.Apply(function="count", arguments=(typed.CallFact() as fact,)):
                return self._call(fact, scope)
            case typed.Apply(function="count", arguments=(typed.Binder(where=typed.Expr() as where) as counted,)):
                return NOTHING if self.is_fixed(counted.source, scope) else self.condition(where, scope)
        return NOTHING

    def _counted(self, expr: typed.Expr, scope: Scope) -> Demand:
        """Of a count as a share: what each of those needs that may be counted."""
        if isinstance(expr, typed.CallFact):
            return self._call(expr, scope)
        if isinstance(expr, typed.Binder) and expr.where is not None:
            return self._for_each(expr, expr.where, scope)
        return NOTHING

    def _membership(self, expr: typed.Membership, scope: Scope) -> Demand:
        if self.is_fixed(expr.right, scope):
            return _every((self.target(expr.left, scope), Some(tuple(_items(expr.right, scope)))))
        return _every((self._value(expr.left, scope), self.target(expr.right, scope)))

    def _text_test(self, expr: typed.TextTest, scope: Scope) -> Demand:
        subject = self.target(expr.subject, scope)
        if self.is_fixed(expr.subject, scope):
            return _every((subject, *(self.target(operand, scope) for operand in expr.operands)))
        if expr.test == "matches":
            return _every((subject, *self._spelled(expr.operands[0], scope)))
        if expr.test in ("contains", "states"):
            return _every((subject, self._value(expr.operands[0], scope)))
        words = [
            part
            for operand in expr.operands
            for part in (_items(operand, scope) if self.is_fixed(operand, scope) else [self.target(operand, scope)])
        ]
        return _every((subject, Some(tuple(words)) if expr.test == "mentions_any" else _every(words)))

    def _spelled(self, pattern: typed.Expr, scope: Scope) -> Iterator[Demand]:
        """The words that a pattern spells out: who does not know them does not hit on them."""
        if isinstance(pattern, typed.Constant) and isinstance(pattern.value, str):
            yield from (Need(evolve(pattern, value=word), scope) for word in literal_words(pattern.value))
        else:
            yield self.target(pattern, scope)

    def _delivered(self, expr: typed.Delivered, scope: Scope) -> Demand:
        """What is promised; of rows, what they are of, and of each its key and its values."""
        subject = self.target(expr.subject, scope)
        if expr.variable is None or expr.source is None or expr.key is None:
            return _every((subject, *(Need(value, scope) for value in expr.values)))
        parts: list[Demand] = [subject, Need(expr.source, scope)]
        for member in value_of(expr.source, scope) or ():
            inner = scope.bind(expr.variable.name, member)
            parts += [Need(value, inner) for value in (expr.key, *expr.values)]
        return _every(parts)

    def _binder(self, expr: typed.Binder, scope: Scope) -> Demand:
        if expr.quantifier == "some":
            return self._for_some(expr, scope)
        if expr.quantifier in ("every", "each", "all") and expr.body is not None:
            return self._for_each(expr, expr.body, scope)
        return NOTHING

    def _for_some(self, expr: typed.Binder, scope: Scope) -> Demand:
        if expr.where is None:
            return NOTHING
        if not self.is_fixed(expr.source, scope):
            return self.condition(expr.where, scope)
        found = value_of(expr.source, scope) or ()
        return Some(tuple(self.condition(expr.where, scope.bind(expr.variable.name, value)) for value in found))

    def _for_each(self, expr: typed.Binder, body: typed.Expr, scope: Scope) -> Demand:
        """Of a list that no run changes: its members, and what the body needs of each."""
        if not self.is_fixed(expr.source, scope):
            return NOTHING
        parts: list[Demand] = [Need(expr.source, scope)]
        for value in value_of(expr.source, scope) or ():
            inner = scope.bind(expr.variable.name, value)
            if body is expr.where or self._matches(expr.where, inner):
                parts.append(self.condition(body, inner))
        return Every(tuple(parts))

    def _matches(self, where: typed.Expr | None, scope: Scope) -> bool:
        """Whether a member matches in every run."""
        return where is None or (self.is_fixed(where, scope) and is_true(where, scope))

    def _call(self, fact: typed.CallFact, scope: Scope) -> Demand:
        tests = (*(pattern.test for pattern in fact.patterns), *((fact.where,) if fact.where else ()))
        return _every(self.condition(test, scope) for test in tests)


def _every(parts: Iterable[Demand]) -> Demand:
    found = tuple(part for part in parts if part is not NOTHING)
    return found[0] if len(found) == 1 else Every(found) if found else NOTHING


def _items(expr: typed.Expr, scope: Scope) -> Iterator[Need]:
    """The members of a list as needs: each as it is written, where it is."""
    if isinstance(expr, typed.ListDisplay):
        for item in expr.items:
            yield Need(item, scope)
        return
    value = value_of(expr, scope)
    for member in value if isinstance(value, tuple) else (value,):
        yield Need(_constant(member, expr), scope)


def _constant(value: Any, expr: typed.Expr) -> typed.Expr:
    kind: Type = getattr(required(expr.type), "item", expr.type)
    return typed.Constant(value, type=kind, span=expr.span)
