"""Services: enums, records, stores and tools; and vocabularies."""

from __future__ import annotations

from lark import Tree

from cwkc.syntax import tree
from cwkc.syntax.expressions import expression, object_display, optional_text, record_id
from cwkc.syntax.literals import text
from cwkc.syntax.reading import Branch, Children, Reading, branch, branches, token, tokens


def service(reading: Reading, whole: Branch) -> tree.Service:
    parts = whole.children
    return tree.Service(
        reading.identifier(parts[1]),
        optional_text(reading, parts),
        tuple(enumeration(reading, part) for part in branches(parts, "enum")),
        tuple(record(reading, part) for part in branches(parts, "record")),
        tuple(_store(reading, part) for part in branches(parts, "store")),
        tuple(_tool(reading, part) for part in branches(parts, "tool")),
        span=reading.span(whole),
    )


def enumeration(reading: Reading, whole: Branch) -> tree.Enumeration:
    name, *values = reading.identifiers(whole.children)
    return tree.Enumeration(name, tuple(values), span=reading.span(whole))


def vocabulary(reading: Reading, whole: Branch) -> tree.Vocabulary:
    values = tuple(text(reading, value) for value in tokens(whole.children, "STRING"))
    return tree.Vocabulary(reading.identifier(whole.children[1]), values, span=reading.span(whole))


def record(reading: Reading, whole: Branch) -> tree.Record:
    parts = whole.children
    return tree.Record(
        reading.identifier(parts[1]), optional_text(reading, parts), fields(reading, parts), span=reading.span(whole)
    )


def fields(reading: Reading, children: Children) -> tuple[tree.Field, ...]:
    return tuple(_field(reading, part) for part in branches(children, "field"))


def _field(reading: Reading, whole: Branch) -> tree.Field:
    parts = whole.children
    return tree.Field(
        reading.identifier(parts[0]),
        type_expression(reading, parts[2]),
        token(parts, "SCHEDULED") is not None,
        _default(reading, parts),
        optional_text(reading, parts),
        span=reading.span(whole),
    )


def _default(reading: Reading, children: Children) -> tree.Expression | None:
    default = branch(children, "default")
    return None if default is None else expression(reading, default.children[1])


def _store(reading: Reading, whole: Branch) -> tree.Store:
    parts = whole.children
    name, key = reading.identifiers(parts)
    return tree.Store(name, reading.path(parts[3]), key, optional_text(reading, parts), span=reading.span(whole))


def type_expression(reading: Reading, whole: Branch) -> tree.TypeExpression:
    first, *rest = whole.children
    if first == "[":
        built: tree.TypeExpression = tree.ListType(type_expression(reading, rest[0]), span=reading.span(first, rest[1]))
    elif view := branch(rest, "view"):
        names = reading.identifiers(view.children)
        built = tree.ViewType(reading.path(first), names, span=reading.span(first, view))
    else:
        built = tree.NamedType(reading.path(first), span=reading.span(first))
    return tree.OptionalType(built, span=reading.span(whole)) if whole.children[-1] == "?" else built


# ---------------------------------------------------------------------------- tools


def _tool(reading: Reading, whole: Branch) -> tree.Tool:
    parts = whole.children
    returns = branch(parts, "returns")
    return tree.Tool(
        reading.identifier(parts[1]),
        optional_text(reading, parts),
        tuple(_parameter(reading, part) for part in branches(parts, "parameter")),
        None if returns is None else type_expression(reading, returns.children[1]),
        _block(reading, parts[-1]),
        span=reading.span(whole),
    )


def _parameter(reading: Reading, whole: Branch) -> tree.Parameter:
    parts = whole.children
    return tree.Parameter(
        reading.identifier(parts[0]),
        type_expression(reading, parts[2]),
        _default(reading, parts),
        optional_text(reading, parts),
        span=reading.span(whole),
    )


def _block(reading: Reading, whole: Branch) -> tuple[tree.Statement, ...]:
    return tuple(_statement(reading, part) for part in whole.children[1:-1])


def _statement(reading: Reading, whole: Branch) -> tree.Statement:
    match whole.data:
        case "return":
            return tree.Return(expression(reading, whole.children[1]), span=reading.span(whole))
        case "assign":
            return _assign(reading, whole)
        case "insert":
            return _insert(reading, whole)
        case "fail":
            return _fail(reading, whole)
        case "if":
            return _if(reading, whole)
    return change(reading, whole)


def change(reading: Reading, whole: Branch) -> tree.Set | tree.Delete:
    """`set` or `delete`, in a tool or in an event."""
    changed = expression(reading, whole.children[1])
    if whole.data == "delete":
        return tree.Delete(changed, span=reading.span(whole))
    return tree.Set(changed, object_display(reading, whole.children[2]), span=reading.span(whole))


def _assign(reading: Reading, whole: Branch) -> tree.Let:
    value = whole.children[3]
    is_insert = isinstance(value, Tree) and value.data == "insert"
    built = _insert(reading, value) if is_insert else expression(reading, value)
    return tree.Let(reading.identifier(whole.children[1]), built, span=reading.span(whole))


def _insert(reading: Reading, whole: Branch) -> tree.Insert:
    parts = whole.children
    return tree.Insert(
        reading.path(parts[1]),
        expression(reading, parts[3]) if token(parts, "AT") else None,
        object_display(reading, parts[-1]),
        span=reading.span(whole),
    )


def _fail(reading: Reading, whole: Branch) -> tree.Fail:
    _, error, message, *_ = whole.children
    return tree.Fail(
        reading.identifier(error), text(reading, message), when(reading, whole.children), span=reading.span(whole)
    )


def when(reading: Reading, children: Children) -> tree.Expression | None:
    """The `when` among the children of a rule that may have one."""
    condition = branch(children, "when")
    return None if condition is None else expression(reading, condition.children[1])


def _if(reading: Reading, whole: Branch) -> tree.If:
    _, condition, then, *otherwise = whole.children
    return tree.If(
        expression(reading, condition),
        _block(reading, then),
        _block(reading, otherwise[1]) if otherwise else (),
        span=reading.span(whole),
    )


# ---------------------------------------------------------------------------- rows


def rows(reading: Reading, whole: Branch) -> tuple[tree.Row, ...]:
    return tuple(_row(reading, part) for part in branches(whole.children, "row"))


def _row(reading: Reading, whole: Branch) -> tree.Row:
    id, shown = whole.children
    return tree.Row(record_id(reading, id), object_display(reading, shown), span=reading.span(whole))
