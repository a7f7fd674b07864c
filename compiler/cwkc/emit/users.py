"""The user and the events: from a task's script to a Python module, in source order."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from cwkc.emit.code import call
from cwkc.emit.expressions import condition, emit
from cwkc.emit.fixed import named
from cwkc.emit.literals import literal, quoted, tuple_display
from cwkc.emit.modules import RUNTIME, banner, comment, module, source_text, statement
from cwkc.emit.names import Names, slug
from cwkc.emit.printer import Document
from cwkc.emit.scope import Scope
from cwkc.emit.services import write
from cwkc.meaning import typed
from cwkc.meaning.walk import expressions, statements, walk

_MODULE_NAMES = ("rt", "run", "w", "args", "FACTS", "EVENTS", "PERSONA", "PATIENCE", "LANGUAGE", "HOLES")


@frozen
class _Row:
    """A row of one of the tables, and the functions behind it."""

    functions: tuple[str, ...]
    row: Document


def emit_user(task: typed.Task, compiler: str) -> str:
    """The text of the module of a task's user and events."""
    names = Names(_MODULE_NAMES)
    read = tuple(_parts(task))
    truths = (name for name in task.truths if name in {part.name for part in read if isinstance(part, typed.Truth)})
    contracts = {part.name: None for part in read if isinstance(part, typed.Delivered)}
    fixed = named(task, names, truths, contracts)
    scope = fixed.scope(names, _MODULE_NAMES)
    facts = [_fact(fact, scope, names) for fact in task.user.facts.values()] if task.user else []
    events = [_event(event, scope, names) for event in task.events.values()]
    head = (
        banner(f"The user and the events of the task `{task.name}`.", compiler, task.sources),
        RUNTIME,
        "\n".join(scope.constants.lines()),
        *fixed.texts(),
        "\n".join(_words(task)),
    )
    tables = "\n".join((_table("FACTS", facts), _table("EVENTS", events)))
    return module(head, [*(text for row in (*facts, *events) for text in row.functions), tables])


def _parts(task: typed.Task) -> Iterator[typed.Expr]:
    """Every expression that the script evaluates."""
    facts = task.user.facts.values() if task.user else ()
    asked = [fact.asked for fact in facts if fact.asked is not None]
    for event in task.events.values():
        asked += [*event.said, *([event.condition] if event.condition else [])]
        asked += [expr for each in statements(event.body) for expr in expressions(each)]
    for expr in asked:
        yield from walk(expr)


def _words(task: typed.Task) -> list[str]:
    user = task.user
    return [
        statement(("PERSONA = ", literal(user.persona if user else "")), 0),
        f"PATIENCE = {user.patience if user else None}",
        f"LANGUAGE = {quoted(task.language)}",
    ]


def _fact(fact: typed.FactDef, scope: Scope, names: Names) -> _Row:
    functions, asked = _condition(f"asked_{slug(fact.name)}", fact.asked, scope, names)
    row = call(
        "rt.Fact", quoted(fact.name), literal(fact.words), ("asked=", asked), ("place=", quoted(fact.span.place))
    )
    return _Row(functions, row.document)


def _condition(name: str, expr: typed.Expr | None, scope: Scope, names: Names) -> tuple[tuple[str, ...], Document]:
    """The function that asks of a run whether a condition holds, and its name."""
    if expr is None:
        return (), "None"
    name = names.take(name)
    lines = [*comment(f"{expr.span.place}: {source_text(expr.span)}"), f"def {name}(run):"]
    return ("\n".join([*lines, statement(("return ", condition(expr, scope).alone()))]),), name


def _event(event: typed.EventDef, scope: Scope, names: Names) -> _Row:
    functions, when = _condition(f"when_{slug(event.name)}", event.condition, scope, names)
    act = names.take(f"on_{slug(event.name)}")
    words: list[Document] = [("when=", when)] if event.condition else []
    words += [("turn=", literal(event.turn))] if event.turn else []
    words += [("at=", literal(event.time))] if event.time else []
    words += [f"{flag}=True" for flag in ("silent", "ends") if getattr(event, flag)]
    place = quoted(event.span.place)
    row = call("rt.ScriptedEvent", quoted(event.name), act, place, *words).document
    return _Row((*functions, _act(event, act, scope)), row)


def _act(event: typed.EventDef, name: str, scope: Scope) -> str:
    inner = evolve(scope.seeing("w"), names=scope.names.inner())
    lines = [*comment(f"{event.span.place}: on {event.name}"), f"def {name}(w):"]
    lines += [statement(write(each, inner)) for each in event.body]
    said = tuple_display(tuple(emit(each, inner).document for each in event.said))
    return "\n".join([*lines, statement(("return ", said))])


def _table(name: str, rows: list[_Row]) -> str:
    if not rows:
        return f"{name} = ()"
    return "\n".join([f"{name} = (", *(statement((row.row, ",")) for row in rows), ")"])
