"""Text literals where an email, a url, a date or an enum's value is expected."""

from __future__ import annotations

from coworkdsl.values import WireError, from_wire
from cwkc.diagnostics import Suggestion, report
from cwkc.meaning import typed
from cwkc.meaning.names import Names
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.types import DATE, DATETIME, EMAIL, ERROR, TEXT, URL, EnumType, Reference, Type, required
from cwkc.syntax import tree

_EXAMPLES: dict[Type, str] = {
    EMAIL: "an email address is written like `ines@ourco.test`",
    URL: "a url is written like `https://ourco.test/page`",
    DATE: "a date is written like `2026-03-14`",
    DATETIME: "a time is written with its zone, like `2026-03-14T09:00:00Z`",
}


def convert_text(node: tree.Text, names: Names, expected: Type | None) -> typed.Expr:
    """The literal as what its place expects: checked, or else refused at the place."""
    core = required(expected) if expected else TEXT
    if core in _EXAMPLES:
        return _checked(node, names, core)
    if isinstance(core, EnumType):
        value = node.value if node.value in core.values else None
        help = Suggestion(f"write `{value}`", value) if value else did_you_mean(node.value, core.values)
        names.sink.append(report("E211", node.span, value=node.value, enum=core.name, help=help))
        return typed.Constant(None, type=ERROR, span=node.span)
    if isinstance(core, Reference):
        names.sink.append(report("E209", node.span, value=node.value, record=core.record))
        return typed.Constant(None, type=ERROR, span=node.span)
    return typed.Constant(node.value, type=TEXT, span=node.span)


def _checked(node: tree.Text, names: Names, core: Type) -> typed.Expr:
    try:
        value = from_wire(str(core), node.value)
    except WireError:
        names.sink.append(report("E213", node.span, value=node.value, wanted=core, help=_EXAMPLES[core]))
        return typed.Constant(None, type=ERROR, span=node.span)
    return typed.Constant(value, type=core, span=node.span)


__all__ = ["convert_text"]
