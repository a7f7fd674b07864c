"""Evidence: the values that decide a condition, under the author's own words for them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from cwkc.emit.expressions import delivered, emit, matching_calls
from cwkc.emit.literals import literal, tuple_display
from cwkc.emit.modules import source_text
from cwkc.emit.printer import Document, listed
from cwkc.emit.scope import Scope
from cwkc.meaning import typed
from cwkc.meaning.walk import children

_EXCEPTIONS = "exceptions to: "
_MISTAKES = "mistakes in: "


def evidence_of(condition: typed.Expr, scope: Scope) -> Document:
    """A tuple of pairs: a leaf of the condition as the author wrote it, and its value.

    A call stands for the indices of those that match; `some`, `no`, `all` and `only` for the records that match,
    `every` and `each` for those that do not fulfil what is asked; `delivered` for the fields that are wrong.
    """
    pairs: dict[str, Document] = {}
    for name, value in _leaves(condition, scope):
        pairs.setdefault(name, listed("(", (literal(name), value), ")"))
    return tuple_display(tuple(pairs.values()))


def _leaves(expr: typed.Expr, scope: Scope) -> Iterator[tuple[str, Document]]:
    name = source_text(expr.span)
    match expr:
        case typed.CallFact():
            yield name, matching_calls(expr, scope).document
        case typed.Binder(quantifier="every" | "each"):
            yield _EXCEPTIONS + name, emit(_exceptions(expr), scope).document
        case typed.Binder(quantifier="some" | "no"):
            yield name, emit(evolve(expr, quantifier="all"), scope).document
        case typed.FieldOf() | typed.Truth() | typed.Answer() | typed.Said() | typed.Binder() | typed.First():
            yield name, emit(expr, scope).document
        case typed.Delivered():
            yield _MISTAKES + name, delivered(expr, scope, "delivery").document
        case typed.Start() | typed.Sum() | typed.Lookup() | typed.StoreRecords():
            yield name, emit(expr, scope).document
        case _:
            for child in children(expr):
                yield from _leaves(child, scope)


def _exceptions(expr: typed.Binder) -> typed.Binder:
    """All that match and for which the body does not hold."""
    assert expr.body is not None, "the checker gives every `every` and `each` a body"
    failed: typed.Expr = typed.Not(expr.body, type=expr.type, span=expr.body.span)
    if expr.where is not None:
        failed = typed.Logical("and", expr.where, failed, type=expr.type, span=expr.span)
    return evolve(expr, quantifier="all", where=failed, body=None)
