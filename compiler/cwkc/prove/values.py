"""What an expression may be worth: a union of cases, each under its guard, of which exactly one applies.

Whatever is known stays a plain value, so that most of a task folds away before the solver sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from attrs import field, frozen

from cwkc.meaning.types import Type
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, boolean, conjunction, disjunction, negation


def _exactly(value: Any) -> tuple[str, Any]:
    """Keeps 1, True and Fraction(1) apart."""
    return type(value).__name__, value


@frozen
class Known:
    value: Any = field(eq=_exactly)


@frozen
class Symbolic:
    """A value that is not null, as a term. A text, an email, an enum's value or a record's id is its code; a date
    and a time are days and seconds from the task's `now`; a duration is seconds; a list is a code of its own."""

    term: Term
    type: Type


@frozen
class Members:
    """A list of which it is known what may be in it: each member under the condition that it is there."""

    items: tuple[tuple[Term, Value], ...]


@frozen
class Unknown:
    """Anything at all."""


Leaf = Known | Symbolic | Members | Unknown


@frozen
class Value:
    cases: tuple[tuple[Term, Leaf], ...]

    @property
    def leaf(self) -> Leaf | None:
        """The only case, if there is one alone."""
        return self.cases[0][1] if len(self.cases) == 1 else None

    @property
    def is_known(self) -> bool:
        return isinstance(self.leaf, Known)


def known(value: Any) -> Value:
    return Value(((TRUE, Known(value)),))


NULL = known(None)
UNKNOWN = Value(((TRUE, Unknown()),))


def symbolic(term: Term, type: Type) -> Value:
    return Value(((TRUE, Symbolic(term, type)),))


def guarded(cases: Iterable[tuple[Term, Leaf]]) -> Value:
    """A union: impossible cases are left out, equal ones joined. With no case left, null."""
    merged: list[tuple[Term, Leaf]] = []
    for guard, leaf in cases:
        if guard == TRUE:
            return Value(((guard, leaf),))
        if guard == FALSE:
            continue
        for index, (earlier, same) in enumerate(merged):
            if same == leaf:
                merged[index] = disjunction(earlier, guard), leaf
                break
        else:
            merged.append((guard, leaf))
    if len(merged) == 1:
        merged = [(TRUE, merged[0][1])]
    return Value(tuple(merged)) if merged else NULL


def select(cases: Iterable[tuple[Term, Value]]) -> Value:
    """A union of unions."""
    cases = tuple(cases)
    if len(cases) == 1 and cases[0][0] == TRUE:
        return cases[0][1]
    return guarded((conjunction(guard, inner), leaf) for guard, value in cases for inner, leaf in value.cases)


def choose(condition: Term, then: Value, otherwise: Value) -> Value:
    return select(((condition, then), (negation(condition), otherwise)))


def lift(function: Callable[..., Value], *operands: Value) -> Value:
    """A function of leaves, applied to unions."""
    if all(len(operand.cases) == 1 for operand in operands):
        return function(*(operand.cases[0][1] for operand in operands))
    return select(
        (conjunction(*(guard for guard, _ in combination)), function(*(leaf for _, leaf in combination)))
        for combination in product(*(operand.cases for operand in operands))
    )


def holds(test: Callable[..., Term], *operands: Value) -> Term:
    """A condition on leaves, over unions."""
    if all(len(operand.cases) == 1 for operand in operands):
        return test(*(operand.cases[0][1] for operand in operands))
    return disjunction(
        *(
            conjunction(*(guard for guard, _ in combination), test(*(leaf for _, leaf in combination)))
            for combination in product(*(operand.cases for operand in operands))
        )
    )


def is_null(value: Value) -> Term:
    return disjunction(*(guard for guard, leaf in value.cases if leaf == Known(None)))


def from_truth(term: Term) -> Value:
    if term.literal is not None:
        return known(term.literal)
    return guarded(((term, Known(True)), (negation(term), Known(False))))


def truth_of(leaf: Leaf) -> Term:
    """Of a leaf that is not unknown; null counts as false."""
    if isinstance(leaf, Symbolic) and leaf.term.sort is Sort.BOOL:
        return leaf.term
    return boolean(isinstance(leaf, Known) and leaf.value is True)
