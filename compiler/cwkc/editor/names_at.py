"""What names stand for at a place whose statement cannot be read yet."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve
from lark import Token

from cwkc.editor.paths import base_names, richest
from cwkc.editor.place import Place, start_of
from cwkc.meaning import typed
from cwkc.meaning.expressions import infer
from cwkc.meaning.names import Names, Stage
from cwkc.meaning.types import ERROR, ListOf, Reference, Type, required
from cwkc.source import Source, Span
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from cwkc.syntax.vocabulary import STATEMENTS

BINDERS = frozenset({"ONLY", "SOME", "NO", "ALL", "EVERY", "EACH", "FOR", "ROWS"})
AFTER_SOURCE = frozenset({"WHERE", "BY", "COLON", "KEY", "RPAR"})
HEADS = frozenset({word.upper() for word in STATEMENTS if word != "only"} | {"CHANGES", "IF", "TOOL"})


def names_at(place: Place) -> Names:
    """The scope of an expression that would stand there."""
    names = _names_around(place)
    for index in _open_tokens(place):
        if place.type(index) in BINDERS and place.type(index + 2) == "IN":
            names = _with_binder(place, index, names)
        elif place.type(index) in ("CALLED", "TRIED"):
            names = _with_arguments(place, index, names)
    return names


def type_of(text: str, names: Names) -> Type:
    """The type of an expression, that of what is broken where it cannot be read or has a mistake."""
    module, _ = parse(Source("expression", f"cwk 1 task x {{ given {text}\n}}"))
    task = module.items[0] if module.items else None
    if not isinstance(task, tree.Task) or not isinstance(task.items[0], tree.Given):
        return ERROR
    return infer(task.items[0].value, evolve(names, sink=[], bound=set())).type


def _names_around(place: Place) -> Names:
    """The richest scope of the same item, as far as it is one of this place."""
    readable = place.analysis.readable
    tool = tool_at(place)
    item = next((i for i in readable.module.items if i.span.start <= place.start <= i.span.end), None)
    if tool is not None:
        return _names_in_tool(place, tool)
    own = [each.names for each in readable.seen if item is not None and _lies_in(each.node.span, item.span)]
    if isinstance(item, tree.Service):
        return evolve(base_names(readable.scope), store_home=item.name.text)
    names = richest(own, base_names(readable.scope))
    is_bound = _is_in_let(place)
    truths = {name: truth for name, truth in names.truths.items() if not (is_bound and _is_later(truth.span, place))}
    return evolve(names, stage=Stage.GRADING, truths=truths, variables={}, arguments={}, later_truths={})


def _is_later(span: Span, place: Place) -> bool:
    return span.source.name == place.analysis.source.name and span.start >= place.start


def _is_in_let(place: Place) -> bool:
    """Whether the statement is a `let`, which may use those above it alone."""
    heads = ("LET", "CHECK", "REQUIRE", "FORBID", "ALWAYS", "REWARD", "DELIVER", "GIVEN", "REQUEST")
    return next((token.type for token in reversed(place.tokens) if token.type in heads), "") == "LET"


def tool_at(place: Place) -> tree.Tool | None:
    """The tool in whose braces the place lies."""
    for item in place.analysis.readable.module.items:
        for tool in item.tools if isinstance(item, tree.Service) else ():
            if tool.span.start <= place.start <= tool.span.end:
                return tool
    return None


def _names_in_tool(place: Place, tool: tree.Tool) -> Names:
    """The scope of a tool's body: its parameters, and the `let`s above the place."""
    readable = place.analysis.readable
    service = next(
        item for item in readable.module.items if isinstance(item, tree.Service) and tool in item.tools
    ).name.text
    known = readable.scope.services.get(service)
    definition = known.tools.get(f"{service}.{tool.name.text}") if known else None
    names = evolve(base_names(readable.scope), stage=Stage.TOOL, store_home=service)
    for parameter in definition.parameters.values() if definition else ():
        variable = typed.Variable(parameter.name, "parameter", type=parameter.type, span=parameter.span)
        names = names.with_variable(variable, parameter.span)
    for statement in definition.body if definition else ():
        local = _local(statement, names)
        if local is not None and not _is_later(statement.span, place):
            names = names.with_variable(local, statement.span)
    return names


def _local(statement: typed.Stmt, names: Names) -> typed.Variable | None:
    """What a statement of a tool gives a name."""
    if isinstance(statement, typed.Let):
        return typed.Variable(statement.name, "local", type=statement.value.type, span=statement.span)
    if isinstance(statement, typed.Insert) and statement.name is not None:
        kind = Reference(names.stores[statement.store].record)
        return typed.Variable(statement.name, "local", type=kind, span=statement.span)
    return None


def _lies_in(span: Span, whole: Span) -> bool:
    return span.source.name == whole.source.name and whole.start <= span.start < whole.end


def _open_tokens(place: Place) -> Iterator[int]:
    """The indices of the statement's tokens that stand in no bracket that is closed again."""
    outer = [place.opening()]
    while outer[-1] >= 0:
        outer.append(place.opening(outer[-1] - 1))
    found: list[int] = []
    index = 0
    while index < len(place.tokens):
        found = [] if place.type(index) in HEADS else [*found, index]
        index = (index if index in outer else place.closing(index)) + 1
    yield from found


def _with_binder(place: Place, index: int, names: Names) -> Names:
    name = place.tokens[index + 1]
    end = index + 3
    while end < len(place.tokens) and place.type(end) not in AFTER_SOURCE:
        end = place.closing(end) + 1
    if end == index + 3:
        return names
    core = required(type_of(place.written(index + 3, end - 1), names))
    return names.bind(str(name), core.item if isinstance(core, ListOf) else ERROR, _span(place, name))[1]


def _with_arguments(place: Place, index: int, names: Names) -> Names:
    """Within a call's `where`, its arguments."""
    tool = tool_named(place, index + 1, names)
    position = index + 1
    while position < len(place.tokens) and place.type(position) in ("NAME", "DOT"):
        position += 1
    if place.type(position) == "LPAR":
        position = place.closing(position) + 1
    if tool is None or place.type(position) != "WHERE":
        return names
    arguments = {
        each.name: (typed.Variable(each.name, "argument", type=each.type, span=each.span), each.span)
        for each in tool.parameters.values()
    }
    return evolve(names, arguments=arguments)


def tool_named(place: Place, index: int, names: Names) -> typed.ToolDef | None:
    """The tool whose path begins at a token."""
    service = names.services.get(str(place.tokens[index])) if index < len(place.tokens) else None
    if service is None or index + 2 >= len(place.tokens) or place.type(index + 1) != "DOT":
        return None
    return service.tools.get(f"{service.name}.{place.tokens[index + 2]}")


def _span(place: Place, token: Token) -> Span:
    start = start_of(token)
    return Span(place.analysis.source, start, start + len(token))
