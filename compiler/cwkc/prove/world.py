"""What the world holds: at the start, at the end, and just before a call.

A field that no offered tool can write is what it was at the start. At the end it is what its last writer wrote, once a
call of each tool that can write it has been asked for. Where none has, and just before a call, a field is left open,
since a run may hold calls that the pool does not show; only under the assumption `exact`, with which runs are looked
for, is it tied to the calls of the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.events import reserved_ids
from cwkc.meaning.types import EMAIL, Reference, Type, optional, required
from cwkc.prove import terms
from cwkc.prove.calls import MINTED_BY_ONE_CALL, Calls
from cwkc.prove.codes import Codes
from cwkc.prove.effects import named_by
from cwkc.prove.history import History, untouched
from cwkc.prove.operators import Operators
from cwkc.prove.pool import Call, Pool
from cwkc.prove.reach import Reach, Tools
from cwkc.prove.script import Script
from cwkc.prove.terms import TRUE, Sort, Term, boolean, conjunction, disjunction, equal, implication, negation
from cwkc.prove.values import NULL, Known, Leaf, Symbolic, Value, choose, guarded, is_null, known, select, symbolic

STRANGER = -1_000_000
"""Codes from here down are ids of records that calls outside the pool have made."""


def is_stranger(id: Term) -> Term:
    return terms.at_most(id, terms.integer(STRANGER))


@frozen
class Moment:
    """When a state is read: `initial`, `final` or `before` a call; a call's own writes may have `touched` records."""

    kind: str
    call: Call | None = None
    touched: frozenset[str] = frozenset()


INITIAL, FINAL = Moment("initial"), Moment("final")


@frozen(eq=False)
class Element:
    """What a list may hold, and when it is `there`; `depth` is that of the call that made it."""

    there: Callable[[], Term]
    value: Value
    depth: int
    alive: str | None = None
    """The id of a record that is there at the end, when it is one."""


class World:
    """`thorough`: whether calls are asked for that bring about the states in which other calls are made."""

    def __init__(
        self,
        task: typed.Task,
        reach: Reach,
        pool: Pool,
        script: Script,
        codes: Codes,
        operators: Operators,
        calls: Calls,
        exact: Term,
        thorough: bool,
    ) -> None:
        self.reach = reach
        self.history = History(pool, script, calls)
        self.eager = True
        """Whether calls are asked for that write what is read at the end, or only made use of."""
        self._task = task
        self._pool = pool
        self._script = script
        self._codes = codes
        self._operators = operators
        self._exact = exact
        self._thorough = thorough
        self._accepted = calls.accepted
        self._references = calls.references
        self._rows: dict[str, dict[int, typed.RowDef]] = {record: {} for record in task.records}
        for row in task.rows:
            record = task.stores[row.store].record
            self._rows[record][codes.of(row.id, Reference(record))] = row
        self._reserved = reserved_ids(task.events.values())
        self._tables: dict[tuple[str, str, str], Value] = {}
        self._read: dict[tuple[Hashable, ...], Value] = {}
        self._there: dict[tuple[Hashable, ...], Term] = {}
        self._owed: list[tuple[Term, Callable[[], Term]]] = []

    # ------------------------------------------------------------------ calls that are asked for

    def ask(self, key: tuple[Hashable, ...], tools: Tools, depth: int, before: Call | None = None) -> bool:
        """Asks for a call of each tool; False when one of them is refused."""
        granted = [self._pool.ask((*key, tool.name), tool, depth, {}, before=before) for tool in tools]
        return all(granted)

    def _ask_writers(
        self, tools: Tools, record: str, id: Term, field: str | None, depth: int, before: Call | None = None
    ) -> bool:
        """Asks for a call of each tool that writes a record's field or, without a field, makes or deletes it: the last
        of them, or the last before a call."""
        granted = []
        for tool in tools:
            name = named_by(tool, record, self._task.records[record].stores, field)
            fixed = {} if name is None else {name: self._id_value(id, tool.parameters[name].type)}
            key = "write", record, id, field, before, tool.name
            granted.append(self._pool.ask(key, tool, depth, fixed, before=before))
        return all(granted)

    def ask_deletes(self, record: str, id: Term, before: Call) -> bool:
        """Asks for the last calls that make or delete a record before a call."""
        tools = (*self.reach.deleters(record), *self._placers(record, id))
        return self._ask_writers(tools, record, id, None, before.depth + 1, before)

    def _id_value(self, id: Term, type: Type) -> Value:
        """An id as an argument."""
        if id.literal is not None and self.is_foreign(id):
            return known(self._spelling(id))
        return symbolic(id, required(type))

    def _covered(self, tools: Tools, record: str, id: Term, field: str | None, depth: int) -> bool:
        """Whether the pool has such calls; asks for them when it may."""
        if self.eager:
            return self._ask_writers(tools, record, id, field, depth)
        agents = (tool for tool in tools if tool.name not in self._pool.events)
        return all(self._pool.has(("write", record, id, field, None, tool.name)) for tool in agents)

    def _depth_of(self, id: Term) -> int:
        """The greatest depth of the calls that an id comes from."""
        numbers = [-(id.literal + 1) // MINTED_BY_ONE_CALL] if isinstance(id.literal, int) and id.literal < 0 else []
        for name in terms.symbols(id):
            head = name[1:].split(".")[0]
            if name[0] == "c" and head.isdigit():
                numbers.append(int(head))
        return max((self._pool.calls[number].depth for number in numbers), default=0)

    # ------------------------------------------------------------------ the start

    def code(self, id: str) -> Term:
        return terms.integer(self._codes.of(id, Reference("")))

    def at_start(self, record: str, id: Term, store: str | None = None) -> Term:
        """Whether a record was there at the start (in that store, if one is given)."""
        codes = [code for code, row in self._rows[record].items() if store in (None, row.store)]
        return terms.within(id, codes)

    def initial(self, record: str, id: Term, name: str) -> Value:
        """A field as it was at the start."""
        rows = self._rows[record]
        if id.literal is not None:
            row = rows.get(int(id.literal))
            return NULL if row is None else known(row.fields[name])
        key = record, id.text, name
        if key not in self._tables:
            by_value: dict[Known, list[int]] = {}
            for code, row in rows.items():
                by_value.setdefault(Known(row.fields[name]), []).append(code)
            cases: list[tuple[Term, Leaf]] = [(terms.within(id, codes), leaf) for leaf, codes in by_value.items()]
            self._tables[key] = guarded([*cases, (negation(self.at_start(record, id)), Known(None))])
        return self._tables[key]

    def _is_initial(self, record: str, id: Term) -> bool:
        return id.literal in self._rows[record]

    @staticmethod
    def is_foreign(id: Term) -> bool:
        """Whether an id is not one that a call of the pool mints."""
        return id.literal is None or int(id.literal) >= 0

    # ------------------------------------------------------------------ fields

    def field(
        self, record: str, base: Value, name: str, moment: Moment, depth: int, alive: frozenset[str] = frozenset()
    ) -> Value:
        """A field of a record; null when there is no such record. Of the ids that are `alive` it is known that they are
        there at the end."""
        return select((guard, self._field(record, leaf, name, moment, depth, alive)) for guard, leaf in base.cases)

    def _field(self, record: str, leaf: Leaf, name: str, moment: Moment, depth: int, alive: frozenset[str]) -> Value:
        if leaf == Known(None):
            return NULL
        if not isinstance(leaf, Known | Symbolic):
            return self._anything(record, name)
        id = self.code(leaf.value) if isinstance(leaf, Known) else leaf.term
        if moment.kind == "initial" or not self._changes(record, id, name):
            return self.initial(record, id, name)
        if record in moment.touched or self._may_be_minted(record, id):
            return self._anything(record, name)
        lasting = id.text in alive and not self.reach.placers(record)
        key = record, id.text, name, moment.call, lasting, self.eager
        if key not in self._read:
            if moment.call is None:
                self._read[key] = self._at_end(record, id, name, depth, lasting)
            else:
                self._read[key] = self._just_before(record, id, name, moment.call)
        return self._read[key]

    def _anything(self, record: str, name: str) -> Value:
        return self._operators.anything(optional(self._task.records[record].fields[name].type), name)

    def _changes(self, record: str, id: Term, name: str) -> bool:
        if self.reach.setters(record, name) or self.reach.deleters(record):
            return True
        return not self._is_initial(record, id) and bool(self.reach.makers(record))

    def _at_end(self, record: str, id: Term, name: str, depth: int, lasting: bool) -> Value:
        """A field that tools can write, at the end; `lasting`: of a record that is there then."""
        depth = max(depth, self._depth_of(id)) + 1
        setters = (*self.reach.setters(record, name), *self._placers(record, id))
        is_covered = self._covered(setters, record, id, name, depth)
        if not lasting:
            is_covered &= self._covered(self.reach.deleters(record), record, id, None, depth)
        if is_covered:
            return self._latest(record, id, name, None, lasting)
        return self._open(record, id, name, None, self._exact)

    def _covered_record(self, record: str, id: Term, depth: int) -> bool:
        tools = (*self.reach.deleters(record), *self._placers(record, id))
        return self._covered(tools, record, id, None, depth)

    def _placers(self, record: str, id: Term) -> Tools:
        foreign = self.is_foreign(id) and not self._is_initial(record, id)
        return self.reach.placers(record) if foreign else ()

    def _just_before(self, record: str, id: Term, name: str, call: Call) -> Value:
        """A field as a call finds it. Once the last writers before the call have been asked for, it is what the calls
        of the pool make it in every run; else, where `exact` is assumed."""
        setters, deleters = self.reach.setters(record, name), self.reach.deleters(record)
        condition = self._exact
        if self._thorough and call.depth <= 2:
            writers = (*setters, *self._placers(record, id))
            if self._ask_writers(writers, record, id, name, call.depth + 1, before=call):
                condition = disjunction(self._exact, self._surely_there(record, id, call))
        open = self._open(record, id, name, call, condition)
        if setters or deleters:
            return open
        return choose(self.at_start(record, id), self.initial(record, id, name), open)

    def _surely_there(self, record: str, id: Term, call: Call) -> Term:
        """When no call outside the pool can have deleted a record before a call."""
        if not self.reach.deleters(record):
            return TRUE
        named = (guard for type, guard, named in self._references(call) if type == record and named == id)
        return conjunction(self._accepted(call), disjunction(*named))

    def _open(self, record: str, id: Term, name: str, call: Call | None, condition: Term) -> Value:
        """An open value, owing to be what the calls of the pool make it."""
        type = self._task.records[record].fields[name].type
        sure = self._is_initial(record, id) and not self.reach.deleters(record)
        open = self._operators.anything(type if sure else optional(type), f"{call.name}.{name}" if call else name)
        ignore_case = required(type) == EMAIL
        self._script.require(self._conceivable(record, id, name, open, ignore_case))
        self.owe(
            condition,
            lambda: self._operators.compare("==", open, self._latest(record, id, name, call, False), ignore_case),
        )
        return open

    def _conceivable(self, record: str, id: Term, name: str, value: Value, ignore_case: bool) -> Term:
        """That an open value is one that the record had at the start, or that some tool may write."""
        written = self.reach.written(record, name)
        remade = self.reach.deleters(record) and self.reach.placers(record)
        if remade or (written.others and written.null):
            return TRUE
        constants = (self._operators.compare("==", value, known(each), ignore_case) for each in written.constants)
        initial = self._operators.compare("==", value, self.initial(record, id, name), ignore_case)
        null = boolean(bool(self.reach.deleters(record)) or written.null)
        others = conjunction(boolean(written.others), negation(is_null(value)))
        gone = conjunction(null, is_null(value))
        return disjunction(negation(self.at_start(record, id)), initial, gone, others, *constants)

    def _latest(self, record: str, id: Term, name: str, before: Call | None, lasting: bool) -> Value:
        """What the last writer wrote, or else what was there at the start; `lasting`: when the record was made."""
        written = self.history.writes(record, id, name, before, sets_alone=lasting)
        cases = [
            (self._script.name("wrote", guard), write.value)
            for guard, write in zip(self.history.last(written), written, strict=True)
        ]
        first = self.history.made_with(id, name) if lasting and not self.is_foreign(id) else None
        base = first or self._unwritten(record, id, name)
        return select([*cases, (untouched(written), base)])

    def _unwritten(self, record: str, id: Term, name: str) -> Value:
        """A field that no call of the pool has written; of a stranger, anything."""
        initial = self.initial(record, id, name)
        if id.literal is not None or not self.reach.makers(record):
            return initial
        return choose(is_stranger(id), self._anything(record, name), initial)

    # ------------------------------------------------------------------ records

    def stores(self, record: str) -> tuple[str, ...]:
        """The stores that hold a record."""
        return self._task.records[record].stores

    def exists(self, record: str, id: Term, moment: Moment, depth: int, store: str | None = None) -> Term:
        """Whether a record is there (in that store, if one is given)."""
        start = self.at_start(record, id, store)
        gone, made = self.reach.deleters(record), self.reach.makers(record) if self.is_foreign(id) else ()
        if moment.kind == "initial" or (start == TRUE and not gone):
            return start
        if not (made or gone):
            return start if self.is_foreign(id) else TRUE
        if record in moment.touched or self._may_be_minted(record, id):
            return self._operators.doubt("there")
        if moment.call is None and self._covered_record(record, id, max(depth, self._depth_of(id)) + 1):
            return self.there(record, id, store, None)
        key = record, id.text, store, moment.call
        if key not in self._there:
            self._there[key] = self._open_presence(record, id, store, moment.call)
        return self._there[key] if gone else disjunction(start, self._there[key])

    def _open_presence(self, record: str, id: Term, store: str | None, call: Call | None) -> Term:
        """Whether a record is there, left open, owing to be what the calls of the pool make it."""
        there = self._script.fresh("there" if call is None else f"{call.name}.there", Sort.BOOL)
        self.owe(self._exact, lambda: equal(there, self.there(record, id, store, call)))
        return there

    def _may_be_minted(self, record: str, id: Term) -> bool:
        """Whether a known id, of no record at the start or of an event, looks like one that a store may mint."""
        if id.literal is None or not self.is_foreign(id) or self._is_initial(record, id):
            return False
        if any(self._spelling(id) in self._reserved.get(store, ()) for store in self.stores(record)):
            return False
        prefixes = (self._task.stores[store].prefix for store in self._task.records[record].stores)
        return any(prefix is not None and self._spelling(id).startswith(prefix) for prefix in prefixes)

    def _spelling(self, id: Term) -> str:
        return str(self._codes.spelling(int(id.literal))) if id.literal is not None else ""

    def there(self, record: str, id: Term, store: str | None, before: Call | None) -> Term:
        """Whether the last insert or delete by a call of the pool left a record there."""
        events = [event for event in self.history.events(record, id, before) if event.effect.kind != "set"]
        last = [
            guard
            for guard, event in zip(self.history.last(events), events, strict=True)
            if event.effect.kind == "insert" and store in (None, event.effect.store)
        ]
        start = self.at_start(record, id, store)
        if id.literal is None and self.reach.makers(record):
            start = disjunction(start, conjunction(is_stranger(id), self._operators.doubt("there")))
        return disjunction(*last, conjunction(untouched(events), start))

    def elements(self, store: str, moment: Moment, depth: int) -> tuple[Element, ...] | None:
        """What a store may hold, or None when nothing is known."""
        record = self._task.stores[store].record
        rows = [(code, row) for code, row in self._rows[record].items() if row.store == store]
        if moment.kind == "initial" or not (self.reach.inserters(store) or self.reach.deleters(record)):
            return tuple(Element(always, known(row.id), depth) for _, row in rows)
        if moment.call is not None:
            return None
        initial = (
            Element(self._presence(record, terms.integer(code), TRUE, depth), known(row.id), depth, str(code))
            for code, row in rows
        )
        inserted = (
            Element(
                self._presence(record, effect.target, conjunction(self._accepted(call), effect.guard), depth),
                symbolic(effect.target, Reference(record)),
                max(depth, call.depth),
                effect.target.text,
            )
            for call, effect in self.history.inserts(record)
            if effect.store == store
        )
        return (*initial, *inserted)

    def _presence(self, record: str, id: Term, made: Term, depth: int) -> Callable[[], Term]:
        """Whether a record was made and is there at the end, worked out only when it matters."""
        return lambda: conjunction(made, self.exists(record, id, FINAL, depth)) if self.reach.deleters(record) else made

    # ------------------------------------------------------------------ debts

    def owe(self, condition: Term, debt: Callable[[], Term]) -> None:
        self._owed.append((condition, debt))

    def settle(self) -> None:
        """Asserts what is owed: that open values are what the pool makes them."""
        while self._owed:
            condition, debt = self._owed.pop(0)
            self._script.require(implication(condition, debt()))


def always() -> Term:
    """When what is in a list of constants is there."""
    return TRUE
