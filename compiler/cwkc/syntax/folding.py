"""Flat sequences of operators and operands folded by precedence."""

from __future__ import annotations

from attrs import define, frozen

from cwkc.source import Span
from cwkc.syntax import tree
from cwkc.syntax.reading import Reading

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "contains", "matches", "mentions", "states", "before"})
SUMS = frozenset({"+", "-"})
PRODUCTS = frozenset({"*", "/"})


@frozen
class Operator:
    """A prefix or a binary operator; the second word of `mentions any of` is its mode."""

    words: tuple[str, ...]
    span: Span
    prefix: bool = False

    @property
    def sign(self) -> str:
        return self.words[0]


@frozen
class Suffix:
    """`is null` (then without items) or `lists a, b in order`."""

    items: tuple[tree.Expression, ...]
    span: Span


Part = Operator | Suffix | tree.Expression


def fold(reading: Reading, parts: list[Part]) -> tree.Expression:
    """The expression that the parts make; what is out of place among them is reported and `Broken`."""
    return _Folding(reading, parts).disjunction()


@define
class _Folding:
    """One method per level of precedence; each reads on from `position`."""

    reading: Reading
    parts: list[Part]
    position: int = 0

    def disjunction(self) -> tree.Expression:
        left = self.conjunction()
        while operator := self._take({"or"}):
            left = _binary(operator, left, self.conjunction())
        return left

    def conjunction(self) -> tree.Expression:
        left = self.negation()
        while operator := self._take({"and"}):
            left = _binary(operator, left, self.negation())
        return left

    def negation(self) -> tree.Expression:
        signs = self._prefixes("not")
        return _signed(signs, self.comparison())

    def comparison(self) -> tree.Expression:
        left = self.sum()
        if self._at_end():
            return left
        compared = self._compared(left)
        if self._at_end():
            return compared
        return self._chained(compared)

    def sum(self) -> tree.Expression:
        left = self.product()
        while operator := self._take(SUMS):
            left = _binary(operator, left, self.product())
        return left

    def product(self) -> tree.Expression:
        left = self.signed()
        while operator := self._take(PRODUCTS):
            left = _binary(operator, left, self.signed())
        return left

    def signed(self) -> tree.Expression:
        signs = []
        while isinstance(sign := self.parts[self.position], Operator):
            if sign.sign == "not":
                self._refuse_not(sign)
            signs.append(sign)
            self.position += 1
        self.position += 1
        assert isinstance(sign, tree.Expression)
        return _signed(signs, sign)

    def _compared(self, left: tree.Expression) -> tree.Expression:
        """The comparison that begins after its left side."""
        operator = self.parts[self.position]
        self.position += 1
        if isinstance(operator, Suffix):
            span = left.span.to(operator.span)
            return tree.Lists(left, operator.items, span=span) if operator.items else tree.IsNull(left, span=span)
        assert isinstance(operator, Operator)
        right = self.sum()
        span = left.span.to(right.span)
        match operator.sign:
            case "states":
                return self._states(left, operator, right)
            case "within":
                self.reading.complain("E123", operator.span)
                return tree.Broken(span=span)
            case "mentions":
                return tree.Mentions(left, operator.words[1], right, span=span)
        return _binary(operator, left, right)

    def _states(self, subject: tree.Expression, operator: Operator, number: tree.Expression) -> tree.Expression:
        if self._take({"within"}):
            tolerance = self.sum()
            return tree.States(subject, number, tolerance, span=subject.span.to(tolerance.span))
        self.reading.complain("E122", operator.span)
        return tree.Broken(span=subject.span.to(number.span))

    def _chained(self, first: tree.Expression) -> tree.Expression:
        """Report what follows a comparison as if it were a sum, and skip to the next `and` or `or`."""
        second = self.parts[self.position]
        if not isinstance(first, tree.Broken):
            shown = " ".join(second.span.text.split())
            self.reading.complain("E120", second.span, first=" ".join(first.span.text.split()), second=shown)
        while not self._at_end():
            self.position += 1
        return tree.Broken(span=first.span.to(self.parts[self.position - 1].span))

    def _at_end(self) -> bool:
        """Whether the comparison ends here: at the end, or before `and` or `or`."""
        if self.position == len(self.parts):
            return True
        part = self.parts[self.position]
        return isinstance(part, Operator) and not part.prefix and part.sign in ("and", "or")

    def _take(self, signs: set[str] | frozenset[str]) -> Operator | None:
        """The next part, passed over, if it is a binary operator among these."""
        if self.position == len(self.parts):
            return None
        part = self.parts[self.position]
        if isinstance(part, Operator) and not part.prefix and part.sign in signs:
            self.position += 1
            return part
        return None

    def _prefixes(self, sign: str) -> list[Operator]:
        signs = []
        while isinstance(part := self.parts[self.position], Operator) and part.sign == sign:
            signs.append(part)
            self.position += 1
        return signs

    def _refuse_not(self, sign: Operator) -> None:
        before = self.parts[self.position - 1]
        if isinstance(before, Operator) and before.sign != "not":
            self.reading.complain("E121", sign.span, operator=" ".join(before.words))


def _binary(operator: Operator, left: tree.Expression, right: tree.Expression) -> tree.Binary:
    return tree.Binary(operator.sign, left, right, operator_span=operator.span, span=left.span.to(right.span))


def _signed(signs: list[Operator], operand: tree.Expression) -> tree.Expression:
    for sign in reversed(signs):
        operand = tree.Unary(sign.sign, operand, span=sign.span.to(operand.span))
    return operand
