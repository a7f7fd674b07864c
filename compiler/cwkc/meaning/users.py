"""The simulated user: what they are like, what they know and when they tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from coworkdsl.script import PATIENCE
from coworkdsl.values import in_words
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import constant
from cwkc.meaning.declarations import report_duplicates
from cwkc.meaning.evaluator import Scope as Values
from cwkc.meaning.evaluator import evaluate
from cwkc.meaning.expressions import condition, expect, infer
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.operators import named
from cwkc.meaning.truths import evaluate_fixed
from cwkc.meaning.types import INT, TEXT, ListOf, Reference, RowType, Type, required
from cwkc.source import Span
from cwkc.syntax import tree


def check_user(
    nodes: Iterable[tree.User], names: Names, values: Values, rows: Iterable[typed.RowDef]
) -> typed.UserDef | None:
    """The user of a task, if it has one: without the conditions on which facts are told, which may ask for others."""
    nodes = tuple(nodes)
    if not nodes:
        return None
    for second in nodes[1:]:
        first = Label(nodes[0].span, "the first one")
        names.sink.append(report("E262", second.span, kind="user", name="user", related=(first,)))
    node = nodes[0]
    report_duplicates((fact.name for fact in node.facts), "fact", names.sink)
    places = {row.id: row for row in rows}
    persona = _persona(node, names, values, places)
    facts = {fact.name.text: _fact(fact, names, values, places) for fact in node.facts}
    return typed.UserDef(persona, facts, _patience(node, names), span=node.span)


def with_conditions(user: typed.UserDef, nodes: Iterable[tree.User], names: Names) -> typed.UserDef:
    """The user with the conditions on which each fact is told."""
    asked = {fact.name.text: fact.when for node in nodes for fact in node.facts}
    scope = evolve(names, stage=Stage.GRADING)
    facts = {name: _with_condition(fact, asked[name], scope) for name, fact in user.facts.items()}
    return evolve(user, facts=facts)


def _with_condition(fact: typed.FactDef, node: tree.Expression | None, names: Names) -> typed.FactDef:
    return fact if node is None else evolve(fact, asked=condition(node, names.statement()))


def _persona(node: tree.User, names: Names, values: Values, places: Mapping[str, typed.RowDef]) -> str:
    if node.persona is None:
        return ""
    expr = expect(node.persona, names.at(Stage.TRUTH).statement(), TEXT)
    return str(evaluate_fixed(expr, names, values, dict(places)) or "").strip()


def _fact(node: tree.Fact, names: Names, values: Values, places: Mapping[str, typed.RowDef]) -> typed.FactDef:
    before = len(names.sink)
    expr = infer(node.value, names.at(Stage.TRUTH).statement())
    if not _can_be_said(expr.type):
        names.sink.append(report("E206", node.value.span, found=named(expr.type), wanted="one value"))
    value = evaluate_fixed(expr, names, values, dict(places)) if len(names.sink) == before else None
    null = _null_part(expr, values) if len(names.sink) == before else None
    if null is not None:
        names.sink.append(report("E311", null.span, part=null.span.text, name=node.name.text))
    if len(names.sink) == before and in_words(value).strip() == "":
        names.sink.append(report("E301", node.span, name=node.name.text))
    return typed.FactDef(node.name.text, value, in_words(value), None, span=node.span)


def _null_part(expr: typed.Expr, values: Values) -> typed.Expr | None:
    """The first part of a text that is null."""
    parts = expr.parts if isinstance(expr, typed.Interpolation) else ()
    return next((part for part in parts if evaluate(part, values) is None), None)


def _can_be_said(type: Type) -> bool:
    return not isinstance(required(type), ListOf | RowType | Reference)


def _patience(node: tree.User, names: Names) -> int:
    if node.patience is None:
        return PATIENCE
    return whole_number(node.patience, names, "E239")


def whole_number(node: tree.Expression, names: Names, code: str) -> int:
    """A number of turns, from 1; a lesser one is reported under the code."""
    number: Any = constant(node, names.at(Stage.CONSTANT), INT)
    if number is not None and number < 1:
        names.sink.append(report(code, node.span, written=str(number)))
    return number or 1


def told_spans(nodes: Iterable[tree.User]) -> list[tuple[str, Span]]:
    """The texts of users, with their places."""
    nodes = tuple(nodes)
    values = [fact.value for node in nodes for fact in node.facts] + [node.persona for node in nodes if node.persona]
    return [(value.span.text, value.span) for value in values if isinstance(value, tree.Text | tree.Interpolation)]
