"""What a tool does where that is plain: list, get, create, update and delete the records of a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from cwkc.importing.schemas import Schemas
from cwkc.importing.skeleton import Slot, Store, Tool, agrees
from cwkc.importing.wording import NO_VALUES, Names, Todo
from cwkc.meaning.types import INT, ListOf, Optional, Reference, required
from cwkc.source import Span

BOUNDS = ("limit", "max_results", "page_size", "pageSize", "per_page", "maxResults")
"""What the number of records that are listed at most is called."""

WRITE_BODY = "write its body"


@frozen
class Call:
    """A tool to be given a body. `shape` is one of `list get create update delete`, or empty; `key` is the parameter
    that names the record; `shadowed` are names that an expression in this service cannot mean a parameter by."""

    name: str
    doc: str
    span: Span
    parameters: tuple[Slot, ...]
    shape: str = ""
    store: Store | None = None
    key: str = ""
    shadowed: frozenset[str] = frozenset()
    todos: tuple[Todo, ...] = ()

    def can_say(self, name: str) -> bool:
        """Whether an expression can mean a parameter by its name."""
        return name not in NO_VALUES and name not in self.shadowed

    def fresh(self, wanted: str) -> str:
        """A name for a variable."""
        return Names({*(each.name for each in self.parameters), *self.shadowed}).fresh(wanted, wanted)


def shadowing(service: str, stores: Iterable[Store], schemas: Schemas) -> frozenset[str]:
    """The names by which an expression in a service means something else than a parameter."""
    values = {value for enum in schemas.enums for value in enum.values}
    return frozenset({service, *(store.name for store in stores), *values, *schemas.types.taken})


def tool_of(call: Call) -> Tool:
    """The tool with its body, or with a TODO where what it does is not plain."""
    store, writer = call.store, SHAPES.get(call.shape)
    if store is None or writer is None or (call.key and not call.can_say(call.key)):
        return _without_body(call)
    if call.key:
        key = Reference(store.record.name)
        named = tuple(evolve(each, type=key, default="") if each.name == call.key else each for each in call.parameters)
        call = evolve(call, parameters=named)
    body, returns, used = writer(call, store)
    if not body:
        return _without_body(call)
    unused = [each.name for each in call.parameters if each.name not in used]
    todos = [*call.todos, *(_unused(call, name) for name in unused)]
    return Tool(call.name, call.parameters, returns, body, call.doc, todos)


def _without_body(call: Call) -> Tool:
    todo = Todo(call.span, call.name, "what it does cannot be told from its description", WRITE_BODY)
    return Tool(call.name, call.parameters, doc=call.doc, todos=[*call.todos, todo])


def _unused(call: Call, name: str) -> Todo:
    reason = f"`{call.name}` does nothing with this parameter"
    return Todo(call.span, name, reason, "use it in the body, or remove it")


Written = tuple[str, str, set[str]]
"""The statements, the type returned, and the parameters that they use."""


def _list(call: Call, store: Store) -> Written:
    """A parameter that is called as the store hides it."""
    if any(each.name == store.name for each in call.parameters):
        return "", "", set()
    found = call.fresh("found")
    filters = [each for each in call.parameters if _filters(call, each, store)]
    bound = next((each.name for each in call.parameters if each.name in BOUNDS and each.type == INT), "")
    wanted = " and ".join(_condition(found, each) for each in filters if each.name != bound)
    where = f" where {wanted}" if wanted else ""
    first = f"first {bound} of " if bound else ""
    used = {bound, *(each.name for each in filters)}
    return f"return {first}all {found} in {store.name}{where}", f"[{store.record.name}]", used


def _filters(call: Call, parameter: Slot, store: Store) -> bool:
    scalar = not isinstance(required(parameter.type), ListOf)
    return scalar and call.can_say(parameter.name) and agrees(parameter, store.record.fields.get(parameter.name))


def _condition(found: str, parameter: Slot) -> str:
    same = f"{found}.{parameter.name} == {parameter.name}"
    return f"({parameter.name} is null or {same})" if isinstance(parameter.type, Optional) else same


def _get(call: Call, store: Store) -> Written:
    return f"return {call.key}", store.record.name, {call.key}


def _create(call: Call, store: Store) -> Written:
    """Without a value for a field that must have one, there is nothing to insert."""
    created, given = call.fresh("created"), _fields(call, store)
    needed = [each for each in store.record.fields.values() if not each.may_be_left_out and each.name not in given]
    if needed:
        return "", "", set()
    body = f"let {created} = insert {store.name} {{ {', '.join(given)} }}\nreturn {created}"
    return body, store.record.name, set(given)


def _update(call: Call, store: Store) -> Written:
    given = _fields(call, store)
    if not given:
        return "", "", set()
    return f"set {call.key} {{ {', '.join(given)} }}\nreturn {call.key}", store.record.name, {call.key, *given}


def _delete(call: Call, store: Store) -> Written:
    return f"delete {call.key}", "", {call.key}


def _fields(call: Call, store: Store) -> Sequence[str]:
    """The parameters that fill a field of their name; a bare name sets it when the argument was given."""
    return [
        each.name
        for each in call.parameters
        if each.name != call.key and call.can_say(each.name) and agrees(each, store.record.fields.get(each.name))
    ]


SHAPES = {"list": _list, "get": _get, "create": _create, "update": _update, "delete": _delete}
