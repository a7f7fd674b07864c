"""The built-in functions: what they take and what they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cwkc.diagnostics import report
from cwkc.meaning import typed
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.operators import is_dynamic, named, ordered
from cwkc.meaning.types import (
    DATE,
    DATETIME,
    DURATION,
    INT,
    JSON,
    SCALARS,
    TEXT,
    ListOf,
    Optional,
    RowType,
    Type,
    is_numeric,
    optional,
    required,
)
from cwkc.syntax import tree

if TYPE_CHECKING:
    from cwkc.meaning.expressions import Checker

_OUTSIDE = frozenset(
    ("today", "time", "clock", "datetime", "random", "choice", "uuid", "fetch", "get", "http_get", "open", "read_file")
)
_OUTSIDE_HELP = "a task knows no clock but `now`, no network, no files and no chance: state the value in `data`"
"""Names by which other languages reach out of a program, and what to do here instead."""

_OPERATORS = ("contains", "matches")
"""Those that other languages write as functions, or as methods of a text."""

Rule = Callable[[tree.Application, Names, Type | None, "Checker"], typed.Expr]


def _function_help(word: str) -> str:
    """What to write where no function is of that name."""
    operator = word.rpartition(".")[2]
    if operator in _OPERATORS:
        return f"it is an operator: `text {operator} …`"
    return _OUTSIDE_HELP if word.casefold() in _OUTSIDE else did_you_mean(word, _RULES)


def infer_application(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    name = node.function.text if isinstance(node.function, tree.Name) else None
    rule = _RULES.get(name) if name else None
    if rule is None:
        word = node.function.span.text
        help = _function_help(word)
        names.sink.append(report("E219", node.function.span, name=word, help=help))
        return checker.broken(node.span)
    return rule(node, names, expected, checker)


def _simple(name: str, wanted: tuple[Type, ...], gives: Type) -> Rule:
    """A function of so many values of fixed types; a null argument makes it null."""

    def rule(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
        if not _arity(node, names, len(wanted)):
            return checker.broken(node.span)
        arguments = tuple(
            checker.expect(argument, names, Optional(kind))
            for argument, kind in zip(node.arguments, wanted, strict=True)
        )
        nullable = any(isinstance(argument.type, Optional) for argument in arguments)
        return typed.Apply(name, arguments, type=optional(gives) if nullable else gives, span=node.span)

    return rule


def _arity(node: tree.Application, names: Names, *allowed: int) -> bool:
    if len(node.arguments) in allowed:
        return True
    wanted = " or ".join(str(number) for number in allowed)
    words: dict[str, Any] = {"function": node.function.span.text, "wanted": wanted, "found": len(node.arguments)}
    names.sink.append(report("E210", node.span, **words))
    return False


def _count(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    argument = checker.infer(node.arguments[0], names)
    if not (
        isinstance(required(argument.type), ListOf) or isinstance(argument, typed.CallFact) or is_dynamic(argument.type)
    ):
        help = "count what matches with `count(all x in … where …)`"
        names.sink.append(report("E206", argument.span, found=named(argument.type), wanted="a list", help=help))
        return checker.broken(node.span)
    return typed.Apply("count", (argument,), type=INT, span=node.span)


def _extreme(name: str) -> Rule:
    """`min` and `max`: of a list, or of several values."""

    def rule(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
        if not node.arguments:
            _arity(node, names, 1)
            return checker.broken(node.span)
        values = [checker.infer(argument, names) for argument in node.arguments]
        core = required(values[0].type)
        if len(values) == 1 and isinstance(core, ListOf):
            item, gives = core.item, optional(core.item)
        else:
            item, gives = values[0].type, values[0].type
        for value in values[1:] or values[:1]:
            if not ordered(item, value.type if len(values) > 1 else item):
                names.sink.append(report("E206", value.span, found=named(value.type), wanted="something with an order"))
                return checker.broken(node.span)
        return typed.Apply(name, tuple(values), type=gives, span=node.span)

    return rule


def _abs(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    value = checker.infer(node.arguments[0], names)
    if not (is_numeric(value.type) or required(value.type) == DURATION or is_dynamic(value.type)):
        names.sink.append(report("E206", value.span, found=named(value.type), wanted="a number"))
        return checker.broken(node.span)
    return typed.Apply("abs", (value,), type=value.type, span=node.span)


def _round(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1, 2):
        return checker.broken(node.span)
    value = checker.expect(node.arguments[0], names, Optional(SCALARS["decimal"]))
    places: typed.Expr = typed.Constant(0, type=INT, span=node.span)
    if len(node.arguments) == 2:
        places = checker.expect(node.arguments[1], names, INT)
    gives = required(SCALARS["decimal"])
    kind = optional(gives) if isinstance(value.type, Optional) else gives
    return typed.Apply("round", (value, places), type=kind, span=node.span)


def _len(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    value = checker.infer(node.arguments[0], names)
    if isinstance(required(value.type), ListOf):
        return typed.Apply("count", (value,), type=INT, span=node.span)
    return _simple("len", (TEXT,), INT)(node, names, expected, checker)


def _sum(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    value = checker.infer(node.arguments[0], names)
    core = required(value.type)
    if not (isinstance(core, ListOf) and (is_numeric(core.item) or is_dynamic(core.item))) and not is_dynamic(core):
        help = "write `sum(x.amount for x in …)`"
        names.sink.append(report("E206", value.span, found=named(value.type), wanted="a list of numbers", help=help))
        return checker.broken(node.span)
    kind = required(core.item) if isinstance(core, ListOf) else JSON
    return typed.Apply("sum", (value,), type=kind, span=node.span)


def _csv(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 2):
        return checker.broken(node.span)
    text = checker.expect(node.arguments[0], names, Optional(TEXT))
    columns = _columns(node.arguments[1], names)
    if columns is None:
        return checker.broken(node.span)
    return typed.Apply("csv", (text,), type=ListOf(RowType(columns)), span=node.span)


def _columns(node: tree.Expression, names: Names) -> tuple[tuple[str, Type], ...] | None:
    if not isinstance(node, tree.ObjectDisplay):
        names.sink.append(report("E261", node.span))
        return None
    columns = []
    for entry in node.entries:
        word = entry.value.text if isinstance(entry.value, tree.Name) else ""
        if word not in SCALARS:
            help = did_you_mean(word, SCALARS, "one of " + ", ".join(f"`{name}`" for name in SCALARS))
            names.sink.append(report("E220", (entry.value or entry).span, name=word or entry.span.text, help=help))
            return None
        columns.append((entry.key.text, optional(SCALARS[word])))
    return tuple(columns)


def _json(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    return typed.Apply("json", (checker.expect(node.arguments[0], names, Optional(TEXT)),), type=JSON, span=node.span)


def _start(node: tree.Application, names: Names, expected: Type | None, checker: Checker) -> typed.Expr:
    if names.stage not in (Stage.GRADING, Stage.STATE, Stage.CALL, Stage.TRUTH):
        names.sink.append(report("E215", node.span, word="start", place=names.stage.value))
        return checker.broken(node.span)
    if not _arity(node, names, 1):
        return checker.broken(node.span)
    operand = checker.infer(node.arguments[0], names.at(Stage.TRUTH), expected)
    return typed.Start(operand, type=operand.type, span=node.span)


_RULES: dict[str, Rule] = {
    "count": _count,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "abs": _abs,
    "round": _round,
    "len": _len,
    "sum": _sum,
    "lower": _simple("lower", (TEXT,), TEXT),
    "lines": _simple("lines", (TEXT,), ListOf(TEXT)),
    "csv": _csv,
    "json": _json,
    "date": _simple("date", (DATETIME,), DATE),
    "weekday": _simple("weekday", (DATE,), TEXT),
    "business_days": _simple("business_days", (DATE, INT), DATE),
    "start": _start,
}
