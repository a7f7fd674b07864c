"""Terms of the solver's language, built only by constructors that fold, printed as SMT-LIB.

Equality is that of the printed text, which says a term completely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from fractions import Fraction


class Sort(Enum):
    BOOL = "Bool"
    INT = "Int"
    REAL = "Real"


class Term:
    """`head` is an operator, or None for a symbol and for a literal (which alone has a `literal`)."""

    __slots__ = ("arguments", "head", "literal", "sort", "text")

    def __init__(
        self,
        sort: Sort,
        text: str,
        head: str | None = None,
        arguments: tuple[Term, ...] = (),
        literal: bool | int | Fraction | None = None,
    ) -> None:
        self.sort = sort
        self.text = text
        self.head = head
        self.arguments = arguments
        self.literal = literal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


TRUE = Term(Sort.BOOL, "true", literal=True)
FALSE = Term(Sort.BOOL, "false", literal=False)


def symbol(name: str, sort: Sort) -> Term:
    return Term(sort, name)


def boolean(value: bool) -> Term:
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    return Term(Sort.INT, str(value) if value >= 0 else f"(- {-value})", literal=value)


def real(value: Fraction) -> Term:
    top = abs(value.numerator)
    size = f"{top}.0" if value.denominator == 1 else f"(/ {top}.0 {value.denominator}.0)"
    return Term(Sort.REAL, size if value >= 0 else f"(- {size})", literal=Fraction(value))


def symbols(term: Term) -> Iterator[str]:
    """The names of the symbols that occur in a term, each as often as it occurs."""
    if term.arguments:
        for argument in term.arguments:
            yield from symbols(argument)
    elif term.literal is None:
        yield term.text


def _apply(sort: Sort, head: str, *arguments: Term) -> Term:
    return Term(sort, f"({head} {' '.join(argument.text for argument in arguments)})", head, arguments)


# ---------------------------------------------------------------------------- truth values


def negation(term: Term) -> Term:
    if term.literal is not None:
        return boolean(not term.literal)
    if term.head == "not":
        return term.arguments[0]
    return _apply(Sort.BOOL, "not", term)


def _junction(head: str, neutral: Term, absorbing: Term, terms: tuple[Term, ...]) -> Term:
    parts: dict[str, Term] = {}
    for term in terms:
        if term.text == neutral.text:
            continue
        for part in term.arguments if term.head == head else (term,):
            opposite = part.arguments[0].text if part.head == "not" else f"(not {part.text})"
            if part.text == absorbing.text or opposite in parts:
                return absorbing
            parts[part.text] = part
    if len(parts) < 2:
        return next(iter(parts.values()), neutral)
    return _apply(Sort.BOOL, head, *parts.values())


def conjunction(*terms: Term) -> Term:
    return _junction("and", TRUE, FALSE, terms)


def disjunction(*terms: Term) -> Term:
    return _junction("or", FALSE, TRUE, terms)


def implication(condition: Term, consequence: Term) -> Term:
    return disjunction(negation(condition), consequence)


def distinct(terms: tuple[Term, ...]) -> Term:
    return TRUE if len(terms) < 2 else _apply(Sort.BOOL, "distinct", *terms)


# ---------------------------------------------------------------------------- comparison


def _meet(left: Term, right: Term) -> tuple[Term, Term]:
    """Both in one sort of number."""
    if left.sort is right.sort:
        return left, right
    return to_real(left), to_real(right)


def equal(left: Term, right: Term) -> Term:
    if left.sort is Sort.BOOL:
        return _same_truth(left, right)
    left, right = _meet(left, right)
    if left == right:
        return TRUE
    if left.literal is not None and right.literal is not None:
        return boolean(left.literal == right.literal)
    return _apply(Sort.BOOL, "=", *sorted((left, right), key=lambda term: (term.literal is not None, term.text)))


def _same_truth(left: Term, right: Term) -> Term:
    if left == right:
        return TRUE
    if left.literal is not None:
        left, right = right, left
    if right.literal is not None:
        return left if right.literal else negation(left)
    return _apply(Sort.BOOL, "=", left, right)


def less(left: Term, right: Term) -> Term:
    left, right = _meet(left, right)
    if left == right:
        return FALSE
    if left.literal is not None and right.literal is not None:
        return boolean(left.literal < right.literal)
    return _apply(Sort.BOOL, "<", left, right)


def at_most(left: Term, right: Term) -> Term:
    left, right = _meet(left, right)
    if left == right:
        return TRUE
    if left.literal is not None and right.literal is not None:
        return boolean(left.literal <= right.literal)
    return _apply(Sort.BOOL, "<=", left, right)


def within(term: Term, values: Iterable[int]) -> Term:
    """That an integer is one of some values, by as few ranges as there are."""
    ranges: list[list[int]] = []
    for value in sorted(set(values)):
        if ranges and ranges[-1][1] == value - 1:
            ranges[-1][1] = value
        else:
            ranges.append([value, value])
    return disjunction(
        *(
            equal(term, integer(low))
            if low == high
            else conjunction(at_most(integer(low), term), at_most(term, integer(high)))
            for low, high in ranges
        )
    )


# ---------------------------------------------------------------------------- numbers


def to_real(term: Term) -> Term:
    if term.sort is Sort.REAL:
        return term
    if term.literal is not None:
        return real(Fraction(term.literal))
    return _apply(Sort.REAL, "to_real", term)


def number(value: int | Fraction) -> Term:
    return integer(value) if isinstance(value, int) else real(value)


def add(*terms: Term) -> Term:
    """The sum; of no terms, 0."""
    sort = Sort.REAL if any(term.sort is Sort.REAL for term in terms) else Sort.INT
    literal: int | Fraction = Fraction(0) if sort is Sort.REAL else 0
    parts: list[Term] = []
    for term in terms:
        if term.literal is None:
            parts.append(to_real(term) if sort is Sort.REAL else term)
        else:
            literal = literal + term.literal
    if literal or not parts:
        parts.append(number(literal))
    return parts[0] if len(parts) == 1 else _apply(sort, "+", *parts)


def multiply(left: Term, right: Term) -> Term:
    left, right = _meet(left, right)
    if left.literal is not None and right.literal is not None:
        return number(left.literal * right.literal)
    for one, other in ((left, right), (right, left)):
        if one.literal == 1:
            return other
        if one.literal == 0:
            return one
    return _apply(left.sort, "*", left, right)


def negate(term: Term) -> Term:
    return multiply(integer(-1), term)


def divide(left: Term, right: Term) -> Term:
    """A quotient of numbers; the caller keeps a divisor of zero away."""
    left, right = to_real(left), to_real(right)
    if left.literal is not None and right.literal:
        return real(Fraction(left.literal) / right.literal)
    return _apply(Sort.REAL, "/", left, right)


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    if condition.literal is not None:
        return then if condition.literal else otherwise
    if then == otherwise:
        return then
    if then.sort is Sort.BOOL:
        return disjunction(conjunction(condition, then), conjunction(negation(condition), otherwise))
    then, otherwise = _meet(then, otherwise)
    return _apply(then.sort, "ite", condition, then, otherwise)


def count(conditions: Iterable[Term]) -> Term:
    """How many of some conditions hold."""
    return add(*(choose(condition, integer(1), integer(0)) for condition in conditions))
