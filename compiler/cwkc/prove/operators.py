"""What operators and functions make of leaves. What cannot be said exactly is left open: anything may be its result."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from coworkdsl import operations, tables, text
from cwkc.meaning.evaluator import OPERATIONS
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    EMAIL,
    INT,
    TEXT,
    JsonType,
    ListOf,
    Optional,
    RowType,
    Type,
    required,
)
from cwkc.prove import terms
from cwkc.prove.codes import Codes
from cwkc.prove.script import Script
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, boolean, conjunction, disjunction, equal, implication, negation
from cwkc.prove.texts import Atom, Texts
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
    guarded,
    holds,
    is_null,
    known,
    lift,
    symbolic,
    truth_of,
)

SORTS: dict[Type, Sort] = {BOOL: Sort.BOOL, DECIMAL: Sort.REAL}
MEASURED = (INT, DECIMAL, DATE, DATETIME, DURATION)
DAY = timedelta(days=1)

_ORDERINGS: dict[str, Callable[[Term, Term], Term]] = {
    "<": terms.less,
    "<=": terms.at_most,
    ">": lambda left, right: terms.less(right, left),
    ">=": lambda left, right: terms.at_most(right, left),
}


class Operators:
    def __init__(self, script: Script, codes: Codes, texts: Texts) -> None:
        self._script = script
        self._codes = codes
        self._texts = texts

    # ------------------------------------------------------------------ anything

    def anything(self, type: Type, stem: str) -> Value:
        """A value of a type about which nothing is known."""
        name = self._script.unused(stem)
        if isinstance(required(type), JsonType | RowType):
            return UNKNOWN
        value = self.variable(required(type), name)
        if isinstance(type, Optional):
            return choose(self._script.symbol(f"{name}?", Sort.BOOL), value, NULL)
        return value

    def variable(self, type: Type, name: str) -> Value:
        return symbolic(self._script.symbol(name, SORTS.get(type, Sort.INT)), type)

    def doubt(self, stem: str) -> Term:
        """A condition about which nothing is known."""
        return self._script.doubt(stem)

    def settle(self, value: Value, type: Type, stem: str) -> Value:
        """Unknown cases replaced by symbols, so that the value can be compared and written."""
        if not any(isinstance(leaf, Unknown) for _, leaf in value.cases):
            return value
        return lift(lambda leaf: self.anything(type, stem) if isinstance(leaf, Unknown) else _of(leaf), value)

    # ------------------------------------------------------------------ comparison

    def compare(self, sign: str, left: Value, right: Value, ignore_case: bool = False) -> Term:
        return holds(partial(self._compare, sign, ignore_case), left, right)

    def _compare(self, sign: str, ignore_case: bool, left: Leaf, right: Leaf) -> Term:
        if sign == "!=":
            return negation(self._equal(left, right, ignore_case))
        if sign == "==":
            return self._equal(left, right, ignore_case)
        if isinstance(left, Known) and isinstance(right, Known):
            return boolean(OPERATIONS[sign](left.value, right.value))
        if Known(None) in (left, right):
            return FALSE
        if self._measured(left) and self._measured(right):
            return _ORDERINGS[sign](self._term(left, right), self._term(right, left))
        return self.doubt("ordered")

    @staticmethod
    def _measured(leaf: Leaf) -> bool:
        return isinstance(leaf, Known) or (isinstance(leaf, Symbolic) and required(leaf.type) in MEASURED)

    def _term(self, leaf: Leaf, other: Leaf) -> Term:
        """The term of a leaf that is compared with another one."""
        if isinstance(leaf, Symbolic):
            return leaf.term
        assert isinstance(leaf, Known)
        assert isinstance(other, Symbolic)
        return self._codes.term(leaf.value, other.type)

    def _equal(self, left: Leaf, right: Leaf, ignore_case: bool) -> Term:
        match left, right:
            case Known(), Known():
                test = operations.eq_ignoring_case if ignore_case else operations.eq
                return boolean(test(left.value, right.value))
            case Symbolic(), Known():
                return self._equals_known(left, right.value, ignore_case)
            case Known(), Symbolic():
                return self._equals_known(right, left.value, ignore_case)
            case Symbolic(), Symbolic():
                return self._both_symbolic(left, right, ignore_case)
        return self.doubt("same")

    def _equals_known(self, leaf: Symbolic, value: Any, ignore_case: bool) -> Term:
        if value is None or isinstance(value, bool) != (leaf.term.sort is Sort.BOOL):
            return FALSE
        if not isinstance(value, str | tuple):
            return FALSE if isinstance(value, dict) else equal(leaf.term, self._codes.term(value, leaf.type))
        if isinstance(value, str) and ignore_case and leaf.type != EMAIL:
            return self._texts.atom(leaf.term, Atom("spells", value.casefold()))
        same = self._texts.equals_literal(leaf.term, value, leaf.type)
        return same if ignore_case or leaf.type != EMAIL else conjunction(same, self.doubt("case"))

    def _both_symbolic(self, left: Symbolic, right: Symbolic, ignore_case: bool) -> Term:
        if (left.term.sort is Sort.BOOL) != (right.term.sort is Sort.BOOL):
            return FALSE
        if self._measured(left) or left.term.sort is Sort.BOOL:
            return equal(left.term, right.term)
        same = self._texts.equals(left.term, right.term)
        if (left.type == EMAIL) != (right.type == EMAIL):
            return self.doubt("case")
        if ignore_case == (left.type == EMAIL):
            return same
        return disjunction(same, self.doubt("case")) if ignore_case else conjunction(same, self.doubt("case"))

    def member(self, item: Value, items: Value, ignore_case: bool) -> Term:
        return holds(partial(self._member, ignore_case), item, items)

    def _member(self, ignore_case: bool, item: Leaf, items: Leaf) -> Term:
        match items:
            case Known(value=None):
                return FALSE
            case Known():
                return disjunction(*(self._equal(item, Known(each), ignore_case) for each in items.value))
            case Members():
                return disjunction(
                    *(
                        conjunction(there, holds(lambda leaf: self._equal(item, leaf, ignore_case), each))
                        for there, each in items.items
                    )
                )
            case Symbolic() if isinstance(item, Known):
                return self._texts.atom(items.term, Atom("member", item.value))
        return self.doubt("member")

    def text_test(self, test: str, subject: Value, operands: tuple[Value, ...]) -> Term:
        return holds(partial(self._text_test, test), subject, *operands)

    def _text_test(self, test: str, subject: Leaf, *operands: Leaf) -> Term:
        if test in ("mentions_any", "mentions_all") and isinstance(operands[0], Members):
            return self._mentions(test, subject, operands[0])
        if isinstance(subject, Known) and all(isinstance(operand, Known) for operand in operands):
            plain = tuple(operand.value for operand in operands if isinstance(operand, Known))
            if test == "lists":
                return boolean(text.lists(subject.value, plain))
            return boolean(OPERATIONS[test](subject.value, *plain))
        return self._texts.holds(test, subject, operands)

    def _mentions(self, test: str, subject: Leaf, words: Members) -> Term:
        """A test for words of which some may be missing, or null."""

        def stands(word: Leaf) -> Term:
            if not isinstance(word, Known):
                return self.doubt("mentions")
            return FALSE if word.value is None else self._text_test("mentions_any", subject, Known((word.value,)))

        found = tuple((there, holds(stands, word)) for there, word in words.items)
        if test == "mentions_any":
            return disjunction(*(conjunction(there, term) for there, term in found))
        return FALSE if subject == Known(None) else conjunction(*(implication(there, term) for there, term in found))

    # ------------------------------------------------------------------ arithmetic

    def arithmetic(self, sign: str, left: Value, right: Value) -> Value:
        return lift(partial(self._arithmetic, sign), left, right)

    def _arithmetic(self, sign: str, left: Leaf, right: Leaf) -> Value:
        if Known(None) in (left, right):
            return NULL
        if isinstance(left, Known) and isinstance(right, Known):
            return _plainly(OPERATIONS[sign], left.value, right.value)
        if self._is_text(left) and self._is_text(right):
            return self.join((left, right))
        types = self._type(left), self._type(right)
        if types[0] in (INT, DECIMAL) and types[1] in (INT, DECIMAL):
            return self._numbers(sign, self._term_of(left), self._term_of(right))
        return self._times(sign, types, left, right)

    def _numbers(self, sign: str, left: Term, right: Term) -> Value:
        if sign == "/":
            zero = equal(right, terms.integer(0))
            quotient = Symbolic(terms.divide(left, right), DECIMAL)
            return guarded(((zero, Unknown()), (negation(zero), quotient))) if zero != TRUE else UNKNOWN
        if sign == "*":
            return _number(terms.multiply(left, right))
        return _number(terms.add(left, right if sign == "+" else terms.negate(right)))

    def _times(self, sign: str, types: tuple[Type | None, Type | None], left: Leaf, right: Leaf) -> Value:
        """Dates, times and durations: all of them are numbers of seconds, but for a date, which counts days."""
        match sign, types:
            case ("-", (type, same)) if type == same == DATE:
                return symbolic(terms.multiply(self._difference(left, right), terms.integer(86400)), DURATION)
            case ("-", (type, same)) if type == same and type in (DATETIME, DURATION):
                return symbolic(self._difference(left, right), DURATION)
            case ("+" | "-", (type, other)) if other == DURATION and type in (DATETIME, DURATION):
                right_term = self._term_of(right)
                shift = right_term if sign == "+" else terms.negate(right_term)
                return symbolic(terms.add(self._term_of(left), shift), type)
            case ("+" | "-", (type, other)) if type == DATE and other == DURATION and isinstance(right, Known):
                shift = terms.integer((right.value if sign == "+" else -right.value) // DAY)
                return symbolic(terms.add(self._term_of(left), shift), DATE)
            case ("*", (type, other)) if {type, other} == {INT, DURATION}:
                return symbolic(terms.multiply(self._term_of(left), self._term_of(right)), DURATION)
        return UNKNOWN

    def _difference(self, left: Leaf, right: Leaf) -> Term:
        return terms.add(self._term_of(left), terms.negate(self._term_of(right)))

    def _term_of(self, leaf: Leaf) -> Term:
        if isinstance(leaf, Symbolic):
            return leaf.term
        assert isinstance(leaf, Known)
        return self._codes.term(leaf.value, INT)

    @staticmethod
    def _type(leaf: Leaf) -> Type | None:
        if isinstance(leaf, Symbolic):
            return required(leaf.type)
        return _type_of(leaf.value) if isinstance(leaf, Known) else None

    @staticmethod
    def _is_text(leaf: Leaf) -> bool:
        if isinstance(leaf, Known):
            return isinstance(leaf.value, str)
        return isinstance(leaf, Symbolic) and required(leaf.type) not in (BOOL, *MEASURED) and not _is_list(leaf)

    def join(self, parts: tuple[Leaf, ...]) -> Value:
        return symbolic(self._texts.join(parts), TEXT)

    def interpolate(self, parts: tuple[Value, ...]) -> Value:
        def joined(*leaves: Leaf) -> Value:
            if all(isinstance(leaf, Known) for leaf in leaves):
                return known(operations.interpolate(*(leaf.value for leaf in leaves if isinstance(leaf, Known))))
            if not all(isinstance(leaf, Known) or self._is_text(leaf) for leaf in leaves):
                return UNKNOWN
            return self.join(
                tuple(Known(operations.interpolate(leaf.value)) if isinstance(leaf, Known) else leaf for leaf in leaves)
            )

        return lift(joined, *parts)

    def negative(self, operand: Value) -> Value:
        def opposite(leaf: Leaf) -> Value:
            if isinstance(leaf, Known):
                return _plainly(operations.neg, leaf.value)
            return symbolic(terms.negate(leaf.term), leaf.type) if isinstance(leaf, Symbolic) else UNKNOWN

        return lift(opposite, operand)

    # ------------------------------------------------------------------ functions

    def apply(self, function: str, type: Type, arguments: tuple[Value, ...]) -> Value:
        """A built-in function; `type` is that of the result."""
        if function == "csv":
            assert isinstance(required(type), ListOf)
            return lift(partial(_read_csv, required(type)), *arguments)
        return lift(partial(self._apply, function), *arguments)

    def _apply(self, function: str, *leaves: Leaf) -> Value:
        if all(isinstance(leaf, Known) for leaf in leaves):
            return _plainly(OPERATIONS[function], *(leaf.value for leaf in leaves if isinstance(leaf, Known)))
        if function in ("min", "max") and len(leaves) > 1:
            return reduce(partial(self._extreme, "<" if function == "min" else ">"), map(_of, leaves))
        leaf = leaves[0]
        if isinstance(leaf, Members):
            return self._of_members(function, leaf)
        if function == "abs" and isinstance(leaf, Symbolic):
            negative = terms.less(leaf.term, terms.integer(0))
            return symbolic(terms.choose(negative, terms.negate(leaf.term), leaf.term), leaf.type)
        if function == "date" and isinstance(leaf, Symbolic):
            return self._date(leaf.term)
        if function == "weekday" and isinstance(leaf, Symbolic):
            return self._weekday(leaf.term)
        return UNKNOWN

    def _date(self, seconds: Term) -> Value:
        """The day of a moment: in the zone of `now`, where runs are looked for; elsewhere up to two days off."""
        day = self._script.fresh("day", Sort.INT)
        now = self._codes.now
        since_midnight = terms.add(seconds, terms.integer(now.hour * 3600 + now.minute * 60 + now.second))
        self._script.require(implication(self._script.symbol("exact", Sort.BOOL), _covers(day, since_midnight, 0)))
        self._script.require(_covers(day, since_midnight, 2))
        return symbolic(day, DATE)

    def _weekday(self, day: Term) -> Value:
        """One of seven words."""
        today = self._codes.now.date()
        week = self._script.fresh("week", Sort.INT)
        position = terms.add(day, terms.multiply(terms.integer(-7), week))
        self._script.require(
            conjunction(terms.at_most(terms.integer(0), position), terms.less(position, terms.integer(7)))
        )
        return guarded(
            (equal(position, terms.integer(days)), Known(operations.weekday(today + days * DAY))) for days in range(7)
        )

    def _extreme(self, sign: str, left: Value, right: Value) -> Value:
        """The one of two values that comes first; a null is left out."""
        earlier = disjunction(self.compare(sign, left, right), is_null(right))
        return choose(earlier, left, right)

    def _of_members(self, function: str, members: Members) -> Value:
        if function in ("count", "len"):
            return symbolic(terms.count(there for there, _ in members.items), INT)
        if function == "sum":
            return self.sum(members.items)
        return UNKNOWN

    def sum(self, items: tuple[tuple[Term, Value], ...]) -> Value:
        """The sum of what is there and not null."""
        parts = []
        for there, value in items:
            for guard, leaf in value.cases:
                if leaf == Known(None):
                    continue
                if self._type(leaf) not in (INT, DECIMAL):
                    return UNKNOWN
                parts.append(terms.choose(conjunction(there, guard), self._term_of(leaf), terms.integer(0)))
        return _number(terms.add(*parts))

    def truth(self, value: Value) -> Term:
        """Whether a value is true; null is not."""
        return holds(lambda leaf: self.doubt("truth") if isinstance(leaf, Unknown) else truth_of(leaf), value)


def _covers(day: Term, seconds: Term, spare: int) -> Term:
    """That a moment falls on a day, or on one of the spare days around it; both count from the same midnight."""

    def midnight(shift: int) -> Term:
        return terms.multiply(terms.integer(86400), terms.add(day, terms.integer(shift)))

    return conjunction(terms.at_most(midnight(-spare), seconds), terms.less(seconds, midnight(spare + 1)))


def _of(leaf: Leaf) -> Value:
    return Value(((TRUE, leaf),))


def _number(term: Term) -> Value:
    if term.literal is not None:
        return known(term.literal)
    return symbolic(term, DECIMAL if term.sort is Sort.REAL else INT)


def _plainly(function: Callable[..., Any], *arguments: Any) -> Value:
    try:
        return known(function(*arguments))
    except operations.Undefined:
        return UNKNOWN


def _read_csv(type: Type, leaf: Leaf) -> Value:
    if not isinstance(leaf, Known):
        return UNKNOWN
    assert isinstance(type, ListOf)
    assert isinstance(type.item, RowType)
    return known(tables.read_csv(leaf.value, {name: str(required(kind)) for name, kind in type.item.columns}))


def _type_of(value: Any) -> Type | None:
    for plain, type in ((bool, BOOL), (int, INT), (Fraction, DECIMAL), (datetime, DATETIME), (date, DATE)):
        if isinstance(value, plain):
            return type
    return DURATION if isinstance(value, timedelta) else None


def _is_list(leaf: Symbolic) -> bool:
    return isinstance(required(leaf.type), ListOf)
