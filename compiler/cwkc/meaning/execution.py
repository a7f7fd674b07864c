"""What the body of a tool means: its statements, one after the other, over a world of the runtime.

Expressions mean what the evaluator says, writes and results what the runtime does; what is defined here is how a body
is put together from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from coworkdsl import tools
from coworkdsl.tools import Fail, Result
from coworkdsl.values import in_words
from coworkdsl.world import World
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, evaluate, holds
from cwkc.meaning.types import ListOf, Reference, Type, View, required


@frozen
class Returned:
    """That a body has come to its `return`, and with what."""

    value: Any


def execute(tool: typed.ToolDef, arguments: Mapping[str, Any], world: World) -> Any:
    """Runs a tool's body and gives the value that it returns, before that is shown to an agent.

    `arguments` are values of their types, defaults filled in, references of records that exist. Raises
    `coworkdsl.world.Fail` and `coworkdsl.operations.Undefined`; what was written until then is the caller's to undo.
    """
    returned = _run(tool.body, Scope(world=world, now=world.now, variables=arguments), world)
    return returned.value if returned else None


def happen(event: typed.EventDef, world: World, truths: Mapping[str, Any]) -> tuple[str, ...]:
    """Lets an event change the world, and gives what the user says then. Raises `coworkdsl.operations.Undefined`."""
    if event.time is not None:
        world.now = max(event.time, world.now)
    scope = Scope(world=world, now=world.now, truths=truths)
    _run(event.body, scope, world)
    return tuple(in_words(evaluate(said, scope)) for said in event.said)


def result(returns: Type | None, value: Any, world: World) -> Result:
    """What an agent reads of the value that a tool of that return type gives."""
    if returns is None:
        return tools.done()
    match required(returns):
        case Reference(record=record):
            return tools.record(world, record, value)
        case View(record=record, fields=fields):
            return tools.view(world, record, fields, value)
        case ListOf(item=Reference(record=record)):
            return tools.records(world, record, value)
        case ListOf(item=View(record=record, fields=fields)):
            return tools.views(world, record, fields, value)
        case ListOf():
            return tools.items(value)
        case _:
            return tools.scalar(value)


def _run(body: Iterable[typed.Stmt], scope: Scope, world: World) -> Returned | None:
    for statement in body:
        after = _step(statement, scope, world)
        if isinstance(after, Returned):
            return after
        scope = after
    return None


def _step(statement: typed.Stmt, scope: Scope, world: World) -> Scope | Returned:
    """The scope behind a statement, or what the body returns with it."""
    match statement:
        case typed.Return():
            return Returned(evaluate(statement.value, scope))
        case typed.Let():
            return scope.bind(statement.name, evaluate(statement.value, scope))
        case typed.Place():
            world.place(statement.store, evaluate(_id(statement), scope), _fields(statement.assignments, scope))
        case typed.Insert():
            return _insert(statement, scope, world)
        case typed.Set():
            world.update(statement.record, evaluate(statement.target, scope), _fields(statement.assignments, scope))
        case typed.Delete():
            world.delete(statement.record, evaluate(statement.target, scope))
        case typed.Fail():
            if statement.when is None or holds(statement.when, scope):
                raise Fail(statement.error, statement.message)
        case typed.If():
            branch = statement.then if holds(statement.condition, scope) else statement.otherwise
            return _run(branch, scope, world) or scope
    return scope


def _id(statement: typed.Place) -> typed.Expr:
    assert statement.id is not None, "an event names each record that it inserts"
    return statement.id


def _insert(statement: typed.Insert, scope: Scope, world: World) -> Scope:
    wanted = evaluate(statement.id, scope) if statement.id else None
    id = world.insert(statement.store, wanted, _fields(statement.assignments, scope))
    return scope.bind(statement.name, id) if statement.name else scope


def _fields(assignments: Iterable[typed.Assignment], scope: Scope) -> dict[str, Any]:
    """The fields that are written, and their values; those of bare names only when they are given."""
    values = ((each, evaluate(each.value, scope)) for each in assignments)
    return {each.field: value for each, value in values if not (each.if_given and value is None)}
