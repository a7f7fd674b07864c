"""The state of a run: stores of immutable records, as an overlay on a base that all runs of a task share.

A store's dict is copied at the first write of each call and never changed after that call. So what a call wrote is
known, a failed call is undone by putting the old dicts back, and the state before any call is still there to be read.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from coworkdsl.layout import Layout, Store, read_now, read_reserved, read_rows
from coworkdsl.values import to_wire


class Fail(Exception):
    """A tool's declared error: the call is undone, and the agent reads `code` and `message`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


# ---------------------------------------------------------------------------- records


_NOTHING: dict[Any, Any] = {}
_Shown = tuple[dict[str, Any], tuple[str, ...], tuple[str, ...]]
"""A record's JSON object, and which of its members are lists: of plain values, and of lists."""


class Record(dict[str, Any]):
    """One version of a record: field to value. It is never changed; a write makes another."""

    __slots__ = ("_shown", "_wire")
    _shown: dict[tuple[str, ...] | None, _Shown]
    _wire: dict[str, Any]

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a record is never changed: write through its world")

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse

    def __reduce__(self) -> tuple[type[Record], tuple[dict[str, Any]]]:
        return Record, (dict(self),)

    def changed(self, fields: dict[str, Any]) -> Record:
        """The next version; the JSON of what stays is kept."""
        after = Record(self)
        dict.update(after, fields)
        wire: dict[str, Any] = getattr(self, "_wire", _NOTHING)
        if wire is not _NOTHING:
            after._wire = wire | {name: to_wire(value) for name, value in fields.items()}
            after._shown = {}
        return after

    def shown(self, key: str, id: str, fields: tuple[str, ...] | None) -> dict[str, Any]:
        """The record's JSON object, `{key: id, field: …}`, of these fields or of all; the caller's own to change."""
        kept: dict[tuple[str, ...] | None, _Shown] = getattr(self, "_shown", _NOTHING)
        plain, flat, nested = kept.get(fields) or self._keep_shown(key, id, fields)
        copy = plain.copy()
        for name in flat:
            copy[name] = plain[name].copy()
        for name in nested:
            copy[name] = to_wire(self[name])
        return copy

    def _keep_shown(self, key: str, id: str, fields: tuple[str, ...] | None) -> _Shown:
        wire: dict[str, Any] = getattr(self, "_wire", _NOTHING)
        if wire is _NOTHING:
            wire = self._wire = {name: to_wire(value) for name, value in self.items()}
            self._shown = {}
        plain: dict[str, Any] = {key: id}
        flat: list[str] = []
        nested: list[str] = []
        for name in wire if fields is None else fields:
            plain[name] = value = wire.get(name)
            if type(value) is list:
                (nested if any(type(item) is list for item in value) else flat).append(name)
        shown = self._shown[fields] = plain, tuple(flat), tuple(nested)
        return shown


Stores = dict[str, dict[str, Record]]


# ---------------------------------------------------------------------------- reading


class View:
    """A state to read. Frozen, unless it is a World."""

    __slots__ = ("_homes", "layout", "now", "stores")

    def __init__(self, layout: Layout, stores: Stores, now: datetime) -> None:
        self.layout = layout
        self.stores = stores
        self.now = now
        self._homes = layout.homes

    def rows(self, store: str) -> ItemsView[str, Record]:
        """(id, Record) pairs in order: the initial ones, then those inserted."""
        return self.stores[store].items()

    def get(self, store: str, id: Any) -> Record | None:
        return self.stores[store].get(id) if isinstance(id, str) else None

    def locate(self, record: str, id: Any) -> tuple[str, Record] | None:
        """The store that holds the record, and the record."""
        if not isinstance(id, str):
            return None
        for store in self._homes[record]:
            found = self.stores[store].get(id)
            if found is not None:
                return store, found
        return None

    def keyed(self, record: str, ids: Iterable[Any]) -> list[tuple[str, str, Record]]:
        """(name of the id on the wire, id, record) of each of the references, without those that are gone."""
        stores = self.layout.stores
        homes = self._homes[record]
        if len(homes) == 1:
            key, held = stores[homes[0]].key, self.stores[homes[0]]
            return [(key, id, held[id]) for id in ids if id in held]
        located = ((id, self.locate(record, id)) for id in ids)
        return [(stores[found[0]].key, id, found[1]) for id, found in located if found]

    def find(self, record: str, id: Any) -> Record | None:
        located = self.locate(record, id)
        return located[1] if located else None

    def field(self, record: str, id: Any, name: str) -> Any:
        """A field of a referenced record; null when the reference is null or the record is gone."""
        try:
            for store in self._homes[record]:
                found = self.stores[store].get(id)
                if found is not None:
                    return found.get(name)
        except TypeError:  # an object or a list, read by `json(…)`, is no id
            return None
        return None


class Base:
    """An initial state, shared by all runs of a task. `rows`: store to id to fields, every field filled in."""

    __slots__ = ("_free", "_taken", "_view", "layout")

    def __init__(
        self,
        layout: Layout,
        rows: Mapping[str, Mapping[str, Mapping[str, Any]]],
        now: datetime,
        reserved: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> None:
        """`reserved`: by store, the ids that are kept for records to come, and so are never minted."""
        self.layout = layout
        stores = {name: {id: Record(row) for id, row in rows.get(name, {}).items()} for name in layout.stores}
        self._view = View(layout, stores, now)
        self._taken = {
            name: frozenset(id for store in record.stores for id in (*stores[store], *reserved.get(store, ())))
            for name, record in layout.records.items()
        }
        self._free: dict[str, int] = {}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Base:
        """From world.json. Raises ValueError when it is damaged."""
        layout = Layout.from_json(document)
        rows = {name: read_rows(layout, name, rows) for name, rows in document["rows"].items()}
        return cls(layout, rows, read_now(document), read_reserved(document, layout))

    def view(self) -> View:
        return self._view

    def has(self, record: str, id: str) -> bool:
        """Whether the id was in use at the start or is reserved, in any store of that record type."""
        return id in self._taken[record]

    def first_free(self, store: Store) -> int:
        """The least n for which the minted id, prefix and n, was not in use at the start, nor is reserved."""
        if store.name not in self._free:
            numbers = (n for n in count(1) if not self.has(store.record, f"{store.prefix}{n}"))
            self._free[store.name] = next(numbers)
        return self._free[store.name]


# ---------------------------------------------------------------------------- writing


class Write(NamedTuple):
    """One write. `call` is the index of the call that made it; `kind` is `insert`, `set` or `delete`; `fields` are
    those that it named. `event` names the event that made it, between that call and the next one; empty where the
    agent did."""

    call: int
    store: str
    id: str
    kind: str
    fields: tuple[str, ...]
    before: Record | None
    after: Record | None
    event: str = ""


class World(View):
    """A state to read and to write, made in constant time from a base.

    Writes belong to a call, or to an event behind it: `begin` it, then `commit` or `rollback`.
    """

    __slots__ = ("_base", "_call", "_event", "_history", "_inserted", "_mark", "_next", "_touched", "log")

    def __init__(self, base: Base) -> None:
        start = base.view()
        super().__init__(start.layout, start.stores, start.now)
        self.log: list[Write] = []
        self._base = base
        self._call = 0
        self._event = ""
        self._mark = 0
        self._touched: Stores = {}
        self._history: list[tuple[int, Stores]] = []
        self._inserted: set[tuple[str, str]] = set()
        self._next: dict[str, int] = {}

    def insert(self, store: str, id: str | None, fields: dict[str, Any]) -> str:
        """Adds a record, with defaults for the fields left out, and returns its id; without an id mints one.

        Raises Fail: `already_exists`, or `id_required` where the store mints none.
        """
        record = self.layout.stores[store].record
        if id is None:
            id = self._mint(self.layout.stores[store])
        elif self.locate(record, id):
            raise Fail("already_exists", f"`{id}` exists already")
        after = Record(self.layout.records[record].blank | fields)
        self._own(store)[id] = after
        self._inserted.add((record, id))
        self.log.append(Write(self._call, store, id, "insert", tuple(fields), None, after, self._event))
        return id

    def place(self, store: str, id: str, fields: dict[str, Any]) -> None:
        """Adds a record, or sets all fields of the one that the store has: what is placed there is there, and no longer
        in another store."""
        record = self.layout.stores[store].record
        if id in self.stores[store]:
            self.update(record, id, self.layout.records[record].blank | fields)
        else:
            self.delete(record, id)
            self.insert(store, id, fields)

    def update(self, record: str, id: Any, fields: dict[str, Any]) -> None:
        """Sets fields of a record; nothing happens when the reference is null or its record is gone."""
        located = self.locate(record, id)
        if located and fields:
            store, before = located
            after = before.changed(fields)
            self._own(store)[id] = after
            self.log.append(Write(self._call, store, id, "set", tuple(fields), before, after, self._event))

    def delete(self, record: str, id: Any) -> None:
        """Removes a record; nothing happens when the reference is null or its record is gone."""
        located = self.locate(record, id)
        if located:
            store, before = located
            del self._own(store)[id]
            self.log.append(Write(self._call, store, id, "delete", (), before, None, self._event))

    def begin(self, call: int, event: str = "") -> None:
        """What is written from here on belongs to this call, or to an event behind it."""
        self._call = call
        self._event = event
        self._mark = len(self.log)

    def commit(self) -> None:
        if self._touched:
            self._history.append((self._call, self._touched))
            self._touched = {}

    def rollback(self) -> None:
        """Undoes every write since `begin`, in the stores and in the log."""
        if self._touched:
            self.stores.update(self._touched)
            self._touched = {}
            del self.log[self._mark :]
            self._next.clear()
            records = self.layout.stores
            self._inserted = {(records[write.store].record, write.id) for write in self.log if write.kind == "insert"}

    def before(self, call: int) -> View:
        """The state just before that call; before a call that was not made, the state as it is now."""
        stores = self.stores.copy()
        if self._call >= call:
            stores.update(self._touched)
        for index, replaced in reversed(self._history):
            if index < call:
                break
            stores.update(replaced)
        return View(self.layout, stores, self.now)

    @property
    def commits(self) -> int:
        """How many calls and events have written anything."""
        return len(self._history)

    def behind(self, commits: int) -> Iterator[tuple[int, View]]:
        """The states behind the first so many of them, the last one first, each with the call that it belongs to."""
        stores = self.stores | self._touched
        for number in reversed(range(len(self._history))):
            call, replaced = self._history[number]
            if number < commits:
                yield call, View(self.layout, stores, self.now)
            stores = stores | replaced

    def _own(self, store: str) -> dict[str, Record]:
        """The store's dict, for the running call to change."""
        if store not in self._touched:
            if self.stores is self._base.view().stores:
                self.stores = self.stores.copy()
            self._touched[store] = self.stores[store]
            self.stores[store] = self.stores[store].copy()
        return self.stores[store]

    def _mint(self, store: Store) -> str:
        """Prefix and number, counted from 1, skipping every id that was ever used in a store of that record type."""
        if store.prefix is None:
            raise Fail("id_required", f"a new record of `{store.name}` needs an id")
        for number in count(self._next.get(store.name) or self._base.first_free(store)):
            id = f"{store.prefix}{number}"
            if (store.record, id) not in self._inserted and not self._base.has(store.record, id):
                break
        self._next[store.name] = number + 1
        return id
