"""Completion: what may be written at a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from cwkc.diagnostics import CATALOGUE, Severity
from cwkc.editor.analysis import Analysis
from cwkc.editor.builtins import BUILTINS
from cwkc.editor.describing import parameter, signature
from cwkc.editor.expected import call_around, expected_type, is_rows, record_around, values_of
from cwkc.editor.names_at import names_at, type_of
from cwkc.editor.place import Place, accepted_before, place_at
from cwkc.meaning import typed
from cwkc.meaning.deliverables import _FORMATS as FORMATS
from cwkc.meaning.names import Names
from cwkc.meaning.tasks import _UNITS as UNITS
from cwkc.meaning.tasks import _WORDS as WORDS
from cwkc.meaning.types import SCALARS, ListOf, Reference, RowType, Type, required
from cwkc.resources import standard_services
from cwkc.source import Span
from cwkc.syntax import tree

ENTRIES = ("now", *WORDS, "capabilities")
STORES_AFTER = frozenset({"DATA", "INSERT", "CHANGES", "NEW"})
TOOLS_AFTER = frozenset({"CALLED", "TRIED", "FAULT"})
TYPE = frozenset({"NAME", "["})
EXPRESSION = frozenset({"NAME", "LITERAL", "STRING", "["})


@frozen
class Item:
    """`label` is what is shown and, where `insert` is empty, written; `kind` is that of a symbol, or `keyword`,
    `function`, `type` and `entry`."""

    label: str
    kind: str
    detail: str = ""
    doc: str = ""
    insert: str = ""


@frozen(eq=False)
class Completion:
    """`span` is what an item takes the place of."""

    span: Span
    items: tuple[Item, ...]


def completion(analysis: Analysis, offset: int) -> Completion | None:
    """What may stand at an offset; None in a comment or a text."""
    place = place_at(analysis, offset)
    if place is None:
        return None
    found: dict[str, Item] = {}
    for item in (*_meant(place), *_keywords(place)):
        found.setdefault(item.label, item)
    return Completion(Span(analysis.source, place.start, offset), tuple(found.values()))


def _keywords(place: Place) -> Iterator[Item]:
    if place.hole is not None or place.analysis.source.text.startswith("@", place.start) or _is_used(place):
        return
    yield from (Item(word, "keyword") for word in sorted(place.accepted) if word.isalpha() and word.islower())


def _meant(place: Place) -> Iterable[Item]:
    """Names, the most particular places first."""
    if not place.tokens:
        return _standard_services() if _is_used(place) else ()
    names = names_at(place)
    if place.hole is not None:
        return _fields(type_of(place.hole, names), names) if place.hole else _truths(place, names)
    if place.analysis.source.text.startswith("@", place.start):
        return _record_ids(place, names)
    if place.type(-1) == "DOT":
        return _after_dot(place, names)
    opening = place.opening()
    begins = place.type(-1) == "COMMA" or len(place.tokens) - 1 == opening
    bracket = str(place.tokens[opening]) if opening >= 0 else ""
    if begins and bracket == ".{":
        return _in_view(place, opening, names)
    if begins and bracket == "(" and (tool := call_around(place, names)) is not None:
        return _arguments(place, opening, tool)
    if begins and bracket == "{" and (record := record_around(place, names)) is not None:
        return _fields_to_write(place, opening, record, names)
    if "NAME" not in place.accepted:
        return ()
    return _after_word(place, names)


def _is_used(place: Place) -> bool:
    """Whether the place is that of the first name of a `use`."""
    line_start = place.text.rfind("\n", 0, place.start) + 1
    return re.fullmatch(r"\s*use\s+", place.text[line_start : place.start]) is not None


def _after_word(place: Place, names: Names) -> Iterable[Item]:
    """What the word before the place decides; else a type, an entry or an expression."""
    named = AFTER.get(place.type(-1))
    if named is not None:
        return named(place, names)
    if place.type(0) == "USE" and place.type(-1) in ("USE", "COMMA"):
        return _standard_services()
    if place.type(-1) == "LITERAL" and place.type(-2) in ("LIMIT", "COMMA"):
        return (Item(unit, "entry") for unit in UNITS)
    if place.type(-1) == "STRING" and place.type(-3) == "DELIVER":
        return (Item(format, "entry") for format in FORMATS)
    if place.type(-1) == "COMMA" and place.opening() <= _head(place, ("TOOLS",)):
        return _services(names)
    if place.accepted == TYPE:
        return _types(place, names)
    if "check" in place.accepted and "request" in place.accepted:
        return (Item(f"{entry}:", "entry", insert=f"{entry}: ") for entry in ENTRIES)
    if place.accepted >= EXPRESSION:
        return _expression(place, names)
    return ()


def _head(place: Place, heads: tuple[str, ...]) -> int:
    """The index of the last token of these kinds; past the end where there is none."""
    return next((i for i in range(len(place.tokens) - 1, -1, -1) if place.type(i) in heads), -2)


# ---------------------------------------------------------------------------- after a dot, in brackets


def _after_dot(place: Place, names: Names) -> Iterable[Item]:
    end = len(place.tokens) - 2
    first = place.chain_start(end)
    base = place.written(first, end)
    head = place.type(first - 1)
    service = names.services.get(base)
    if service is not None and base not in names.variables and base not in names.truths:
        if head in STORES_AFTER or (head == "COMMA" and _head(place, ("CHANGES",)) >= 0):
            return _stores(service)
        if head in TOOLS_AFTER:
            return _tools(service)
        if head in ("TOOLS", "COMMA") and _head(place, ("TOOLS",)) > place.opening():
            return _tools(service)
        if head == "EXTEND" or accepted_before(place, first) == TYPE:
            return _types_of(service, place, names)
        return _stores(service)
    if base == "arg" and names.arguments:
        return (Item(name, "parameter", str(each.type)) for name, (each, _) in names.arguments.items())
    return _fields(type_of(base, names), names)


def _fields(kind: Type, names: Names) -> Iterator[Item]:
    core = required(kind)
    if isinstance(core, Reference):
        for field in names.fields(core.record).values():
            yield Item(field.name, "field", str(field.type), field.doc or "")
        yield Item("id", "field", "text", "the record's id")
    elif isinstance(core, RowType):
        yield from (Item(name, "field", str(column)) for name, column in core.columns)


def _in_view(place: Place, opening: int, names: Names) -> Iterable[Item]:
    written = {str(token) for token in place.tokens[opening:]}
    first = place.chain_start(opening - 1)
    service = names.services.get(str(place.tokens[opening - 1]))
    if first == opening - 1 and service is not None and _head(place, ("TOOLS",)) >= 0:
        return (item for item in _tools(service) if item.label not in written)
    words = [str(token) for token in place.tokens[first:opening] if token.type == "NAME"]
    owner = names.services.get(words[0])
    record = f"{owner.name if owner and len(words) > 1 else names.store_home}.{words[-1]}"
    return (item for item in _fields(Reference(record), names) if item.label not in {*written, "id"})


def _arguments(place: Place, opening: int, tool: typed.ToolDef) -> Iterator[Item]:
    written = {str(place.tokens[i]) for i in range(opening, len(place.tokens) - 1) if place.type(i + 1) == "COLON"}
    for each in tool.parameters.values():
        if each.name not in written:
            yield Item(each.name, "parameter", parameter(each), each.doc or "", f"{each.name}: ")


def _fields_to_write(place: Place, opening: int, record: str, names: Names) -> Iterator[Item]:
    written = {str(place.tokens[i]) for i in range(opening, len(place.tokens) - 1) if place.type(i + 1) == "COLON"}
    for field in names.fields(record).values():
        if field.name not in written:
            yield Item(field.name, "field", str(field.type), field.doc or "", f"{field.name}: ")


def _record_ids(place: Place, names: Names) -> Iterator[Item]:
    if "REF" not in place.accepted or is_rows(place, place.opening()):
        return
    kind = expected_type(place, names)
    core = required(kind) if kind else None
    core = required(core.item) if isinstance(core, ListOf) else core
    for id, homes in names.ids.items():
        records = [names.stores[store].record for store, _ in homes]
        if not isinstance(core, Reference) or core.record in records:
            plain = id.replace("-", "").replace("_", "").isalnum() and id.isascii()
            yield Item(f"@{id}" if plain else f'@"{id}"', "record id", records[0])


# ---------------------------------------------------------------------------- by the word before


def _standard_services() -> Iterator[Item]:
    yield from (Item(name, "service") for name in standard_services())


def _services(names: Names) -> Iterator[Item]:
    yield from (Item(alias, "service", "service", each.doc or "") for alias, each in names.services.items())


def _stores(service: typed.ServiceDef) -> Iterator[Item]:
    yield from (Item(name.rpartition(".")[2], "store", each.record) for name, each in service.stores.items())


def _tools(service: typed.ServiceDef) -> Iterator[Item]:
    for name, tool in service.tools.items():
        yield Item(name.rpartition(".")[2], "tool", signature(tool), tool.doc or "")


def _types_of(service: typed.ServiceDef, place: Place, names: Names) -> Iterator[Item]:
    prefix = f"{service.name}."
    if place.type(place.chain_start(len(place.tokens) - 2) - 1) != "EXTEND":
        yield from (Item(name.removeprefix(prefix), "enum") for name in names.enums if name.startswith(prefix))
    yield from (Item(name.removeprefix(prefix), "record") for name in names.records if name.startswith(prefix))


def _types(place: Place, names: Names) -> Iterator[Item]:
    yield from (Item(name, "type") for name in SCALARS)
    for name in place.analysis.readable.scope.types:
        yield Item(name, "record" if name in names.records else "enum")
    home = names.services.get(names.store_home or "")
    yield from _types_of(home, place, names) if home else ()
    yield from (item for item in _services(names) if item.label != names.store_home)


def _paths(place: Place, names: Names) -> Iterator[Item]:
    """The beginning of a path to a store or a tool."""
    home = names.services.get(names.store_home or "")
    yield from _stores(home) if home and place.type(-1) == "INSERT" else ()
    yield from _services(names)


def _changed(place: Place, names: Names) -> Iterator[Item]:
    yield from _truths(place, names)
    yield from _services(names)


def _truths(place: Place, names: Names) -> Iterator[Item]:
    yield from (Item(name, "truth", str(each.type)) for name, each in names.truths.items())


def _contracts(place: Place, names: Names) -> Iterator[Item]:
    yield from (Item(name, "contract") for name in names.deliverables)


def _tasks(place: Place, names: Names) -> Iterator[Item]:
    for scope in place.analysis.readable.program.scopes.values():
        for item in scope.unit.module.items:
            if isinstance(item, tree.Task | tree.Family):
                yield Item(item.name.text, "task", "", item.title.value if item.title else "")


def _warnings(place: Place, names: Names) -> Iterator[Item]:
    for code, entry in sorted(CATALOGUE.items()):
        if entry.severity is Severity.WARNING:
            yield Item(code, "entry", entry.name)


def _facts(place: Place, names: Names) -> Iterator[Item]:
    for item in place.analysis.readable.module.items:
        for statement in item.items if isinstance(item, tree.Task | tree.Family) else ():
            for fact in statement.facts if isinstance(statement, tree.User | tree.Asset) else ():
                yield Item(fact.name.text, "fact")


def _events(place: Place, names: Names) -> Iterator[Item]:
    for item in place.analysis.readable.module.items:
        for statement in item.items if isinstance(item, tree.Task | tree.Family) else ():
            if isinstance(statement, tree.Event):
                yield Item(statement.name.text, "event")


def _after_in(place: Place, names: Names) -> Iterable[Item]:
    if place.type(0) in ("TASK", "FAMILY") and place.opening() < 0:
        return (Item(name, "world") for name in place.analysis.readable.scope.worlds)
    return _expression(place, names)


def _none(place: Place, names: Names) -> Iterable[Item]:
    return ()


def _expression(place: Place, names: Names) -> Iterator[Item]:
    kind = expected_type(place, names)
    enum, values = values_of(kind)
    yield from (Item(value, "value", enum) for value in values)
    yield from (Item(name, "variable", str(each.type)) for name, (each, _) in names.variables.items())
    yield from (Item(name, "parameter", str(each.type)) for name, (each, _) in names.arguments.items())
    yield from _truths(place, names)
    home = names.services.get(names.store_home or "")
    yield from _stores(home) if home else ()
    yield Item("now", "variable", "datetime")
    yield from _services(names)
    yield from (Item(name, "function", each.label(name), each.doc) for name, each in BUILTINS.items())


AFTER: dict[str, Callable[[Place, Names], Iterable[Item]]] = {
    **dict.fromkeys(("DATA", "INSERT", "EXTEND", "CALLED", "TRIED", "FAULT", "TOOLS"), _paths),
    **dict.fromkeys(("CHANGES", "NEW"), _changed),
    **dict.fromkeys(
        ("LET", "RECORD", "ENUM", "STORE", "TOOL", "SERVICE", "TASK", "WORLD", "FAMILY", "PLAN", "SLOT", "ON"), _none
    ),
    "IN": _after_in,
    "NEAR": _truths,
    "DELIVERED": _contracts,
    "GRADE": _tasks,
    "ALLOW": _warnings,
    "LEARNED": _facts,
    "AFTER": _events,
}
"""By the kind of the word before, what is named there."""
