"""Facts about the run: `called`, `tried`, `before`, `learned`, `delivered`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve

from cwkc.diagnostics import Label, report
from cwkc.meaning import typed
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.near import did_you_mean
from cwkc.meaning.operators import comparable, named, ordered
from cwkc.meaning.types import BOOL, EMAIL, ERROR, TEXT, Reference, optional, required
from cwkc.source import Span
from cwkc.syntax import tree

if TYPE_CHECKING:
    from cwkc.meaning.expressions import Checker

FILES, FILE, CONTENT = "files.files", "files.File", "text"
"""The store, the record and the field in which a file is delivered."""


def refuse_outside_grading(word: str, span: Span, names: Names) -> None:
    if names.stage not in (Stage.GRADING, Stage.CALL):
        names.sink.append(report("E215", span, word=word, place=names.stage.value))


def infer_call_fact(node: tree.CallFact, names: Names, checker: Checker) -> typed.Expr:
    if names.stage is not Stage.GRADING:
        names.sink.append(report("E215", node.span, word=node.verb, place=names.stage.value))
        return checker.broken(node.span)
    tool = find_tool(node.tool, names)
    if tool is None:
        return checker.broken(node.span)
    if tool.name not in names.tools:
        names.sink.append(report("E217", node.tool.span, tool=node.tool.text))
        return checker.broken(node.span)
    patterns = tuple(
        pattern for argument in node.arguments if (pattern := _pattern(argument, tool, names, checker)) is not None
    )
    where = checker.condition(node.where, _within_call(tool, names)) if node.where else None
    return typed.CallFact(node.verb, tool.name, patterns, where, type=BOOL, span=node.span)


def _tool_of_that_name(path: tree.Path, names: Names) -> str:
    """Where the service was left out, or joined to the tool with `_`: the tool as it is written."""
    for alias, service in names.services.items():
        for tool in service.tools.values():
            if path.text in (tool.name.rpartition(".")[2], tool.wire_name):
                return f"a tool is named with its service: `{alias}.{tool.name.rpartition('.')[2]}`"
    return ""


def find_tool(path: tree.Path, names: Names) -> typed.ToolDef | None:
    """The tool of that path; an unknown one is reported."""
    head, *rest = path.names
    service = names.services.get(head.text)
    if service is None:
        help = _tool_of_that_name(path, names)
        help = help or did_you_mean(head.text, names.services, "name it in a `use` at the head of the file")
        names.sink.append(report("E203", head.span, name=head.text, help=help))
        return None
    name = rest[0] if len(rest) == 1 else None
    tool = service.tools.get(f"{service.name}.{name.text}") if name else None
    if tool is None:
        known = [known.rpartition(".")[2] for known in service.tools]
        word = ".".join(part.text for part in rest)
        help = did_you_mean(word, known) if word else f"name a tool: `{head.text}.{known[0] if known else '…'}`"
        place = name.span if name else path.span
        names.sink.append(report("E204", place, service=head.text, name=word or head.text, kind="tool", help=help))
    return tool


def _argument(parameter: typed.ParameterDef, span: Span) -> typed.Variable:
    return typed.Variable(parameter.name, "argument", type=parameter.type, span=span)


def _within_call(tool: typed.ToolDef, names: Names) -> Names:
    """The scope of a call's `where`: its arguments by name."""
    arguments = {
        parameter.name: (_argument(parameter, parameter.span), parameter.span) for parameter in tool.parameters.values()
    }
    return evolve(names, stage=Stage.CALL, arguments=arguments)


def _pattern(node: tree.ArgumentPattern, tool: typed.ToolDef, names: Names, checker: Checker) -> typed.Pattern | None:
    parameter = tool.parameters.get(node.key.text)
    if parameter is None:
        related = (Label(tool.span, "the tool is declared here"),)
        words: dict[str, Any] = {"tool": tool.name, "name": node.key.text}
        help = did_you_mean(node.key.text, tool.parameters)
        names.sink.append(report("E218", node.key.span, help=help, related=related, **words))
        return None
    subject = _argument(parameter, node.key.span)
    inner = names.at(Stage.CALL)
    if node.operator in ("contains", "matches"):
        return typed.Pattern(parameter.name, checker.test_of(node.operator, subject, (node.value,), inner, node.span))
    value = checker.infer(node.value, inner, parameter.type)
    fits = comparable if node.operator in ("==", "!=") else ordered
    if not fits(parameter.type, value.type):
        words = {"operator": node.operator, "left": named(parameter.type), "right": named(value.type)}
        related = (Label(parameter.span, f"`{parameter.name}` is declared here"),)
        names.sink.append(report("E207", node.span, related=related, **words))
        return None
    email = EMAIL in (required(parameter.type), required(value.type))
    test = typed.Compare(node.operator, subject, value, email, type=BOOL, span=node.span)
    return typed.Pattern(parameter.name, test)


def infer_precedence(node: tree.Binary, names: Names, checker: Checker) -> typed.Expr:
    sides = []
    for side in (node.left, node.right):
        if not isinstance(side, tree.CallFact):
            names.sink.append(report("E216", side.span))
            return checker.broken(node.span)
        sides.append(infer_call_fact(side, names, checker))
    first, second = sides
    if not isinstance(first, typed.CallFact) or not isinstance(second, typed.CallFact):
        return typed.Constant(None, type=ERROR, span=node.span)
    return typed.Before(first, second, type=BOOL, span=node.span)


def infer_learned(node: tree.Learned, names: Names, checker: Checker) -> typed.Expr:
    """Whether the user told a fact."""
    if names.stage is not Stage.GRADING:
        names.sink.append(report("E215", node.span, word="learned", place=names.stage.value))
        return checker.broken(node.span)
    if node.fact.text not in names.facts:
        help = did_you_mean(node.fact.text, names.facts, "say it among what the `user` `knows`")
        names.sink.append(report("E300", node.fact.span, name=node.fact.text, help=help))
        return checker.broken(node.span)
    return typed.Learned(node.fact.text, type=BOOL, span=node.span)


def infer_delivered(node: tree.Delivered, names: Names, checker: Checker) -> typed.Expr:
    """Whether the text of a file, or the answer, says what a contract promises of it."""
    if names.stage is not Stage.GRADING:
        names.sink.append(report("E215", node.span, word="delivered", place=names.stage.value))
        return checker.broken(node.span)
    found = names.deliverables.get(node.name.text)
    if found is None:
        help = did_you_mean(node.name.text, names.deliverables, "promise it with `deliver`")
        names.sink.append(report("E278", node.name.span, name=node.name.text, help=help))
        return checker.broken(node.span)
    rows = found.rows
    return typed.Delivered(
        found.name,
        delivered_text(found.path, node.span),
        found.contract,
        tuple(_at_start(field.expr) for field in found.fields),
        rows.variable if rows else None,
        _at_start(rows.source) if rows else None,
        _at_start(rows.key) if rows else None,
        type=BOOL,
        span=node.span,
    )


def delivered_text(path: str | None, span: Span) -> typed.Expr:
    """The text that is delivered: a file's, or the answer."""
    if path is None:
        return typed.Answer(type=optional(TEXT), span=span)
    key = typed.Constant(path, type=TEXT, span=span)
    file = typed.Lookup(FILES, key, type=optional(Reference(FILE)), span=span)
    return typed.FieldOf(file, FILE, CONTENT, type=optional(TEXT), span=span)


def _at_start(expr: typed.Expr) -> typed.Expr:
    return typed.Start(expr, type=expr.type, span=expr.span)
