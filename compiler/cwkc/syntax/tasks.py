"""Worlds, tasks, families and plans."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token

from cwkc.diagnostics import report
from cwkc.source import Span
from cwkc.syntax import tree
from cwkc.syntax.expressions import expression, object_display, optional_text
from cwkc.syntax.grading import GRADING, forbid, require
from cwkc.syntax.literals import literal, text, text_or_interpolation
from cwkc.syntax.reading import Branch, Children, Reading, Unreadable, branch, branches, token, tokens
from cwkc.syntax.services import change, fields, rows, type_expression, when
from cwkc.syntax.vocabulary import STATEMENTS


def world(reading: Reading, whole: Branch) -> tree.World:
    items = tuple(WORLD_ITEMS[part.data](reading, part) for part in whole.children[3:-1])
    return tree.World(reading.identifier(whole.children[1]), items, span=reading.span(whole))


def task(reading: Reading, whole: Branch) -> tree.Task:
    name, *world = reading.identifiers(whole.children)
    return tree.Task(
        name,
        optional_text(reading, whole.children),
        world[0] if world else None,
        _items(reading, whole.children),
        span=reading.span(whole),
    )


def family(reading: Reading, whole: Branch) -> tree.Family:
    name, *world = reading.identifiers(whole.children)
    return tree.Family(
        name,
        tuple(_dimension(reading, part) for part in branches(whole.children, "dimension")),
        optional_text(reading, whole.children),
        world[0] if world else None,
        _items(reading, whole.children),
        span=reading.span(whole),
    )


def _items(reading: Reading, children: Children) -> tuple[tree.TaskItem, ...]:
    """What stands between the braces."""
    items: list[tree.TaskItem] = []
    for part in children[children.index("{") + 1 : -1]:
        if part.data == "limit":
            items.extend(_limits(reading, part))
        else:
            items.append(TASK_ITEMS[part.data](reading, part))
    return tuple(items)


def _dimension(reading: Reading, whole: Branch) -> tree.FamilyParameter:
    name, _, type, _, domain, *high = whole.children
    return tree.FamilyParameter(
        reading.identifier(name),
        type_expression(reading, type),
        expression(reading, domain),
        expression(reading, high[1]) if high else None,
        span=reading.span(whole),
    )


def plan(reading: Reading, whole: Branch) -> tree.Plan:
    slots = tuple(_slot(reading, part) for part in branches(whole.children, "slot"))
    return tree.Plan(reading.identifier(whole.children[1]), slots, span=reading.span(whole))


def _slot(reading: Reading, whole: Branch) -> tree.Slot:
    _, name, shown = whole.children
    return tree.Slot(reading.identifier(name), object_display(reading, shown), span=reading.span(whole))


# ---------------------------------------------------------------------------- what stands in a task


def _meta(reading: Reading, whole: Branch) -> tree.Meta:
    """What says something about the task.

    Raises:
        Unreadable: it is a statement with a colon after its keyword, or its value is a list as YAML writes it.
    """
    key, colon, value = whole.children
    if key in STATEMENTS:
        raise Unreadable(report("E132", reading.span(colon), word=str(key)))
    built = expression(reading, value)
    if _is_dash_list(colon, built.span):
        raise Unreadable(report("E139", built.span))
    return tree.Meta(reading.identifier(key), built, span=reading.span(whole))


def _is_dash_list(colon: Token, value: Span) -> bool:
    """Whether the value begins with a dash in a line of its own: a list as YAML writes it."""
    return value.text.startswith("-") and "\n" in value.source.text[colon.start_pos : value.start]


def _extend(reading: Reading, whole: Branch) -> tree.Extend:
    parts = whole.children
    return tree.Extend(reading.path(parts[1]), fields(reading, parts), span=reading.span(whole))


def _data(reading: Reading, whole: Branch) -> tree.Data:
    _, store, shown = whole.children
    return tree.Data(reading.path(store), rows(reading, shown), span=reading.span(whole))


def _request(reading: Reading, whole: Branch) -> tree.Request:
    return tree.Request(_text(reading, whole.children[1]), span=reading.span(whole))


def _text(reading: Reading, whole: Branch) -> tree.Text | tree.Interpolation:
    return text_or_interpolation(reading, whole.children[0])


def _tools(reading: Reading, whole: Branch) -> tree.Tools:
    selections = tuple(_selection(reading, part) for part in branches(whole.children, "selection"))
    return tree.Tools(selections, span=reading.span(whole))


def _selection(reading: Reading, whole: Branch) -> tree.ToolSelection:
    path, *view = whole.children
    names = reading.identifiers(view[0].children) if view else ()
    return tree.ToolSelection(reading.path(path), names, span=reading.span(whole))


def _limits(reading: Reading, whole: Branch) -> tuple[tree.Limit, ...]:
    """One for each amount; each stands over its own words."""
    amounts, units = tokens(whole.children, "LITERAL"), tokens(whole.children, "NAME")
    return tuple(
        tree.Limit(literal(reading, amount), reading.identifier(unit), span=reading.span(amount, unit))
        for amount, unit in zip(amounts, units, strict=True)
    )


def _given(reading: Reading, whole: Branch) -> tree.Given:
    return tree.Given(expression(reading, whole.children[1]), span=reading.span(whole))


def _allow(reading: Reading, whole: Branch) -> tree.Allow:
    _, code, reason = whole.children
    return tree.Allow(reading.identifier(code), text(reading, reason), span=reading.span(whole))


def _policy(reading: Reading, whole: Branch) -> tree.Policy:
    _, sentence, rule = whole.children
    build = forbid if rule.data == "forbid" else require
    return tree.Policy(_text(reading, sentence), build(reading, rule), span=reading.span(whole))


def _deliver(reading: Reading, whole: Branch) -> tree.Deliver:
    parts = whole.children
    name, *format = reading.identifiers(parts)
    answer = token(parts, "ANSWER")
    return tree.Deliver(
        name,
        optional_text(reading, parts),
        format[0] if answer is None else reading.identifier(answer),
        _repeated(reading, branch(parts, "repeated")),
        tuple(_promised(reading, part) for part in branches(parts, "promised")),
        span=reading.span(whole),
    )


def _repeated(
    reading: Reading, whole: Branch | None
) -> tuple[tree.Identifier, tree.Expression, tree.Expression] | None:
    """`rows t in TRUTH key t.id`"""
    if whole is None:
        return None
    _, variable, _, source, _, key = whole.children
    return reading.identifier(variable), expression(reading, source), expression(reading, key)


def _promised(reading: Reading, whole: Branch) -> tree.DeliverField:
    name, _, type, default, *_ = whole.children
    return tree.DeliverField(
        reading.identifier(name),
        type_expression(reading, type),
        expression(reading, default.children[1]),
        optional_text(reading, whole.children),
        span=reading.span(whole),
    )


def _asset(reading: Reading, whole: Branch) -> tree.Asset:
    _, path, facts = whole.children
    return tree.Asset(text(reading, path), _facts(reading, facts), span=reading.span(whole))


def _facts(reading: Reading, whole: Branch) -> tuple[tree.Fact, ...]:
    return tuple(_fact(reading, part) for part in branches(whole.children, "fact"))


def _fact(reading: Reading, whole: Branch) -> tree.Fact:
    name, _, value, *_ = whole.children
    return tree.Fact(
        reading.identifier(name),
        expression(reading, value),
        when(reading, whole.children),
        span=reading.span(whole),
    )


# ---------------------------------------------------------------------------- users, events, faults


def _user(reading: Reading, whole: Branch) -> tree.User:
    """Facts may be given in several `knows`; of the other parts there is one."""
    parts = whole.children
    for part in ("persona", "patience"):
        for second in list(branches(parts, part))[1:]:
            reading.complain("E124", reading.span(second), part=part)
    persona, patience = branch(parts, "persona"), branch(parts, "patience")
    return tree.User(
        None if persona is None else _text(reading, persona.children[1]),
        tuple(fact for knows in branches(parts, "knows") for fact in _facts(reading, knows.children[1])),
        None if patience is None else literal(reading, patience.children[1]),
        span=reading.span(whole),
    )


def _event(reading: Reading, whole: Branch) -> tree.Event:
    _, name, trigger, moment, *_ = whole.children
    return tree.Event(
        reading.identifier(name),
        str(trigger),
        literal(reading, moment) if trigger == "turn" else expression(reading, moment),
        token(whole.children, "SILENT") is not None,
        tuple(_action(reading, part) for part in whole.children[whole.children.index("{") + 1 : -1]),
        span=reading.span(whole),
    )


def _action(reading: Reading, whole: Branch) -> tree.Statement:
    match whole.data:
        case "say":
            return tree.Say(_text(reading, whole.children[1]), span=reading.span(whole))
        case "insert_rows":
            _, store, shown = whole.children
            return tree.InsertRows(reading.path(store), rows(reading, shown), span=reading.span(whole))
        case "end":
            return tree.End(span=reading.span(whole))
    return change(reading, whole)


def _fault(reading: Reading, whole: Branch) -> tree.Fault:
    _, tool, kind, *schedule, amount = whole.children
    return tree.Fault(
        reading.path(tool),
        reading.identifier(kind),
        str(schedule[-1]),
        literal(reading, amount),
        span=reading.span(whole),
    )


def _distract(reading: Reading, whole: Branch) -> tree.Distract:
    _, count, store, _, truth = whole.children
    return tree.Distract(
        literal(reading, count), reading.path(store), reading.identifier(truth), span=reading.span(whole)
    )


WORLD_ITEMS: dict[str, Callable[[Reading, Branch], tree.Meta | tree.Extend | tree.Data]] = {
    "meta": _meta,
    "extend": _extend,
    "data": _data,
}

TASK_ITEMS: dict[str, Callable[[Reading, Branch], tree.TaskItem]] = {
    **WORLD_ITEMS,
    **GRADING,
    "request": _request,
    "tools": _tools,
    "given": _given,
    "allow": _allow,
    "policy": _policy,
    "deliver": _deliver,
    "asset": _asset,
    "user": _user,
    "event": _event,
    "fault": _fault,
    "distract": _distract,
}
