"""Truths: a task's `let`s, evaluated in the initial world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from coworkdsl.operations import Undefined
from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.constants import without_value
from cwkc.meaning.evaluator import Scope, evaluate, holds
from cwkc.meaning.expressions import expect, infer
from cwkc.meaning.names import Names, Stage, TruthName
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.types import ERROR, TEXT, Optional, Type, required
from cwkc.meaning.walk import children, walk
from cwkc.syntax import tree

if TYPE_CHECKING:  # events are checked with the help of truths
    from cwkc.meaning.events import Course


def check_truths(
    nodes: Iterable[tree.TruthLet],
    names: Names,
    scope: Scope,
    rows: Iterable[typed.RowDef],
    is_whole: bool,
    course: Course | None = None,
) -> tuple[dict[str, typed.TruthDef], Names, Scope]:
    """Each truth with its value, and the scopes in which grading knows them. Where the rows are not whole, since
    something is wrong with them, nothing is said of a truth that has no value or an empty one. `course` evaluates those
    `after` an event; without it, they are left out."""
    nodes = tuple(node for node in nodes if (node.after is None) is (course is None))
    places = {row.id: row for row in rows}
    truths: dict[str, typed.TruthDef] = {}
    names = evolve(names, stage=Stage.TRUTH, later_truths={node.name.text: node.name.span for node in nodes})
    for node in nodes:
        if node.name.text in names.truths:
            first = Label(names.truths[node.name.text].span, "first defined here")
            names.sink.append(report("E262", node.name.span, kind="truth", name=node.name.text, related=(first,)))
            continue
        truth, kind = _truth(node, names, _Moment.of(node, course, scope, names), places, is_whole)
        truths[node.name.text] = truth
        later = {name: span for name, span in names.later_truths.items() if name != node.name.text}
        known = {**names.truths, node.name.text: TruthName(kind, node.name.span)}
        names = evolve(names, truths=known, later_truths=later)
        scope = evolve(scope, truths={**scope.truths, node.name.text: truth.value})
    return truths, names, scope


@frozen(eq=False)
class _Moment:
    """When a truth is evaluated: in the initial world, or after an event. `scope` is None where there is none such."""

    scope: Scope | None
    event: typed.EventDef | None = None
    course: Course | None = None

    @classmethod
    def of(cls, node: tree.TruthLet, course: Course | None, scope: Scope, names: Names) -> _Moment:
        if node.after is None or course is None:
            return cls(scope)
        event = course.events.get(node.after.text)
        if event is None:
            help = did_you_mean(node.after.text, course.events, "declare it with `on`")
            names.sink.append(report("E305", node.after.span, name=node.after.text, help=help))
            return cls(None)
        return cls(scope, event, course)

    def value(self, expr: typed.Expr, names: Names, places: dict[str, typed.RowDef]) -> Any:
        """The value of a truth; what is wrong with it is reported."""
        if self.scope is None or self.event is None or self.course is None:
            return None if self.scope is None else evaluate_fixed(expr, names, self.scope, places)
        value = evaluate_fixed(expr, names, self.course.after(self.event, self.scope), places)
        if value is not None and not self.course.is_fixed(expr, self.event, self.scope, value):
            names.sink.append(report("E306", expr.span, event=self.event.name))
        return value


def _truth(
    node: tree.TruthLet, names: Names, moment: _Moment, places: dict[str, typed.RowDef], is_whole: bool
) -> tuple[typed.TruthDef, Type]:
    before = len(names.sink)
    expr = infer(node.value, names.statement())
    value = None
    if len(names.sink) == before:
        value = moment.value(expr, names if is_whole else evolve(names, sink=[]), places)
    broken = len(names.sink) > before or moment.scope is None or (not is_whole and value in (None, ()))
    kind = ERROR if broken else _settled(expr, value)
    after = moment.event.name if moment.event else None
    return typed.TruthDef(node.name.text, expr, None if broken else value, after, span=node.name.span), kind


def _settled(expr: typed.Expr, value: Any) -> Type:
    """The type of a truth once its value is known: one that is not null is never null."""
    return required(expr.type) if value is not None and isinstance(expr.type, Optional) else expr.type


def evaluate_fixed(expr: typed.Expr, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> Any:
    """The value in the initial world; every `only` in it must name exactly one record, and no `first` cut a tie."""
    try:
        if not _descriptions_hold(expr, names, scope, places):
            return None
        return evaluate(expr, scope)
    except Undefined as failure:
        names.sink.append(without_value(failure, expr.span))
        return None


def fixed_text(node: tree.Expression, names: Names, scope: Scope) -> tuple[typed.Expr, str | None]:
    """A text with the values that it names, in the initial world; None where it has mistakes, which are told."""
    before = len(names.sink)
    expr = expect(node, names.at(Stage.TRUTH).statement(), TEXT)
    if len(names.sink) > before or any(part.type == ERROR for part in walk(expr)):
        return expr, None
    text = evaluate_fixed(expr, names, scope, {})
    return expr, None if len(names.sink) > before else str(text or "").strip()


def _descriptions_hold(expr: typed.Expr, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> bool:
    if isinstance(expr, typed.Binder):
        if not _descriptions_hold(expr.source, names, scope, places):
            return False
        return expr.quantifier != "only" or _describes_one(expr, names, scope, places)
    if isinstance(expr, typed.Sum):
        return _descriptions_hold(expr.source, names, scope, places)
    if isinstance(expr, typed.First) and expr.binder.order is not None and _cuts_a_tie(expr, names, scope, places):
        return False
    return all(_descriptions_hold(child, names, scope, places) for child in children(expr))


def _cuts_a_tie(expr: typed.First, names: Names, scope: Scope, places: dict[str, typed.RowDef]) -> bool:
    """Whether the last that is taken and the first that is left are equal in what they are ordered by."""
    assert expr.binder.order is not None
    count, found = evaluate(expr.count, scope), evaluate(expr.binder, scope) or ()
    if not isinstance(count, int) or not 0 < count < len(found):
        return False
    name, key = expr.binder.variable.name, expr.binder.order.key
    last, left = (evaluate(key, scope.bind(name, value)) for value in found[count - 1 : count + 1])
    if last != left:
        return False
    tied = found[count - 1 : count + 1]
    known = [value for value in tied if isinstance(value, str) and value in places]
    related = tuple(Label(places[value].span, "is tied") for value in known)
    words: dict[str, Any] = {"count": count, "key": key.span.text, "shown": _listed(tied, places)}
    names.sink.append(report("E233", expr.span, related=related, **words))
    return True


def _listed(values: Iterable[Any], places: dict[str, typed.RowDef]) -> str:
    return ", ".join(f"`@{value}`" if isinstance(value, str) and value in places else repr(value) for value in values)


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
        words: dict[str, Any] = {"count": len(found), "shown": _listed(found[:8], places)}
        names.sink.append(report("E232", expr.span, related=related, **words))
    else:
        names.sink.append(report("E231", expr.span, count=len(everything)))
    return False
