"""Expressions: from the typed tree to Python over the runtime.

What is known never to be null takes Python's own operators, everything else the runtime's, which know null.
A condition is always a real `bool`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cwkc.emit.code import Code, Level, call, chain, comprehended, infix, lambda_of, negated, over
from cwkc.emit.literals import dict_display, quoted, tuple_display
from cwkc.emit.nulls import Presence, is_at_hand, is_dynamic, is_row, presence_of_items, surely
from cwkc.emit.printer import SPACE, Document, bracketed
from cwkc.emit.scope import Local, Scope, local_name
from cwkc.meaning import typed
from cwkc.meaning.types import BOOL, DATE, DATETIME, ListOf, RowType, is_numeric, required


def emit(expr: typed.Expr, scope: Scope) -> Code:
    """The Python expression that gives the value of a typed one."""
    return _RULES[type(expr)](expr, scope)


def condition(expr: typed.Expr, scope: Scope) -> Code:
    """The Python expression for whether a condition holds: null counts as false."""
    if required(expr.type) == BOOL and surely(expr, scope.known):
        return emit(expr, scope)
    return call("rt.truthy", emit(expr, scope))


def tested(expr: typed.Expr, scope: Scope) -> Code:
    """A condition where Python asks only whether it is truthy."""
    return matching_calls(expr, scope) if isinstance(expr, typed.CallFact) else condition(expr, scope)


def conjunction(conditions: list[typed.Expr], scope: Scope) -> Code:
    """Whether all of one or more conditions hold, tested in their order."""
    if len(conditions) == 1:
        return condition(conditions[0], scope)
    return chain("and", [condition(part, scope).within(Level.NOT) for part in conditions], Level.AND)


def matching_calls(fact: typed.CallFact, scope: Scope) -> Code:
    """The indices of the calls that a fact speaks of."""
    tests = [pattern.test for pattern in fact.patterns] + ([fact.where] if fact.where else [])
    find = f"run.{fact.verb}"
    if not tests:
        return call(find, quoted(fact.tool))
    return call(find, quoted(fact.tool), lambda_of("args, w", conjunction(tests, scope.seeing("w"))))


# ---------------------------------------------------------------------------- values and names


def _constant(expr: typed.Constant, scope: Scope) -> Code:
    document = scope.constants.of(expr.value)
    signed = isinstance(document, str) and document.startswith("-")
    return Code(document, Level.SIGN if signed else Level.ATOM)


def _variable(expr: typed.Variable, scope: Scope) -> Code:
    if expr.kind == "argument":
        return Code(f"args[{quoted(expr.name)}]")
    local = scope.local(expr)
    return Code(local.use(local.id))


# ---------------------------------------------------------------------------- state


def _store_records(expr: typed.StoreRecords, scope: Scope) -> Code:
    return over("tuple", "id_", f"for id_, _ in {_rows(expr, scope)}")


def _rows(expr: typed.StoreRecords, scope: Scope) -> str:
    """The pairs of id and record in a store."""
    return f"{scope.view}.rows({quoted(expr.store)})"


def _lookup(expr: typed.Lookup, scope: Scope) -> Code:
    return call("rt.lookup", scope.view, quoted(expr.store), emit(expr.key, scope))


def _field_of(expr: typed.FieldOf, scope: Scope) -> Code:
    if isinstance(expr.base, typed.Variable) and is_at_hand(expr.base, scope.known):
        local = scope.local(expr.base)
        return Code(f"{local.use(local.row)}[{quoted(expr.name)}]")
    return call(f"{scope.view}.field", quoted(expr.record), emit(expr.base, scope), quoted(expr.name))


def _column_of(expr: typed.ColumnOf, scope: Scope) -> Code:
    base = emit(expr.base, scope)
    if is_row(expr.base, scope.known):
        return Code((base.within(Level.ATOM), f"[{quoted(expr.name)}]"))
    return call("rt.column", base, quoted(expr.name))


def _start(expr: typed.Start, scope: Scope) -> Code:
    return emit(expr.operand, scope.seeing(scope.known.start))


def _is_null(expr: typed.IsNull, scope: Scope, operator: str = "is") -> Code:
    if isinstance(expr.operand, typed.Lookup):
        found = call(f"{scope.view}.get", quoted(expr.operand.store), emit(expr.operand.key, scope))
    else:
        found = emit(expr.operand, scope)
    return _same(operator, expr.operand, found, "None")


def _same(operator: str, left: typed.Expr, code: Code, name: str) -> Code:
    """Whether a value is, or is not, null, true or false; of a literal Python warns when it is asked so."""
    if _is_literal(left):
        return call("rt.eq" if operator == "is" else "rt.ne", code, name)
    return infix(code, operator, Code(name), Level.COMPARISON)


# ---------------------------------------------------------------------------- operators

_HELPERS = {
    "==": "rt.eq",
    "!=": "rt.ne",
    "<": "rt.lt",
    "<=": "rt.le",
    ">": "rt.gt",
    ">=": "rt.ge",
    "+": "rt.add",
    "-": "rt.sub",
    "*": "rt.mul",
    "/": "rt.div",
}


def _not(expr: typed.Not, scope: Scope) -> Code:
    match expr.operand:
        case typed.IsNull() as test:
            return _is_null(test, scope, "is not")
        case typed.Binder(quantifier="no") as binder:
            return _some(binder, scope)
        case operand:
            return negated(tested(operand, scope))


def _negate(expr: typed.Negate, scope: Scope) -> Code:
    operand = emit(expr.operand, scope)
    if surely(expr.operand, scope.known):
        return Code(("-", operand.within(Level.ATOM)), Level.SIGN)
    return call("rt.neg", operand)


def _logical(expr: typed.Logical, scope: Scope) -> Code:
    level = Level.AND if expr.operator == "and" else Level.OR
    parts = [condition(part, scope).within(Level(level + 1)) for part in _operands(expr, expr.operator)]
    return chain(expr.operator, parts, level)


def _operands(expr: typed.Expr, operator: str) -> list[typed.Expr]:
    """The operands of a chain of one operator, from left to right."""
    if isinstance(expr, typed.Logical) and expr.operator == operator:
        return _operands(expr.left, operator) + _operands(expr.right, operator)
    return [expr]


def _compare(expr: typed.Compare, scope: Scope) -> Code:
    left, right = emit(expr.left, scope), emit(expr.right, scope)
    helper = _HELPERS[expr.operator]
    if expr.ignore_case:
        return call(f"{helper}_ignoring_case", left, right)
    if expr.operator in ("==", "!="):
        plain = not (is_dynamic(expr.left.type) or is_dynamic(expr.right.type))
    else:
        plain = surely(expr.left, scope.known) and surely(expr.right, scope.known)
    return _plainly_compared(expr, left, right) if plain else call(helper, left, right)


def _is_literal(expr: typed.Expr) -> bool:
    match expr:
        case typed.IdOf(base=inner) | typed.Start(operand=inner):
            return _is_literal(inner)
        case _:
            return isinstance(expr, typed.Constant | typed.ListDisplay)


def _plainly_compared(expr: typed.Compare, left: Code, right: Code) -> Code:
    if isinstance(expr.right, typed.Constant) and (expr.right.value is None or isinstance(expr.right.value, bool)):
        return _same("is" if expr.operator == "==" else "is not", expr.left, left, repr(expr.right.value))
    return infix(left, expr.operator, right, Level.COMPARISON)


def _membership(expr: typed.Membership, scope: Scope) -> Code:
    left, right = emit(expr.left, scope), emit(expr.right, scope)
    if expr.ignore_case:
        return call("rt.member_ignoring_case", left, right)
    if is_dynamic(expr.left.type) or not surely(expr.right, scope.known):
        return call("rt.member", left, right)
    return infix(left, "in", right, Level.COMPARISON)


def _item_type(expr: typed.Expr) -> Any:
    kind = required(expr.type)
    return kind.item if isinstance(kind, ListOf) else kind


def _arithmetic(expr: typed.Arithmetic, scope: Scope) -> Code:
    left, right = emit(expr.left, scope), emit(expr.right, scope)
    if surely(expr.left, scope.known) and surely(expr.right, scope.known) and _is_plain(expr):
        return infix(left, expr.operator, right, Level.SUM)
    return call(_HELPERS[expr.operator], left, right)


def _is_plain(expr: typed.Arithmetic) -> bool:
    """Whether Python's operator does the same: numbers added, and moments subtracted, have no bound to overstep."""
    left, right = required(expr.left.type), required(expr.right.type)
    if is_numeric(left) and is_numeric(right):
        return expr.operator in "+-"
    return expr.operator == "-" and left == right and left in (DATE, DATETIME)


def _text_test(expr: typed.TextTest, scope: Scope) -> Code:
    operands = tuple(emit(operand, scope).document for operand in expr.operands)
    if expr.test == "lists":
        operands = (tuple_display(operands),)
    return call(f"rt.{expr.test}", emit(expr.subject, scope), *operands)


def _list_display(expr: typed.ListDisplay, scope: Scope) -> Code:
    return Code(tuple_display(tuple(emit(item, scope).document for item in expr.items)))


# ---------------------------------------------------------------------------- functions


def _apply(expr: typed.Apply, scope: Scope) -> Code:
    argument = expr.arguments[0]
    if isinstance(argument, typed.CallFact):
        return call("len", matching_calls(argument, scope))
    if expr.function == "count" and surely(argument, scope.known):
        return _count(argument, scope)
    if expr.function == "csv":
        return call("rt.csv", emit(argument, scope), _columns(expr))
    return call(f"rt.{expr.function}", *(emit(item, scope) for item in expr.arguments))


def _count(members: typed.Expr, scope: Scope) -> Code:
    if isinstance(members, typed.StoreRecords):
        return call("len", _rows(members, scope))
    if isinstance(members, typed.Binder):
        return over("sum", *_iterated(members.variable, members.source, scope, lambda inner: Code("1"), members.where))
    return call("len", emit(members, scope))


def _columns(expr: typed.Apply) -> Document:
    row = _item_type(expr)
    assert isinstance(row, RowType), "the checker gives csv the type of its rows"
    return dict_display({name: quoted(str(required(kind))) for name, kind in row.columns})


# ---------------------------------------------------------------------------- binders


def _iterated(
    variable: typed.Variable, source: typed.Expr, scope: Scope, element: Callable[[Scope], Code], *conditions: Any
) -> tuple[Document, Document]:
    """What a comprehension collects of each member of a list, and its `for … in … if …`."""
    inner = scope.inner()
    wanted = local_name(variable.name)
    presence = presence_of_items(source, scope.known)
    row = inner.names.take(wanted) if presence.at_hand else ""
    local = Local(inner.names.take(f"{wanted}_id" if row else wanted), row)
    inner = inner.with_local("bound", variable.name, local, presence)
    collected = element(inner).within(Level.OR)
    tests = tuple((SPACE, "if ", tested(test, inner).within(Level.OR)) for test in conditions if test)
    return collected, (f"for {_target(local)} in ", _members(source, scope), *tests)


def _target(local: Local) -> str:
    """What a `for` binds; names that nothing reads are left out."""
    names = [name if name in local.read else "_" for name in (local.id, local.row) if name]
    return ", ".join(names)


def _members(source: typed.Expr, scope: Scope) -> Document:
    if isinstance(source, typed.StoreRecords):
        return _rows(source, scope)
    members = emit(source, scope)
    return members.within(Level.OR) if surely(source, scope.known) else call("rt.elements", members).document


def _binder(expr: typed.Binder, scope: Scope) -> Code:
    match expr.quantifier:
        case "some":
            return _some(expr, scope)
        case "no":
            return negated(_some(expr, scope))
        case "every" | "each":
            return _for_all(expr, scope)
        case "only":
            return over("rt.only", *_found(expr, scope)) if not expr.order else call("rt.only", _ordered(expr, scope))
        case _:
            return _ordered(expr, scope) if expr.order else over("tuple", *_found(expr, scope))


def _some(expr: typed.Binder, scope: Scope) -> Code:
    where = expr.where
    return over(
        "any",
        *_iterated(
            expr.variable,
            expr.source,
            scope,
            lambda inner: tested(where, inner) if where else Code("True"),
        ),
    )


def _for_all(expr: typed.Binder, scope: Scope) -> Code:
    body = _body(expr)
    return over("all", *_iterated(expr.variable, expr.source, scope, lambda inner: tested(body, inner), expr.where))


def share_of(expr: typed.Binder, scope: Scope) -> Code:
    """The share of an `each` that holds, as a Fraction."""
    body = _body(expr)
    return over(
        "rt.share", *_iterated(expr.variable, expr.source, scope, lambda inner: condition(body, inner), expr.where)
    )


def _body(expr: typed.Binder) -> typed.Expr:
    assert expr.body is not None, "the checker gives every `every` and `each` a body"
    return expr.body


def _found(expr: typed.Binder, scope: Scope) -> tuple[Document, Document]:
    """The members that match."""
    return _iterated(expr.variable, expr.source, scope, lambda inner: emit(expr.variable, inner), expr.where)


def _ordered(expr: typed.Binder, scope: Scope) -> Code:
    assert expr.order is not None
    inner = scope.inner()
    local = Local(inner.names.take(local_name(expr.variable.name)))
    presence = presence_of_items(expr.source, scope.known)
    inner = inner.with_local("bound", expr.variable.name, local, Presence(presence.surely, presence.view))
    key = lambda_of(local.id, emit(expr.order.key, inner))
    found = bracketed("(", comprehended(*_found(expr, scope)), ")")
    return call("rt.ordered", found, key, *(["descending=True"] if expr.order.descending else []))


def _first(expr: typed.First, scope: Scope) -> Code:
    binder = expr.binder
    found = (
        _ordered(binder, scope).document if binder.order else bracketed("(", comprehended(*_found(binder, scope)), ")")
    )
    return call("rt.first", found, emit(expr.count, scope))


def _sum(expr: typed.Sum, scope: Scope) -> Code:
    return over(
        "rt.sum",
        *_iterated(expr.variable, expr.source, scope, lambda inner: emit(expr.value, inner), expr.where),
    )


# ---------------------------------------------------------------------------- facts about the run


def _call_fact(expr: typed.CallFact, scope: Scope) -> Code:
    return call("bool", matching_calls(expr, scope))


def _before(expr: typed.Before, scope: Scope) -> Code:
    return call("rt.precedes", matching_calls(expr.first, scope), matching_calls(expr.second, scope))


def delivered(expr: typed.Delivered, scope: Scope, function: str) -> Code:
    """What one of the runtime's functions says of the text that is delivered."""
    return call(f"rt.{function}", emit(expr.subject, scope), scope.contracts[expr.name])


_RULES: dict[type, Callable[[Any, Scope], Code]] = {
    typed.Constant: _constant,
    typed.Truth: lambda expr, scope: Code(scope.truths[expr.name]),
    typed.Variable: _variable,
    typed.Now: lambda expr, scope: Code(f"{scope.view}.now"),
    typed.Answer: lambda expr, scope: Code("run.answer"),
    typed.Said: lambda expr, scope: Code("run.said"),
    typed.Outcome: lambda expr, scope: Code(expr.name),
    typed.StoreRecords: _store_records,
    typed.Lookup: _lookup,
    typed.FieldOf: _field_of,
    typed.IdOf: lambda expr, scope: emit(expr.base, scope),
    typed.ColumnOf: _column_of,
    typed.Start: _start,
    typed.Not: _not,
    typed.Negate: _negate,
    typed.Logical: _logical,
    typed.Compare: _compare,
    typed.Membership: _membership,
    typed.Arithmetic: _arithmetic,
    typed.IsNull: _is_null,
    typed.TextTest: _text_test,
    typed.Interpolation: lambda expr, scope: call("rt.interpolate", *(emit(part, scope) for part in expr.parts)),
    typed.ListDisplay: _list_display,
    typed.Apply: _apply,
    typed.Binder: _binder,
    typed.First: _first,
    typed.Sum: _sum,
    typed.CallFact: _call_fact,
    typed.Before: _before,
    typed.Learned: lambda expr, scope: call("run.learned", quoted(expr.fact)),
    typed.Delivered: lambda expr, scope: delivered(expr, scope, "delivers"),
}
