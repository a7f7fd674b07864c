"""Services: from their tools to a Python module, one function per tool in source order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve

from cwkc.emit.code import Code, call
from cwkc.emit.descriptors import spelled
from cwkc.emit.expressions import condition, emit
from cwkc.emit.guarantees import VIEW, after
from cwkc.emit.literals import Constants, dict_display, literal, quoted, tuple_display
from cwkc.emit.modules import RUNTIME, banner, comment, docstring, module, paragraph, statement
from cwkc.emit.names import Names
from cwkc.emit.nulls import Guarantees, Known
from cwkc.emit.printer import STEP, Document, listed
from cwkc.emit.scope import Local, Scope, local_name
from cwkc.meaning import typed
from cwkc.meaning.initial import descriptor
from cwkc.meaning.types import ListOf, Reference, Type, View, required

_START = "w.start"


def emit_service(service: typed.ServiceDef, guarantees: Guarantees, compiler: str, digest: str) -> str:
    """The text of a service's module."""
    names = Names(["rt", "TOOLS"])
    constants = Constants(names)
    functions = {tool.name: names.take(_last(tool.name)) for tool in service.tools.values()}
    scope = Scope(Known(VIEW, _START, guarantees), names, constants)
    bodies = [_tool(tool, functions[tool.name], scope) for tool in service.tools.values()]
    source = service.span.source.identity
    title = f"The service `{service.name}`" + (f": {service.doc}" if service.doc else "")
    head = banner(title.rstrip(".") + ".", compiler, {source: digest}), RUNTIME, "\n".join(constants.lines())
    return module(head, [*bodies, _table(service, functions)])


def _last(name: str) -> str:
    return name.rpartition(".")[2]


# ---------------------------------------------------------------------------- tools


def _tool(tool: typed.ToolDef, function: str, module_scope: Scope) -> str:
    scope = evolve(module_scope, names=Names(["rt", VIEW]))
    parameters = [VIEW]
    for parameter in tool.parameters.values():
        name = scope.names.take(local_name(parameter.name))
        parameters.append(name)
        variable = typed.Variable(parameter.name, "parameter", type=parameter.type, span=parameter.span)
        scope = scope.with_local("parameter", parameter.name, Local(name), scope.known.of(variable))
    lines = comment(tool.span.place)
    lines.append(statement((listed(f"def {function}(", parameters, ")"), ":"), 0))
    if tool.doc and not tool.doc.isspace():
        lines.append(docstring(paragraph(tool.doc, STEP + 6), STEP))
    lines += _block(tool.body, scope, tool, STEP)
    if tool.returns is None and not _ends(tool.body):
        lines.append(statement("return rt.done()"))
    return "\n".join(lines)


def _ends(body: tuple[typed.Stmt, ...]) -> bool:
    return bool(body) and isinstance(body[-1], typed.Fail) and body[-1].when is None


def _block(body: Iterable[typed.Stmt], scope: Scope, tool: typed.ToolDef, indentation: int) -> list[str]:
    lines: list[str] = []
    for each in body:
        match each:
            case typed.If():
                lines += _if(each, scope, tool, indentation)
            case typed.Fail():
                lines += _fail(each, scope, indentation)
            case typed.Let() | typed.Insert():
                written, scope = _binding(each, scope)
                lines.append(statement(written, indentation))
            case typed.Return():
                lines.append(statement(("return ", _result(tool.returns, each.value, scope).document), indentation))
            case _:
                lines.append(statement(write(each, scope), indentation))
    return lines or [statement("pass", indentation)]


def _if(each: typed.If, scope: Scope, tool: typed.ToolDef, indentation: int, keyword: str = "if") -> list[str]:
    head = (f"{keyword} ", condition(each.condition, scope).alone(), ":")
    lines = [statement(head, indentation), *_block(each.then, scope, tool, indentation + STEP)]
    match each.otherwise:
        case ():
            return lines
        case (typed.If() as other,):
            return lines + _if(other, scope, tool, indentation, "elif")
        case otherwise:
            return [*lines, statement("else:", indentation), *_block(otherwise, scope, tool, indentation + STEP)]


def _fail(each: typed.Fail, scope: Scope, indentation: int) -> list[str]:
    failure = ("raise ", call("rt.Fail", quoted(each.error), literal(each.message)).document)
    if each.when is None:
        return [statement(failure, indentation)]
    head = ("if ", condition(each.when, scope).alone(), ":")
    return [statement(head, indentation), statement(failure, indentation + STEP)]


def _binding(each: typed.Let | typed.Insert, scope: Scope) -> tuple[Document, Scope]:
    """A statement that may give a local its value, and the scope behind it."""
    value = emit(each.value, scope).alone() if isinstance(each, typed.Let) else _insert(each, scope)
    if not each.name:
        return value, scope
    local = Local(scope.names.take(local_name(each.name)))
    presence = after(each, scope.known).variables["local", each.name]
    return (f"{local.id} = ", value), scope.with_local("local", each.name, local, presence)


def _insert(each: typed.Insert, scope: Scope) -> Document:
    id = emit(each.id, scope) if each.id else Code("None")
    return call("w.insert", quoted(each.store), id, _fields(each.assignments, scope)).document


def write(each: typed.Stmt, scope: Scope) -> Document:
    """A statement that changes a record, or places one."""
    if isinstance(each, typed.Place):
        assert each.id is not None, "an event names each record that it inserts"
        return call("w.place", quoted(each.store), emit(each.id, scope), _fields(each.assignments, scope)).document
    if isinstance(each, typed.Delete):
        return call("w.delete", quoted(each.record), emit(each.target, scope)).document
    assert isinstance(each, typed.Set), "every other statement has its own form"
    return call("w.update", quoted(each.record), emit(each.target, scope), _fields(each.assignments, scope)).document


def _fields(assignments: tuple[typed.Assignment, ...], scope: Scope) -> Document:
    """The fields that are written, and their values; those of bare names only when they are given."""
    values = {each.field: emit(each.value, scope).document for each in assignments}
    bare = {each.field: values[each.field] for each in assignments if each.if_given}
    if not bare:
        return dict_display(values)
    given = call("rt.given", dict_display(bare)).document
    always = [(f"{quoted(each.field)}: ", values[each.field]) for each in assignments if not each.if_given]
    return listed("{", [*always, ("**", given)], "}") if always else given


# ---------------------------------------------------------------------------- results


def _result(returns: Type | None, value: typed.Expr, scope: Scope) -> Code:
    """What the tool gives back for a value of its return type."""
    assert returns is not None, "the checker lets only a tool that returns something return it"
    kind = required(returns)
    code = emit(value, scope)
    match kind:
        case Reference(record=record):
            return call("rt.record", "w", quoted(record), code)
        case View(record=record, fields=fields):
            return call("rt.view", "w", quoted(record), _names(fields), code)
        case ListOf(item=Reference(record=record)):
            return call("rt.records", "w", quoted(record), code)
        case ListOf(item=View(record=record, fields=fields)):
            return call("rt.views", "w", quoted(record), _names(fields), code)
        case ListOf():
            return call("rt.items", code)
        case _:
            return call("rt.scalar", code)


def _names(fields: tuple[str, ...]) -> Document:
    return tuple_display(tuple(quoted(name) for name in fields))


# ---------------------------------------------------------------------------- the table of tools


def _table(service: typed.ServiceDef, functions: Mapping[str, str]) -> str:
    rows: list[Document] = []
    for tool in service.tools.values():
        parameters = tuple_display(tuple(_parameter(parameter) for parameter in tool.parameters.values()))
        declared = call("rt.Tool", functions[tool.name], ("parameters=", parameters))
        rows.append((f"{quoted(_last(tool.name))}: ", declared.document))
    return "\n".join(["TOOLS = {", *(statement((row, ",")) for row in rows), "}"])


def _parameter(parameter: typed.ParameterDef) -> Document:
    return call(
        "rt.Parameter",
        quoted(parameter.name),
        spelled(descriptor(parameter.type)),
        f"required={parameter.required}",
        ("default=", literal(parameter.default)),
    ).document
