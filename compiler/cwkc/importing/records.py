"""Records that files hold, as data: the store they lie in, the types of their fields, their literals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import field, frozen

from cwkc.importing.documents import Node
from cwkc.importing.skeleton import Slot
from cwkc.importing.values import Known, is_day, is_wire, literal, moment
from cwkc.importing.wording import NAME, NO_VALUES, Names, Todo, lies_ahead, pascal, record_id
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    EMAIL,
    INT,
    TEXT,
    URL,
    EnumType,
    ListOf,
    Reference,
    Type,
    optional,
    required,
)
from cwkc.source import Span

MOST_VALUES = 8
"""Of a field whose type is an enum."""

END_OF_DAY = timedelta(hours=18)


@frozen
class Table:
    """The records of one store. `rows` has, by id, the values of each field; `extra` are fields that the record of a
    standard service lacks; `bare` are ids that others name, of records of which nothing more is known."""

    store: str
    record: str
    fields: Mapping[str, Slot]
    rows: Mapping[str, Mapping[str, Node]]
    extra: Mapping[str, Slot] = field(factory=dict)
    bare: tuple[str, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        return frozenset((*self.rows, *self.bare))

    def slot(self, name: str) -> Slot | None:
        return self.fields.get(name) or self.extra.get(name)


@frozen
class Written:
    """What a table comes to: its text, what is left to do, the moments that `now` must not precede, and the places of
    times that are not in UTC."""

    text: str
    todos: tuple[Todo, ...]
    moments: tuple[datetime, ...]
    zoned: tuple[Span, ...]


def rows_of(files: Iterable[Sequence[Node]], key: str) -> tuple[dict[str, dict[str, Node]], list[Todo]]:
    """The records of files by id; one that several files tell of has the fields of all, the first to say it first."""
    rows: dict[str, dict[str, Node]] = {}
    todos: list[Todo] = []
    for records in files:
        before = set(rows)
        for node in records:
            id = node.said(key)
            if record_id(id) is None or (id in rows and id not in before):
                reason = f"`{id}` is another's id already" if id in rows else f"it has no `{key}` that can be an id"
                todos.append(Todo(node.span, id or key, reason, f"give it a `{key}` of its own"))
                continue
            own = {name: each for name, each in node.mapped().items() if name != key}
            rows[id] = {**own, **rows.get(id, {})}
    return rows, todos


def key_of(records: Sequence[Node]) -> str:
    """The field that tells records apart: an id if there is one, else the first whose values are all different."""
    names = [name for name in (records[0].entries or {}) if NAME.fullmatch(name)] if records else []
    values = {name: [each.said(name) for each in records] for name in names}
    apart = [name for name in names if all(values[name]) and len(set(values[name])) == len(records)]
    return next((name for name in apart if name.endswith("_id") or name == "id"), next(iter(apart), ""))


# ---------------------------------------------------------------------------- types


def inferred(rows: Iterable[Mapping[str, Node]], types: Names | None) -> dict[str, Slot]:
    """A field for each name that occurs in records, typed by its values. Enums are named by `types`; without it there
    are none. Names that no field can have are left out."""
    records = [*rows]
    names = dict.fromkeys(name for record in records for name in record)
    return {name: _slot(name, records, types) for name in names if NAME.fullmatch(name) and name != "id"}


def _slot(name: str, records: Sequence[Mapping[str, Node]], types: Names | None) -> Slot:
    values = [record[name] for record in records if name in record]
    said = [each for each in values if not (each.is_scalar and each.scalar is None)]
    type = _type(name, said, types) if said else TEXT
    whole = len(said) == len(records)
    ahead = type in (DATE, DATETIME) and lies_ahead(name)
    return Slot(name, type if whole and types is not None else optional(type), scheduled=ahead)


def _type(name: str, values: Sequence[Node], types: Names | None) -> Type:
    if all(each.items is not None and all(item.is_scalar for item in each.items) for each in values):
        return ListOf(TEXT)
    if any(not each.is_scalar for each in values):
        return TEXT
    if all(isinstance(each.scalar, bool) for each in values):
        return BOOL
    if all(literal(each, INT) for each in values):
        return INT
    if all(literal(each, DECIMAL) for each in values):
        return DECIMAL
    return _textual(name, [each.text for each in values], types)


def _textual(name: str, texts: Sequence[str], types: Names | None) -> Type:
    if all(map(is_day, texts)):
        return DATE
    if all(moment(text) for text in texts):
        return DATETIME
    for scalar in (EMAIL, URL):
        if all(is_wire(str(scalar), text) for text in texts):
            return scalar
    if types is None or not _is_enum(texts):
        return TEXT
    return EnumType(types.fresh(pascal(name), "Choice"), tuple(dict.fromkeys(texts)))


def _is_enum(texts: Sequence[str]) -> bool:
    """Whether texts are a few words that come again."""
    counts = Counter(texts)
    words = all(NAME.fullmatch(text) and text == text.lower() and text not in NO_VALUES for text in counts)
    return words and len(counts) <= MOST_VALUES and len(texts) >= 2 * len(counts)


# ---------------------------------------------------------------------------- text


def written(table: Table, known: Known) -> Written:
    """The table as the language has it: `extend` for fields of its own, and `data`."""
    lines: list[str] = []
    todos: list[Todo] = []
    moments: list[datetime] = []
    zoned: list[Span] = []
    for id, values in table.rows.items():
        fields = [*_fields(table, id, values, known, todos)]
        times = [(slot, time) for slot, text in fields for time in _moments(slot, text)]
        moments += [time for slot, time in times if not slot.scheduled]
        zoned += [values[slot.name].span for slot, time in times if time.utcoffset()]
        lines.append(f"{record_id(id)} {{ {', '.join(f'{slot.name}: {text}' for slot, text in fields)} }}")
    lines += [f"{record_id(id)} {{}}" for id in table.bare]
    extension = [f"extend {table.record} {{", *map(str, table.extra.values()), "}\n"] if table.extra else []
    comments = [todo.comment for todo in todos]
    text = "\n".join((*extension, *comments, f"data {table.store} {{", *lines, "}"))
    return Written(text, tuple(todos), tuple(moments), tuple(zoned))


def _fields(
    table: Table, id: str, values: Mapping[str, Node], known: Known, todos: list[Todo]
) -> Iterator[tuple[Slot, str]]:
    for name, node in values.items():
        slot = table.slot(name)
        if slot is None:
            todos.append(Todo(node.span, name, "no field can be called so", "give the field another name"))
            continue
        text = literal(node, slot.type, known)
        if text is not None:
            yield slot, text
        elif not (node.is_scalar and node.scalar is None):
            todos.append(_misfit(table, id, slot, node))
    for slot in table.fields.values():
        if not slot.may_be_left_out and slot.name not in values and values:
            place = next(iter(values.values()))
            reason = f"`{id}` lacks it and a record of `{table.record}` must have it"
            todos.append(Todo(place.span, slot.name, reason, "write a value"))


def _misfit(table: Table, id: str, slot: Slot, node: Node) -> Todo:
    shown = node.text if node.is_scalar else json.dumps(node.plain(), ensure_ascii=False)
    core = required(slot.type)
    what = f"no id of a `{core}` here" if isinstance(core, Reference) else f"no `{core}`"
    help = f"write a value of `{table.record}.{slot.name}`"
    return Todo(node.span, f"{slot.name} of {id}", f"`{shown}` is {what}", help)


def _moments(slot: Slot, text: str) -> Iterator[datetime]:
    """When a value was or will be; of a day, its evening."""
    core = required(slot.type)
    time = moment(text) if core in (DATE, DATETIME) else None
    if time is not None:
        yield time + END_OF_DAY if core == DATE else time
