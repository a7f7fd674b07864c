"""Truths: a task's `let`s, evaluated in the initial world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from coworkdsl.operations import DivisionByZero
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate, holds
from cwkc.meaning.expressions import infer
from cwkc.meaning.names import Names, Stage, TruthName
from cwkc.meaning.types import ERROR, Optional, Type, required
from cwkc.meaning.walk import children
from cwkc.syntax import tree


def check_truths(
    nodes: Iterable[tree.TruthLet], names: Names, scope: Scope, rows: Iterable[typed.RowDef], is_whole: bool
) -> tuple[dict[str, typed.TruthDef], Names, Scope]:
    """Each truth with its value, and the scopes in which grading knows them. Where the rows are not whole, since
    something is wrong with them, nothing is said of a truth that has no value or an empty one."""
    nodes = tuple(nodes)
    places = {row.id: row for row in rows}
    truths: dict[str, typed.TruthDef] = {}
    names = evolve(names, stage=Stage.TRUTH, later_truths={node.name.text: node.name.span for node in nodes})
    for node in nodes:
        if node.name.text in names.truths:
            first = Label(names.truths[node.name.text].span, "first defined here")
            names.sink.append(report("E262", node.name.span, kind="truth", name=node.name.text, related=(first,)))
            continue
        if node.after is not None:
            names.sink.append(report("E240", node.after.span, construct="after"))
        truth, kind = _truth(node, names, scope, places, is_whole)
        truths[node.name.text] = truth
        later = {name: span for name, span in names.later_truths.items() if name != node.name.text}
        known = {**names.truths, node.name.text: TruthName(kind, node.name.span)}
        names = evolve(names, truths=known, later_truths=later)
        scope = evolve(scope, truths={**scope.truths, node.name.text: truth.value})
    return truths, names, scope


def _truth(
    node: tree.TruthLet, names: Names, scope: Scope, places: dict[str, typed.RowDef], is_whole: bool
) -> tuple[typed.TruthDef, Type]:
    before = len(names.sink)
    expr = infer(node.value, names.statement())
    value = None
    if len(names.sink) == before and node.after is None:
        value = evaluate_fixed(expr, names if is_whole else evolve(names, sink=[]), scope, places)
    broken = len(names.sink) > before or (not is_whole and value in (None, ()))
    kind = ERROR if broken else _settled(expr, value)
    return typed.TruthDef(node.name.text, expr, None if broken else value, span=node.name.span), kind


def _settled(expr: typed.Expr, value: Any) -> Type:
    """The type of a truth once its value is known: one that is not null is never null."""
    return required(expr.type) if value is not None and isinstance(expr.type, Optional) else expr.type


def evaluate_fixed(expr: typed.Expr, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> Any:
    """The value in the initial world; every `only` in it must name exactly one record."""
    try:
        if not _descriptions_hold(expr, names, scope, places):
            return None
        return evaluate(expr, scope)
    except DivisionByZero:
        names.sink.append(report("E230", expr.span))
        return None


def _descriptions_hold(expr: typed.Expr, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> bool:
    if isinstance(expr, typed.Binder):
        if not _descriptions_hold(expr.source, names, scope, places):
            return False
        return expr.quantifier != "only" or _describes_one(expr, names, scope, places)
    if isinstance(expr, typed.Sum):
        return _descriptions_hold(expr.source, names, scope, places)
    return all(_descriptions_hold(child, names, scope, places) for child in children(expr))


def _describes_one(expr: typed.Binder, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> bool:
    everything = evaluate(expr.source, scope) or ()
    found = [
        value for value in everything if expr.where is None or holds(expr.where, scope.bind(expr.variable.name, value))
    ]
    if len(found) == 1:
        return True
    known = [value for value in found if isinstance(value, str) and value in places]
    related = tuple(Label(places[value].span, "matches") for value in known[:8])
    if found:
        shown = ", ".join(f"`@{value}`" if value in known else repr(value) for value in found[:8])
        words: dict[str, Any] = {"count": len(found), "shown": shown}
        names.sink.append(report("E232", expr.span, related=related, **words))
    else:
        names.sink.append(report("E231", expr.span, count=len(everything)))
    return False
