"""What an expression of a task is worth in a run that is made of the calls of the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any

from attrs import evolve

from coworkdsl import operations
from cwkc.meaning import typed
from cwkc.meaning.types import INT, TEXT, Reference
from cwkc.meaning.walk import conjuncts
from cwkc.prove.calls import Calls
from cwkc.prove.codes import Codes
from cwkc.prove.course import Course
from cwkc.prove.effects import Effect
from cwkc.prove.needs import Needs
from cwkc.prove.operators import Operators
from cwkc.prove.pool import MOST_ALIKE, Call, Pool
from cwkc.prove.reach import Reach
from cwkc.prove.scope import ARGUMENT, EITHER, NEGATIVE, POSITIVE, Scope
from cwkc.prove.script import Script
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, conjunction, disjunction, negation
from cwkc.prove.texts import Texts
from cwkc.prove.values import (
    NULL,
    UNKNOWN,
    Known,
    Leaf,
    Members,
    Symbolic,
    Unknown,
    Value,
    choose,
    from_truth,
    is_null,
    known,
    lift,
    select,
    symbolic,
)
from cwkc.prove.world import INITIAL, Element, Moment, World, always


class Encoder:
    """One reading of a task, against a pool that does not change meanwhile."""

    def __init__(self, task: typed.Task, reach: Reach, pool: Pool, codes: Codes, thorough: bool = False) -> None:
        self.task = task
        self.pool = pool
        self.script = Script()
        self.codes = codes
        self.exact = self.script.symbol("exact", Sort.BOOL)
        self.texts = Texts(self.script, self.codes, self.exact)
        self.operators = Operators(self.script, self.codes, self.texts)
        self.calls = Calls(task, pool, self.script, self.operators, self._in_tool, self._code, self._present)
        self.world = World(task, reach, pool, self.script, self.codes, self.operators, self.calls, self.exact, thorough)
        self.needs = Needs(self.script, self.codes, self.calls, self.world, self.exact, thorough)
        self.short = False
        """Whether a call that was asked for was refused, so that the pool may not show every run."""
        self._thorough = thorough
        self._offered = {tool.name: tool for tool in task.tools}
        self._matches: dict[tuple[object, ...], Term] = {}
        self.course = Course(self)

    def finish(self) -> None:
        """Asserts what holds of every run: when events happen, what calls need, and how states and texts hang
        together."""
        self.course.constrain()
        for call in self.pool.calls:
            self.needs.constrain(call)
        self.world.settle()
        self.calls.in_order()
        self.texts.relate()

    def _in_tool(self, call: Call, expr: typed.Expr, names: Mapping[str, Value], touched: frozenset[str]) -> Value:
        return self.value(expr, Scope(Moment("before", call, touched), names, call.depth))

    def start(self, positive: bool) -> None:
        """Begins a condition, one that is to hold or one that is not to."""
        self.short = False
        self.world.eager = positive or self._thorough

    def _code(self, id: str) -> Term:
        return self.world.code(id)

    def _present(self, call: Call, record: str, id: Term) -> Term:
        names = (named for type, _, named in self.calls.references(call) if type == record)
        if not self.world.reach.deleters(record) or not self.world.is_foreign(id) or id in names:
            return TRUE
        return self.world.exists(record, id, Moment("before", call), call.depth)

    # ------------------------------------------------------------------ conditions

    def holds(self, expr: typed.Expr, scope: Scope, way: int) -> Term:
        """Whether a condition holds; null counts as false."""
        rule = _CONDITIONS.get(type(expr))
        if rule is not None:
            return rule(self, expr, scope, way)
        if isinstance(expr, typed.Binder) and expr.quantifier in ("some", "no", "every", "each"):
            return self._quantified(expr, scope, way)
        return self.operators.truth(self.value(expr, scope))

    def _not(self, expr: typed.Not, scope: Scope, way: int) -> Term:
        return negation(self.holds(expr.operand, scope, -way))

    def _logical(self, expr: typed.Logical, scope: Scope, way: int) -> Term:
        left = self.holds(expr.left, scope, way)
        if left == (FALSE if expr.operator == "and" else TRUE):
            return left
        both = left, self.holds(expr.right, scope, way)
        return conjunction(*both) if expr.operator == "and" else disjunction(*both)

    def _compare(self, expr: typed.Compare, scope: Scope, way: int) -> Term:
        sign = expr.operator
        for counted, bound, direction in ((expr.left, expr.right, sign), (expr.right, expr.left, _FLIPPED[sign])):
            if isinstance(counted, typed.Apply) and counted.function == "count":
                limit = self.value(bound, scope)
                amount = self._count(counted, scope, self._needed(direction, limit, way))
                return self.operators.compare(direction, amount, limit)
        left, right = self.value(expr.left, scope), self.value(expr.right, scope)
        return self.operators.compare(sign, left, right, expr.ignore_case)

    def _needed(self, sign: str, limit: Value, way: int) -> int | None:
        """How many of what is counted a run may need, to show that a comparison with a count holds (or does not)."""
        if not isinstance(limit.leaf, Known) or not isinstance(limit.leaf.value, int | Fraction):
            return None
        if (sign in ("<", "<=") and way == POSITIVE) or (sign in (">", ">=") and way == NEGATIVE):
            return 0
        enough = int(limit.leaf.value) + (0 if sign in (">=", "<") else 1)
        return max(0, enough) if enough <= MOST_ALIKE else None

    def _membership(self, expr: typed.Membership, scope: Scope, way: int) -> Term:
        return self.operators.member(self.value(expr.left, scope), self.value(expr.right, scope), expr.ignore_case)

    def _is_null(self, expr: typed.IsNull, scope: Scope, way: int) -> Term:
        value = self.value(expr.operand, scope)
        doubt = any(isinstance(leaf, Unknown) for _, leaf in value.cases)
        return self.operators.doubt("null") if doubt else is_null(value)

    def _text_test(self, expr: typed.TextTest, scope: Scope, way: int) -> Term:
        operands = tuple(self.value(operand, scope) for operand in expr.operands)
        if not isinstance(expr.subject, typed.Said):
            return self.operators.text_test(expr.test, self.value(expr.subject, scope), operands)
        if way >= 0:
            self.pool.ask_remark((expr, scope.key))
        return disjunction(
            *(
                conjunction(said, self.operators.text_test(expr.test, text, operands))
                for said, text in self.utterances()
            )
        )

    def _delivered(self, expr: typed.Delivered, scope: Scope, way: int) -> Term:
        return self.operators.text_test("delivers", self.value(expr.subject, scope), (known(expr.contract),))

    def lies_in(self, store: str, effect: Effect) -> Term:
        """Whether what a call sets or deletes may lie in a store."""
        return self.needs.lies_in(store, self.task.stores[store].record, effect)

    def utterances(self) -> Iterator[tuple[Term, Value]]:
        """Everything that the agent may say: its remarks, then its answer."""
        for number in range(self.pool.remarks):
            yield self.script.symbol(f"r{number}", Sort.BOOL), self.operators.variable(TEXT, f"r{number}.text")
        yield self.script.symbol("answer?", Sort.BOOL), self.operators.variable(TEXT, "answer")

    def _quantified(self, expr: typed.Binder, scope: Scope, way: int) -> Term:
        if expr.quantifier in ("some", "no"):
            sign = POSITIVE if expr.quantifier == "some" else NEGATIVE
            found = self._some(expr, scope, way * sign)
            return found if sign == POSITIVE else negation(found)
        return negation(self._some(expr, scope, -way))

    def _some(self, expr: typed.Binder, scope: Scope, way: int) -> Term:
        """Whether some element matches and, when there is a body, misses it."""
        elements = self._elements(expr.source, scope, way, (expr, scope.key), 1 if way >= 0 else 0)
        if elements is None:
            return self.operators.doubt("some")
        return disjunction(*(self._hit(expr, element, scope, way) for element in elements))

    def _hit(self, expr: typed.Binder, element: Element, scope: Scope, way: int) -> Term:
        inner = scope.bind(expr.variable.name, element)
        where = TRUE if expr.where is None else self.holds(expr.where, inner, way)
        if where == FALSE:
            return FALSE
        missed = TRUE if expr.body is None else negation(self.holds(expr.body, inner, -way))
        return FALSE if missed == FALSE else conjunction(element.there(), where, missed)

    # ------------------------------------------------------------------ facts about the run

    def happened(self, event: str) -> Term:
        """Whether an event happened."""
        return self.course.happened(event)

    def _learned(self, expr: typed.Learned, scope: Scope, way: int) -> Term:
        return self.course.told(expr.fact)

    def _called(self, expr: typed.CallFact, scope: Scope, way: int) -> Term:
        return disjunction(*(match for _, match in self.matching(expr, scope, 1 if way >= 0 else 0)))

    def matching(self, fact: typed.CallFact, scope: Scope, asked: int) -> list[tuple[Call, Term]]:
        """The calls of a fact's tool, and when each is one that the fact speaks of."""
        tool = self._offered.get(fact.tool)
        if tool is None:
            return []
        fixed = self._fixed(fact, scope) if asked else {}
        for number in range(asked):
            if not self.pool.ask((fact, scope.key, number), tool, scope.depth + 1, fixed, fact.verb == "tried"):
                self.short = True
        return [(call, self._match(fact, scope, call)) for call in self.pool.of(fact.tool)]

    def _fixed(self, fact: typed.CallFact, scope: Scope) -> dict[str, Value]:
        """The arguments that a fact says by a known value."""
        fixed: dict[str, Value] = {}
        tests = [pattern.test for pattern in fact.patterns]
        for test in (*tests, *(conjuncts(fact.where) if fact.where is not None else ())):
            match test:
                case typed.Compare(operator="==", left=typed.Variable(kind="argument", name=name), right=other):
                    value = self.value(other, scope) if isinstance(other, _CLOSED) else UNKNOWN
                    if isinstance(value.leaf, Known) and value.leaf.value is not None:
                        fixed.setdefault(name, value)
        return fixed

    def _match(self, fact: typed.CallFact, scope: Scope, call: Call) -> Term:
        key = fact, scope.key, call.number
        if key not in self._matches:
            tests = [pattern.test for pattern in fact.patterns] + ([fact.where] if fact.where is not None else [])
            there = self.calls.accepted(call)
            if fact.verb == "tried":
                there = conjunction(self.calls.made(call), self.calls.valid(call) if tests else TRUE)
            if scope.until is not None:
                there = conjunction(there, self.calls.earlier(call, scope.until))
            arguments = {ARGUMENT + name: value for name, value in self.calls.arguments(call).items()}
            inner = Scope(Moment("before", call), {**scope.names, **arguments}, max(scope.depth, call.depth))
            self._matches[key] = self._all(there, tests, inner)
        return self._matches[key]

    def _all(self, there: Term, tests: Iterable[typed.Expr], scope: Scope) -> Term:
        """Whether all conditions hold; behind one that cannot, none is read."""
        parts = [there]
        for test in tests:
            parts.append(self.holds(test, scope, EITHER))
            if parts[-1] == FALSE:
                return FALSE
        return conjunction(*parts)

    def _precedes(self, expr: typed.Before, scope: Scope, way: int) -> Term:
        """The second happened, and some first comes before every second: the first of them is asked for always."""
        seconds = self.matching(expr.second, scope, 1)
        firsts = self.matching(expr.first, scope, 1 if way >= 0 else 0)
        happened = disjunction(*(match for _, match in seconds))
        leads = disjunction(
            *(
                conjunction(
                    match,
                    *(disjunction(negation(other), self.calls.earlier(call, second)) for second, other in seconds),
                )
                for call, match in firsts
            )
        )
        return conjunction(happened, leads)

    # ------------------------------------------------------------------ values

    def value(self, expr: typed.Expr, scope: Scope) -> Value:
        rule = _VALUES.get(type(expr))
        if rule is not None:
            return rule(self, expr, scope)
        if type(expr) in _CONDITIONS:
            return from_truth(self.holds(expr, scope, EITHER))
        return UNKNOWN

    def _variable(self, expr: typed.Variable, scope: Scope) -> Value:
        return scope.names[ARGUMENT + expr.name if expr.kind == "argument" else expr.name]

    def _answer(self, expr: typed.Answer, scope: Scope) -> Value:
        return choose(self.script.symbol("answer?", Sort.BOOL), self.operators.variable(TEXT, "answer"), NULL)

    def _store_records(self, expr: typed.StoreRecords, scope: Scope) -> Value:
        return self._listed(self._elements(expr, scope, EITHER, (expr, scope.key), None))

    def _lookup(self, expr: typed.Lookup, scope: Scope) -> Value:
        record = self.task.stores[expr.store].record

        def found(leaf: Leaf) -> Value:
            if isinstance(leaf, Known) and isinstance(leaf.value, str):
                id = self.world.code(leaf.value)
            elif isinstance(leaf, Symbolic):
                id = leaf.term
            else:
                return NULL if isinstance(leaf, Known) else self.operators.anything(expr.type, "lookup")
            there = self.world.exists(record, id, scope.moment, scope.depth, expr.store)
            reference = known(leaf.value) if isinstance(leaf, Known) else symbolic(id, Reference(record))
            return choose(there, reference, NULL)

        return lift(found, self.value(expr.key, scope))

    def _field_of(self, expr: typed.FieldOf, scope: Scope) -> Value:
        base = self.value(expr.base, scope)
        return self.world.field(expr.record, base, expr.name, scope.moment, scope.depth, scope.alive)

    def _id_of(self, expr: typed.IdOf, scope: Scope) -> Value:
        def text(leaf: Leaf) -> Value:
            if not isinstance(leaf, Symbolic):
                return Value(((TRUE, leaf),))
            if isinstance(leaf.term.literal, int) and leaf.term.literal < 0:
                return self.operators.anything(TEXT, "id")
            return symbolic(leaf.term, TEXT)

        return lift(text, self.value(expr.base, scope))

    def _column_of(self, expr: typed.ColumnOf, scope: Scope) -> Value:
        def column(leaf: Leaf) -> Value:
            if isinstance(leaf, Known):
                return known(operations.column(leaf.value, expr.name))
            return self.operators.anything(expr.type, expr.name)

        return lift(column, self.value(expr.base, scope))

    def _start(self, expr: typed.Start, scope: Scope) -> Value:
        return self.value(expr.operand, evolve(scope, moment=INITIAL))

    def _interpolation(self, expr: typed.Interpolation, scope: Scope) -> Value:
        return self.operators.interpolate(tuple(self.value(part, scope) for part in expr.parts))

    def _list_display(self, expr: typed.ListDisplay, scope: Scope) -> Value:
        return self._listed(tuple(Element(always, self.value(item, scope), scope.depth) for item in expr.items))

    def _arithmetic(self, expr: typed.Arithmetic, scope: Scope) -> Value:
        return self.operators.arithmetic(expr.operator, self.value(expr.left, scope), self.value(expr.right, scope))

    def _apply(self, expr: typed.Apply, scope: Scope) -> Value:
        if expr.function == "count":
            return self._count(expr, scope, None)
        arguments = tuple(self.value(argument, scope) for argument in expr.arguments)
        return self.operators.apply(expr.function, expr.type, arguments)

    def _count(self, expr: typed.Apply, scope: Scope, asked: int | None) -> Value:
        """How many there are, of which the run may need to show `asked`; None when that is not known."""
        (counted,) = expr.arguments
        if isinstance(counted, typed.CallFact):
            matches = self.matching(counted, scope, 2 if asked is None else asked)
            self.short |= asked is None
            members = Members(tuple((match, NULL) for _, match in matches))
            return self.operators.apply("count", INT, (Value(((TRUE, members),)),))
        elements = self._elements(counted, scope, EITHER, (expr, scope.key), asked)
        listed = self.value(counted, scope) if elements is None else self._listed(elements)
        return self.operators.settle(self.operators.apply("count", INT, (listed,)), INT, "count")

    # ------------------------------------------------------------------ lists

    def _elements(
        self, source: typed.Expr, scope: Scope, way: int, key: tuple[object, ...], asked: int | None
    ) -> tuple[Element, ...] | None:
        """What may be in a list, or None when nothing is known of it; `asked` as for `_count`."""
        if isinstance(source, typed.StoreRecords):
            if asked is None and self.world.reach.inserters(source.store) and scope.moment.kind == "final":
                self.short = True
            if scope.moment.kind == "final":
                self._ask_inserts(source.store, key, 2 if asked is None else asked, scope.depth)
            return self.world.elements(source.store, scope.moment, scope.depth)
        if isinstance(source, typed.Binder) and source.quantifier == "all" and source.order is None:
            return self._filtered(source, scope, way, key, asked)
        return self._members(self.value(source, scope), scope)

    def _ask_inserts(self, store: str, key: tuple[object, ...], asked: int, depth: int) -> None:
        for number in range(asked):
            if not self.world.ask((*key, store, number), self.world.reach.inserters(store), depth + 1):
                self.short = True

    def _filtered(
        self, binder: typed.Binder, scope: Scope, way: int, key: tuple[object, ...], asked: int | None
    ) -> tuple[Element, ...] | None:
        elements = self._elements(binder.source, scope, way, key, asked)
        if elements is None or binder.where is None:
            return elements
        where, variable = binder.where, binder.variable.name
        met = ((element, self.holds(where, scope.bind(variable, element), way)) for element in elements)
        return tuple(evolve(element, there=_both(element.there, holds)) for element, holds in met if holds != FALSE)

    @staticmethod
    def _members(value: Value, scope: Scope) -> tuple[Element, ...] | None:
        found: list[Element] = []
        for guard, leaf in value.cases:
            if isinstance(leaf, Known):
                items = [(TRUE, known(item)) for item in leaf.value or ()]
            elif isinstance(leaf, Members):
                items = list(leaf.items)
            else:
                return None
            found.extend(Element(_both(always, guard, there), item, scope.depth) for there, item in items)
        return tuple(found)

    @staticmethod
    def _listed(elements: tuple[Element, ...] | None) -> Value:
        if elements is None:
            return UNKNOWN
        members = tuple((element.there(), element.value) for element in elements)
        if all(there == TRUE and value.is_known for there, value in members):
            return known(tuple(value.leaf.value for _, value in members if isinstance(value.leaf, Known)))
        return Value(((TRUE, Members(members)),))

    def _binder(self, expr: typed.Binder, scope: Scope) -> Value:
        """The value of `all` and `only`; the other binders are conditions."""
        if expr.quantifier not in ("all", "only"):
            return from_truth(self._quantified(expr, scope, EITHER))
        unordered = evolve(expr, quantifier="all", order=None)
        elements = self._elements(unordered, scope, EITHER, (expr, scope.key), 2 if expr.quantifier == "only" else None)
        if elements is None:
            return self.operators.anything(expr.type, "list") if expr.quantifier == "only" else UNKNOWN
        if expr.quantifier == "only":
            return self._only(elements)
        listed = self._listed(elements)
        return listed if expr.order is None else self._ordered(expr, listed, scope)

    @staticmethod
    def _only(elements: tuple[Element, ...]) -> Value:
        there = [element.there() for element in elements]
        alone = [
            conjunction(one, *(negation(other) for other in there[:index] + there[index + 1 :]))
            for index, one in enumerate(there)
        ]
        cases = [(guard, element.value) for guard, element in zip(alone, elements, strict=True)]
        return select([*cases, (negation(disjunction(*alone)), NULL)])

    def _ordered(self, expr: typed.Binder, listed: Value, scope: Scope) -> Value:
        order = expr.order
        assert order is not None
        if not isinstance(listed.leaf, Known):
            return UNKNOWN
        keyed: list[tuple[Any, Any]] = []
        for item in listed.leaf.value:
            key = self.value(order.key, scope.bind(expr.variable.name, Element(always, known(item), scope.depth)))
            if not isinstance(key.leaf, Known):
                return UNKNOWN
            keyed.append((key.leaf.value, item))
        return known(tuple(item for _, item in operations.ordered(keyed, itemgetter(0), order.descending)))

    def _first(self, expr: typed.First, scope: Scope) -> Value:
        listed, number = self.value(expr.binder, scope).leaf, self.value(expr.count, scope).leaf
        if isinstance(listed, Known) and isinstance(number, Known):
            return known(operations.first(listed.value, number.value))
        return UNKNOWN

    def _sum(self, expr: typed.Sum, scope: Scope) -> Value:
        binder = typed.Binder(
            type=expr.type,
            span=expr.span,
            quantifier="all",
            variable=expr.variable,
            source=expr.source,
            order=None,
            where=expr.where,
            body=None,
        )
        elements = self._elements(binder, scope, EITHER, (expr, scope.key), None)
        if elements is None:
            return self.operators.anything(expr.type, "sum")
        values = [self.value(expr.value, scope.bind(expr.variable.name, element)) for element in elements]
        there = [element.there() for element in elements]
        if all(each == TRUE for each in there) and all(value.is_known for value in values):
            return known(operations.total(tuple(value.leaf.value for value in values if isinstance(value.leaf, Known))))
        return self.operators.sum(tuple(zip(there, values, strict=True)))


def _both(there: Callable[[], Term], *conditions: Term) -> Callable[[], Term]:
    return lambda: conjunction(there(), *conditions)


_CLOSED = (typed.Constant, typed.Truth)

_FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

_CONDITIONS: dict[type, Callable[[Encoder, Any, Scope, int], Term]] = {
    typed.Not: Encoder._not,
    typed.Logical: Encoder._logical,
    typed.Compare: Encoder._compare,
    typed.Membership: Encoder._membership,
    typed.IsNull: Encoder._is_null,
    typed.TextTest: Encoder._text_test,
    typed.Delivered: Encoder._delivered,
    typed.CallFact: Encoder._called,
    typed.Before: Encoder._precedes,
    typed.Learned: Encoder._learned,
}

_VALUES: dict[type, Callable[[Encoder, Any, Scope], Value]] = {
    typed.Constant: lambda encoder, expr, scope: known(expr.value),
    typed.Truth: lambda encoder, expr, scope: known(encoder.task.truths[expr.name].value),
    typed.Variable: Encoder._variable,
    typed.Now: lambda encoder, expr, scope: encoder.course.clock(scope),
    typed.Answer: Encoder._answer,
    typed.StoreRecords: Encoder._store_records,
    typed.Lookup: Encoder._lookup,
    typed.FieldOf: Encoder._field_of,
    typed.IdOf: Encoder._id_of,
    typed.ColumnOf: Encoder._column_of,
    typed.Start: Encoder._start,
    typed.Negate: lambda encoder, expr, scope: encoder.operators.negative(encoder.value(expr.operand, scope)),
    typed.Arithmetic: Encoder._arithmetic,
    typed.Interpolation: Encoder._interpolation,
    typed.ListDisplay: Encoder._list_display,
    typed.Apply: Encoder._apply,
    typed.Binder: Encoder._binder,
    typed.First: Encoder._first,
    typed.Sum: Encoder._sum,
}
