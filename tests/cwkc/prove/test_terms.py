"""Folding changes no meaning."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwkc.prove import terms
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, symbol

Environment = dict[str, Any]
P, Q, R = (symbol(name, Sort.BOOL) for name in "pqr")
X, Y = (symbol(name, Sort.INT) for name in "xy")

OPERATORS: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "+": lambda *parts: sum(parts),
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "ite": lambda a, b, c: b if a else c,
    "to_real": Fraction,
    "distinct": lambda *parts: len(set(parts)) == len(parts),
}


def meaning(term: Term, values: Environment) -> Any:
    if term.literal is not None:
        return term.literal
    if term.head is None:
        return values[term.text]
    return OPERATORS[term.head](*(meaning(argument, values) for argument in term.arguments))


def meant(plan: Any, values: Environment) -> Any:
    """What a plan comes to, without any folding."""
    if isinstance(plan, Term):
        return meaning(plan, values)
    name, *parts = plan
    return OPERATORS[SPELLED[name]](*(meant(part, values) for part in parts))


def built(plan: Any) -> Term:
    """The term of a plan, by the folding constructors."""
    if isinstance(plan, Term):
        return plan
    name, *parts = plan
    term = getattr(terms, name)(*map(built, parts))
    assert isinstance(term, Term)
    return term


SPELLED = {
    "negation": "not",
    "conjunction": "and",
    "disjunction": "or",
    "equal": "=",
    "less": "<",
    "at_most": "<=",
    "add": "+",
    "multiply": "*",
    "choose": "ite",
}

numbers = st.recursive(
    st.sampled_from([X, Y])
    | st.integers(-3, 3).map(terms.integer)
    | st.fractions(-2, 2, max_denominator=4).map(terms.real),
    lambda inner: st.tuples(st.sampled_from(["add", "multiply"]), inner, inner),
    max_leaves=4,
)
conditions = st.recursive(
    st.sampled_from([P, Q, R, TRUE, FALSE])
    | st.tuples(st.sampled_from(["equal", "less", "at_most"]), numbers, numbers),
    lambda inner: (
        st.tuples(st.just("negation"), inner)
        | st.tuples(st.sampled_from(["conjunction", "disjunction"]), inner, inner)
        | st.tuples(st.sampled_from(["conjunction", "disjunction"]), inner, inner, inner)
        | st.tuples(st.just("choose"), inner, inner, inner)
        | st.tuples(st.just("equal"), inner, inner)
    ),
    max_leaves=12,
)
environments = st.fixed_dictionaries(
    {name: st.booleans() for name in "pqr"} | {name: st.integers(-3, 3) for name in "xy"}
)


@given(conditions, environments)
def test_a_folded_condition_means_the_same(plan: Any, values: Environment) -> None:
    assert meaning(built(plan), values) == meant(plan, values)


@given(numbers, environments)
def test_a_folded_number_means_the_same(plan: Any, values: Environment) -> None:
    assert meaning(built(plan), values) == meant(plan, values)


@given(st.sets(st.integers(-5, 15)), st.integers(-6, 16))
def test_ranges_hold_what_they_were_made_of(values: set[int], value: int) -> None:
    assert meaning(terms.within(X, values), {"x": value}) == (value in values)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (terms.integer(-3), "(- 3)"),
        (terms.real(Fraction(-1, 3)), "(- (/ 1.0 3.0))"),
        (terms.within(X, [1, 2, 3, 7]), "(or (and (<= 1 x) (<= x 3)) (= x 7))"),
        (terms.conjunction(P, terms.negation(P)), "false"),
        (terms.disjunction(P, terms.disjunction(Q, P)), "(or p q)"),
        (terms.equal(X, terms.real(Fraction(1, 2))), "(= (to_real x) (/ 1.0 2.0))"),
    ],
)
def test_terms_are_printed_as_smt_lib(term: Term, text: str) -> None:
    assert term.text == text
