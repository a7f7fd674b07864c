"""What every part of the builder does: spans, names, and diagnostics gathered on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
from attrs import define, field
from lark import Token, Tree

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.scanner import NESTING

Branch = Any
Children = list[Any]

# How many nodes of an expression may stand one in the other: `a + b + c` is three.
CHAIN = 128


class Unreadable(Exception):
    """An item cannot be kept: for what was written in it, or because later stages could not follow its nesting."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


@define
class Reading:
    """A file, or one item of it, on its way from lark's tree to ours."""

    source: Source
    diagnostics: list[Diagnostic] = field(factory=list)
    depth: int = 0

    def span(self, first: Branch, last: Branch | None = None) -> Span:
        """From the first character of `first` to the last of `last` (of `first` alone)."""
        start, end = first, first if last is None else last
        while isinstance(start, Tree):
            start = start.children[0]
        while isinstance(end, Tree):
            end = end.children[-1]
        return Span(self.source, start.start_pos, end.start_pos + len(end))

    def complain(self, code: str, span: Span, **words: Any) -> None:
        """Report a mistake that leaves its surroundings as they are."""
        self.diagnostics.append(report(code, span, **words))

    def identifier(self, token: Token) -> tree.Identifier:
        return tree.Identifier(str(token), span=self.span(token))

    def identifiers(self, children: Children) -> tuple[tree.Identifier, ...]:
        """Every name that is itself one of the children."""
        return tuple(self.identifier(token) for token in tokens(children, "NAME"))

    def path(self, whole: Branch) -> tree.Path:
        return tree.Path(self.identifiers(whole.children), span=self.span(whole))

    def descend(self, whole: Branch) -> None:
        """One level further into an expression.

        Raises:
            Unreadable: there are more levels than `NESTING`.
        """
        self.depth += 1
        if self.depth > NESTING:
            raise Unreadable(report("E108", self.span(whole), limit=NESTING))

    def ascend(self, built: tree.Expression) -> None:
        """Back out of an expression.

        Raises:
            Unreadable: in a whole expression more nodes than `CHAIN` stand one in the other.
        """
        self.depth -= 1
        if self.depth == 0 and built.span.end - built.span.start > CHAIN and _depth(built) > CHAIN:
            raise Unreadable(report("E108", built.span, limit=CHAIN))


def _depth(built: tree.Expression) -> int:
    """How many nodes stand one in the other."""
    deepest = 0
    waiting: list[tuple[tree.Node, int]] = [(built, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        for name in attrs.fields_dict(type(node)):
            value = getattr(node, name)
            children = value if isinstance(value, tuple) else (value,)
            waiting.extend((child, depth + 1) for child in children if isinstance(child, tree.Node))
    return deepest


def operands(children: Children) -> Iterable[Branch]:
    """What commas separate."""
    return (child for child in children if not (isinstance(child, Token) and child.type == "COMMA"))


def tokens(children: Children, kind: str) -> Iterable[Token]:
    return (child for child in children if isinstance(child, Token) and child.type == kind)


def token(children: Children, kind: str) -> Token | None:
    """The first child that is a token of this kind."""
    return next(iter(tokens(children, kind)), None)


def branches(children: Children, rule: str) -> Iterable[Branch]:
    return (child for child in children if isinstance(child, Tree) and child.data == rule)


def branch(children: Children, rule: str) -> Branch | None:
    """The first child that was read by this rule."""
    return next(iter(branches(children, rule)), None)
