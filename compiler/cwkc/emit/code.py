"""Pieces of Python: a document, and how tightly its outermost operator binds."""

from __future__ import annotations

from enum import IntEnum

from attrs import evolve, frozen

from cwkc.emit.printer import SPACE, Document, Group, bracketed, joined, listed, wrapped


class Level(IntEnum):
    LAMBDA = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    SIGN = 6
    ATOM = 7


@frozen
class Code:
    """`opposite`: the same comparison the other way round, `a != b` for `a == b`, where there is one."""

    document: Document
    level: Level = Level.ATOM
    opposite: Document | None = None

    def within(self, level: Level) -> Document:
        """The document where only what binds at least as tightly as `level` may stand without parentheses."""
        return self.document if self.level >= level else bracketed("(", self.document, ")")

    def alone(self) -> Document:
        """The document as a statement holds it: whole operations get parentheses when they take several lines."""
        return self.document if self.level is Level.ATOM else wrapped(self.document)


def call(function: str, *arguments: Code | Document) -> Code:
    return Code(listed(f"{function}(", map(argument, arguments), ")"))


def argument(piece: Code | Document) -> Document:
    return piece.document if isinstance(piece, Code) else piece


def chain(operator: str, parts: list[Document], level: Level) -> Code:
    """Operands with one operator between them, which leads the lines when there are several."""
    return Code(Group(joined(parts, (SPACE, f"{operator} "))), level)


def infix(left: Code, operator: str, right: Code, level: Level) -> Code:
    """A binary operation whose operands are put in parentheses unless they bind more tightly; for `+` and `-`
    the left one may bind as tightly."""
    left_level = level if level is Level.SUM else Level(level + 1)
    operands = [left.within(left_level), right.within(Level(level + 1))]
    other = _OPPOSITES.get(operator)
    opposite = chain(other, operands, level).document if other else None
    return evolve(chain(operator, operands, level), opposite=opposite)


_OPPOSITES = {"==": "!=", "!=": "==", "in": "not in", "is": "is not", "is not": "is"}


def negated(operand: Code) -> Code:
    if operand.opposite is not None:
        return Code(operand.opposite, Level.COMPARISON)
    return Code(("not ", operand.within(Level.NOT)), Level.NOT)


def over(function: str, element: Document, header: Document) -> Code:
    """A function of one generator expression."""
    return Code(bracketed(f"{function}(", comprehended(element, header), ")"))


def comprehended(element: Document, header: Document) -> Document:
    return Group((Group(element), SPACE, header))


def lambda_of(parameters: str, body: Code) -> Code:
    return Code((f"lambda {parameters}: ", body.alone()), Level.LAMBDA)
