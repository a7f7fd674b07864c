"""Expressions: from syntax to the typed tree.

`infer` gives an expression its type, `expect` holds it against the type that its place wants. Both report into
the scope's sink and go on with a broken expression, whose type agrees with everything.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.builtins import infer_application
from cwkc.meaning.facts import infer_call_fact, infer_delivered, infer_learned, infer_precedence, refuse_outside_grading
from cwkc.meaning.literals import convert_text
from cwkc.meaning.lookup import infer_argument, infer_name, infer_record_id, infer_service_member
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean, near
from cwkc.meaning.observing import noted
from cwkc.meaning.operators import arithmetic, assignable, comparable, is_dynamic, named, ordered
from cwkc.meaning.patterns import check_pattern
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    EMAIL,
    ERROR,
    INT,
    JSON,
    NULL,
    TEXT,
    EnumType,
    ListOf,
    Optional,
    Reference,
    RowType,
    Type,
    is_numeric,
    is_textual,
    optional,
    required,
)
from cwkc.meaning.vocabularies import infer_pick
from cwkc.source import Span
from cwkc.syntax import tree


def broken(span: Span) -> typed.Expr:
    return typed.Constant(None, type=ERROR, span=span)


def infer(node: tree.Expression, names: Names, expected: Type | None = None) -> typed.Expr:
    """The typed expression; `expected` decides what literals and bare names stand for, and is not enforced."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        names.sink.append(report("E255", node.span))
        return broken(node.span)
    return noted(node, names, expected, handler(node, names, expected))


def expect(node: tree.Expression, names: Names, wanted: Type, why: Label | None = None) -> typed.Expr:
    """The typed expression, of a type that may stand where `wanted` is wanted."""
    expr = infer(node, names, wanted)
    if assignable(expr.type, wanted):
        return widen(expr, wanted)
    related = (why,) if why else ()
    if isinstance(expr.type, Optional) and assignable(expr.type.item, wanted):
        names.sink.append(report("E225", node.span, found=node.span.text, wanted=named(wanted), related=related))
    else:
        words: dict[str, Any] = {"found": named(expr.type), "wanted": named(wanted)}
        names.sink.append(report("E206", node.span, help=_mismatch_help(expr.type, wanted), related=related, **words))
    return broken(node.span)


def condition(node: tree.Expression, names: Names) -> typed.Expr:
    """A condition: true, false, or null, which counts as false."""
    expr = infer(node, names, BOOL)
    if not (is_dynamic(expr.type) or required(expr.type) in (BOOL, NULL)):
        names.sink.append(report("E221", node.span, found=named(expr.type)))
        return broken(node.span)
    return expr


def widen(expr: typed.Expr, wanted: Type) -> typed.Expr:
    """An integer constant as the decimal that is wanted."""
    if isinstance(expr, typed.Constant) and type(expr.value) is int and required(wanted) == DECIMAL:
        return typed.Constant(Fraction(expr.value), type=DECIMAL, span=expr.span)
    return expr


def _mismatch_help(found: Type, wanted: Type) -> str:
    found, wanted = required(found), required(wanted)
    if is_numeric(found) and wanted == DURATION:
        return "a duration carries its unit: write `48h` or `3d`"
    if isinstance(wanted, Reference) and is_textual(found):
        return "a record is named by its id with an at sign: write `@TK-1`"
    if isinstance(found, Reference) and is_textual(wanted):
        return "for the id of a record as text, write `.id` behind it"
    if isinstance(wanted, ListOf) and assignable(found, wanted.item):
        return "write a list: `[…]` around it"
    if found == DATE and wanted == DATETIME:
        return "a time has a clock and a zone behind its date, like `2026-03-14T09:00:00Z`"
    if found == DATETIME and wanted == DATE:
        return "the date of a time is `date(…)`"
    return ""


# ---------------------------------------------------------------------------- literals


def _number(node: tree.Number, names: Names, expected: Type | None) -> typed.Expr:
    kind = INT if isinstance(node.value, int) else DECIMAL
    return typed.Constant(node.value, type=kind, span=node.span)


def _moment(node: tree.Moment, names: Names, expected: Type | None) -> typed.Expr:
    kind = DATETIME if hasattr(node.value, "hour") else DATE
    return typed.Constant(node.value, type=kind, span=node.span)


def _length(node: tree.Length, names: Names, expected: Type | None) -> typed.Expr:
    return typed.Constant(node.value, type=DURATION, span=node.span)


def _text(node: tree.Text, names: Names, expected: Type | None) -> typed.Expr:
    return convert_text(node, names, expected)


def _truth(node: tree.Truth, names: Names, expected: Type | None) -> typed.Expr:
    return typed.Constant(node.value, type=BOOL, span=node.span)


def _null(node: tree.Null, names: Names, expected: Type | None) -> typed.Expr:
    return typed.Constant(None, type=NULL, span=node.span)


def _interpolation(node: tree.Interpolation, names: Names, expected: Type | None) -> typed.Expr:
    parts = tuple(
        typed.Constant(part.value, type=TEXT, span=part.span) if isinstance(part, tree.Text) else _part(part, names)
        for part in node.parts
    )
    return typed.Interpolation(parts, type=TEXT, span=node.span)


def _part(path: tree.Path, names: Names) -> typed.Expr:
    expr: tree.Expression = tree.Name(path.names[0].text, span=path.names[0].span)
    for name in path.names[1:]:
        expr = tree.Member(expr, name, span=expr.span.to(name.span))
    value = infer(expr, names)
    if isinstance(required(value.type), ListOf | RowType):
        names.sink.append(report("E206", path.span, found=named(value.type), wanted="one value"))
        return broken(path.span)
    return value


def _list(node: tree.ListDisplay, names: Names, expected: Type | None) -> typed.Expr:
    core = required(expected) if expected else None
    item = core.item if isinstance(core, ListOf) else None
    items: list[typed.Expr] = []
    for child in node.items:
        value = expect(child, names, item) if item else infer(child, names, items[0].type if items else None)
        if items and not item and not comparable(items[0].type, value.type):
            words: dict[str, Any] = {"found": named(value.type), "wanted": named(items[0].type)}
            first = Label(items[0].span, "the list begins with this")
            names.sink.append(report("E206", child.span, related=(first,), **words))
            value = broken(child.span)
        items.append(value)
    kind = item or (_joined(items) if items else NULL)
    return typed.ListDisplay(tuple(items), type=ListOf(kind), span=node.span)


def _joined(items: list[typed.Expr]) -> Type:
    if DECIMAL in {item.type for item in items} and all(is_numeric(item.type) for item in items):
        return DECIMAL
    return items[0].type


# ---------------------------------------------------------------------------- paths


def _member(node: tree.Member, names: Names, expected: Type | None) -> typed.Expr:
    if isinstance(node.base, tree.Name):
        member = infer_argument(node, names) or infer_service_member(node.base, node, names)
        if member is not None:
            return member
    base = infer(node.base, names)
    return field_of(base, node.name, names, node.span)


def field_of(base: typed.Expr, name: tree.Identifier, names: Names, span: Span) -> typed.Expr:
    core = required(base.type)
    if isinstance(core, Reference):
        return _record_field(base, core, name, names, span)
    if isinstance(core, RowType):
        columns = dict(core.columns)
        if name.text in columns:
            return typed.ColumnOf(base, name.text, type=columns[name.text], span=span)
        names.sink.append(
            report("E205", name.span, owner="this row", name=name.text, help=did_you_mean(name.text, columns))
        )
        return broken(span)
    if core == JSON:
        return typed.ColumnOf(base, name.text, type=JSON, span=span)
    if core != ERROR:
        names.sink.append(report("E257", name.span, name=name.text, found=named(base.type), help=_no_field_help(core)))
    return broken(span)


def _record_field(base: typed.Expr, core: Reference, name: tree.Identifier, names: Names, span: Span) -> typed.Expr:
    fields = names.fields(core.record)
    if name.text in fields:
        field = fields[name.text]
        kind = optional(field.type) if isinstance(base.type, Optional) else field.type
        return typed.FieldOf(base, core.record, name.text, type=kind, span=span)
    if name.text == "id":
        return typed.IdOf(base, type=optional(TEXT) if isinstance(base.type, Optional) else TEXT, span=span)
    close = near(name.text, fields)
    declared = (Label(fields[close].span, "declared here"),) if close else ()
    words: dict[str, Any] = {"owner": f"`{core.record}`", "name": name.text}
    help = did_you_mean(name.text, [*fields, "id"])
    names.sink.append(report("E205", name.span, help=help, related=declared, **words))
    return broken(span)


def _no_field_help(core: Type) -> str:
    if isinstance(core, ListOf):
        return "a list has no fields of its own: take one record of it with `only`, or ask `some x in …`"
    return ""


def _index(node: tree.Index, names: Names, expected: Type | None) -> typed.Expr:
    base = infer(node.base, names)
    if isinstance(base, typed.StoreRecords):
        reference = required(base.type.item) if isinstance(base.type, ListOf) else ERROR
        key = infer(node.key, names, TEXT)
        if not (is_textual(key.type) or is_dynamic(key.type)) and key.type != reference:
            names.sink.append(report("E206", node.key.span, found=named(key.type), wanted="a record's id"))
            return broken(node.span)
        return typed.Lookup(base.store, key, type=optional(reference), span=node.span)
    if not is_dynamic(base.type):
        names.sink.append(report("E258", node.span, found=named(base.type)))
    return broken(node.span)


def _selection(node: tree.Selection, names: Names, expected: Type | None) -> typed.Expr:
    names.sink.append(report("E259", node.span))
    return broken(node.span)


# ---------------------------------------------------------------------------- operators


def _unary(node: tree.Unary, names: Names, expected: Type | None) -> typed.Expr:
    if node.operator == "not":
        return typed.Not(condition(node.operand, names), type=BOOL, span=node.span)
    operand = infer(node.operand, names, expected)
    if not (is_numeric(operand.type) or required(operand.type) == DURATION or is_dynamic(operand.type)):
        names.sink.append(report("E206", node.operand.span, found=named(operand.type), wanted="a number"))
        return broken(node.span)
    if isinstance(operand, typed.Constant) and operand.value is not None:
        return typed.Constant(-operand.value, type=operand.type, span=node.span)
    return typed.Negate(operand, type=operand.type, span=node.span)


def _binary(node: tree.Binary, names: Names, expected: Type | None) -> typed.Expr:
    if node.operator in ("and", "or"):
        left, right = condition(node.left, names), condition(node.right, names)
        return typed.Logical(node.operator, left, right, type=BOOL, span=node.span)
    if node.operator == "before":
        return infer_precedence(node, names, CHECKER)
    if node.operator in ("contains", "matches"):
        return text_test(node.operator, node.left, (node.right,), names, node.span)
    if node.operator == "in":
        return _membership(node, names)
    if node.operator in "+-*/":
        return _arithmetic(node, names, expected)
    return _comparison(node, names)


def _needs_expectation(node: tree.Expression, names: Names) -> bool:
    """Whether the type of the other side decides what this one stands for."""
    if isinstance(node, tree.Name):
        nearer = (names.variables, names.arguments, names.truths, names.parameters)
        return not any(node.text in known for known in nearer)
    return isinstance(node, tree.Text | tree.ListDisplay | tree.Null)


def pair(left: tree.Expression, right: tree.Expression, names: Names) -> tuple[typed.Expr, typed.Expr]:
    """Both sides of a comparison, each literal or bare name read in the light of the other side."""
    if _needs_expectation(left, names) and not _needs_expectation(right, names):
        second = infer(right, names)
        return infer(left, names, second.type), second
    first = infer(left, names)
    return first, infer(right, names, first.type)


def _comparison(node: tree.Binary, names: Names) -> typed.Expr:
    left, right = pair(node.left, node.right, names)
    equality = node.operator in ("==", "!=")
    fits = comparable(left.type, right.type) if equality else ordered(left.type, right.type)
    if not fits:
        words: dict[str, Any] = {"operator": node.operator, "left": named(left.type), "right": named(right.type)}
        help = _mismatch_help(right.type, left.type) or _mismatch_help(left.type, right.type)
        names.sink.append(report("E207", node.span, help=help, **words))
        return broken(node.span)
    email = equality and EMAIL in (required(left.type), required(right.type))
    return typed.Compare(node.operator, left, right, email, type=BOOL, span=node.span)


def _membership(node: tree.Binary, names: Names) -> typed.Expr:
    if isinstance(node.right, tree.ListDisplay):
        left = infer(node.left, names)
        right = infer(node.right, names, ListOf(required(left.type)))
    else:
        right = infer(node.right, names)
        core = required(right.type)
        left = infer(node.left, names, core.item if isinstance(core, ListOf) else None)
    core = required(right.type)
    if is_dynamic(core):
        return typed.Membership(left, right, False, type=BOOL, span=node.span)
    if not isinstance(core, ListOf):
        help = "on text, write `text contains …`" if is_textual(core) else ""
        names.sink.append(report("E206", node.right.span, found=named(core), wanted="a list", help=help))
        return broken(node.span)
    if not comparable(left.type, core.item):
        words: dict[str, Any] = {"operator": "in", "left": named(left.type), "right": named(core)}
        names.sink.append(report("E207", node.span, help=_mismatch_help(left.type, core.item), **words))
        return broken(node.span)
    email = EMAIL in (required(left.type), required(core.item))
    return typed.Membership(left, right, email, type=BOOL, span=node.span)


def _arithmetic(node: tree.Binary, names: Names, expected: Type | None) -> typed.Expr:
    hint = expected if isinstance(expected, ListOf) else None
    left = infer(node.left, names, hint)
    known = isinstance(left.type, ListOf) and left.type.item != NULL
    right = infer(node.right, names, left.type if known else None)
    kind = arithmetic(node.operator, left.type, right.type)
    if kind is None:
        words: dict[str, Any] = {"operator": node.operator, "left": named(left.type), "right": named(right.type)}
        names.sink.append(report("E208", node.span, help=_arithmetic_help(left.type, right.type), **words))
        return broken(node.span)
    return typed.Arithmetic(node.operator, left, right, type=kind, span=node.span)


def _arithmetic_help(left: Type, right: Type) -> str:
    if is_numeric(right) and required(left) in (DATE, DATETIME, DURATION):
        return "a duration carries its unit: write `3d`, or `n * 1d`"
    if is_textual(left) or is_textual(right):
        return 'to put values into a text, write `$"… {name} …"`'
    return ""


def _is_null(node: tree.IsNull, names: Names, expected: Type | None) -> typed.Expr:
    return typed.IsNull(infer(node.operand, names), type=BOOL, span=node.span)


# ---------------------------------------------------------------------------- text tests


def text_test(
    test: str, subject: tree.Expression, operands: tuple[tree.Expression, ...], names: Names, span: Span
) -> typed.Expr:
    value = infer(subject, names)
    return test_of(test, value, operands, names, span)


def test_of(
    test: str, subject: typed.Expr, operands: tuple[tree.Expression, ...], names: Names, span: Span
) -> typed.Expr:
    """A test of a subject that is typed already."""
    core = required(subject.type)
    on_texts = is_textual(core) or (isinstance(core, ListOf) and is_textual(core.item) and test != "contains")
    if not (on_texts or isinstance(subject, typed.Said) or is_dynamic(core)):
        help = "for a list, write `x in list`" if isinstance(core, ListOf) else _mismatch_help(core, TEXT)
        words: dict[str, Any] = {"found": named(subject.type), "wanted": "text"}
        names.sink.append(report("E206", subject.span, help=help, **words))
        return broken(span)
    wanted = {"states": DECIMAL, "mentions_any": ListOf(TEXT), "mentions_all": ListOf(TEXT)}.get(test, TEXT)
    values = tuple(_operand(operand, names, wanted) for operand in operands)
    if test == "matches":
        check_pattern(values[0], names)
    return typed.TextTest(test, subject, values, type=BOOL, span=span)


def _operand(node: tree.Expression, names: Names, wanted: Type) -> typed.Expr:
    """An operand of a text test; a null one makes the test false, so it may be optional."""
    return expect(node, names, Optional(wanted))


def _states(node: tree.States, names: Names, expected: Type | None) -> typed.Expr:
    return text_test("states", node.subject, (node.number, node.tolerance), names, node.span)


def _mentions(node: tree.Mentions, names: Names, expected: Type | None) -> typed.Expr:
    return text_test(f"mentions_{node.mode}", node.subject, (node.words,), names, node.span)


def _lists(node: tree.Lists, names: Names, expected: Type | None) -> typed.Expr:
    return text_test("lists", node.subject, node.items, names, node.span)


def _answer(node: tree.Answer, names: Names, expected: Type | None) -> typed.Expr:
    refuse_outside_grading("answer", node.span, names)
    return typed.Answer(type=optional(TEXT), span=node.span)


def _said(node: tree.Said, names: Names, expected: Type | None) -> typed.Expr:
    refuse_outside_grading("said", node.span, names)
    return typed.Said(type=ListOf(TEXT), span=node.span)


# ---------------------------------------------------------------------------- binders


def _source(node: tree.Expression, names: Names) -> tuple[typed.Expr, Type]:
    source = infer(node, names)
    core = required(source.type)
    if isinstance(core, ListOf):
        return source, core.item
    if core in (JSON, ERROR):
        return source, core
    names.sink.append(report("E206", node.span, found=named(source.type), wanted="a list or a store"))
    return broken(node.span), ERROR


def infer_binder(node: tree.Binder, names: Names, expected: Type | None = None) -> typed.Expr:
    source, item = _source(node.source, names)
    variable, inner = names.bind(node.variable.text, item, node.variable.span)
    where = condition(node.where, inner) if node.where else None
    body = condition(node.body, inner) if node.body else None
    kind = {"only": optional(item), "all": ListOf(item)}.get(node.quantifier, BOOL)
    order = _order(node.order, inner) if node.order else None
    return typed.Binder(node.quantifier, variable, source, order, where, body, type=kind, span=node.span)


def _order(node: tree.Order, names: Names) -> typed.Order:
    key = infer(node.key, names)
    if not ordered(key.type, key.type) and not isinstance(required(key.type), EnumType):
        names.sink.append(report("E206", node.key.span, found=named(key.type), wanted="something to sort by"))
        key = broken(node.key.span)
    return typed.Order(key, node.descending)


def _first(node: tree.First, names: Names, expected: Type | None) -> typed.Expr:
    count = expect(node.count, names, INT)
    binder = infer_binder(node.binder, names)
    if not isinstance(binder, typed.Binder) or binder.quantifier != "all":
        names.sink.append(report("E260", node.binder.span))
        return broken(node.span)
    return typed.First(count, binder, type=binder.type, span=node.span)


def _sum(node: tree.Sum, names: Names, expected: Type | None) -> typed.Expr:
    source, item = _source(node.source, names)
    variable, inner = names.bind(node.variable.text, item, node.variable.span)
    where = condition(node.where, inner) if node.where else None
    value = infer(node.value, inner)
    if not (is_numeric(value.type) or is_dynamic(value.type)):
        names.sink.append(report("E206", node.value.span, found=named(value.type), wanted="a number"))
        return broken(node.span)
    return typed.Sum(value, variable, source, where, type=required(value.type), span=node.span)


# ---------------------------------------------------------------------------- facts and applications


def _call_fact(node: tree.CallFact, names: Names, expected: Type | None) -> typed.Expr:
    return infer_call_fact(node, names, CHECKER)


def _application(node: tree.Application, names: Names, expected: Type | None) -> typed.Expr:
    return infer_application(node, names, expected, CHECKER)


def _broken(node: tree.Broken, names: Names, expected: Type | None) -> typed.Expr:
    return broken(node.span)


class Checker:
    """The checker's functions, for the parts of it that stand in other files."""

    infer = staticmethod(infer)
    expect = staticmethod(expect)
    condition = staticmethod(condition)
    test_of = staticmethod(test_of)
    pair = staticmethod(pair)
    broken = staticmethod(broken)


CHECKER = Checker()

_HANDLERS: dict[type, Callable[[Any, Names, Type | None], typed.Expr]] = {
    tree.Name: infer_name,
    tree.RecordId: infer_record_id,
    tree.Number: _number,
    tree.Moment: _moment,
    tree.Length: _length,
    tree.Text: _text,
    tree.Interpolation: _interpolation,
    tree.Truth: _truth,
    tree.Null: _null,
    tree.Answer: _answer,
    tree.Said: _said,
    tree.ListDisplay: _list,
    tree.Member: _member,
    tree.Index: _index,
    tree.Selection: _selection,
    tree.Application: _application,
    tree.Sum: _sum,
    tree.Unary: _unary,
    tree.Binary: _binary,
    tree.States: _states,
    tree.Mentions: _mentions,
    tree.Lists: _lists,
    tree.IsNull: _is_null,
    tree.Binder: infer_binder,
    tree.First: _first,
    tree.CallFact: _call_fact,
    tree.Broken: _broken,
    tree.Pick: infer_pick,
    tree.Learned: lambda node, names, expected: infer_learned(node, names, CHECKER),
    tree.Delivered: lambda node, names, expected: infer_delivered(node, names, CHECKER),
}
__all__ = ["CHECKER", "Checker", "Stage", "condition", "expect", "infer", "infer_binder"]
