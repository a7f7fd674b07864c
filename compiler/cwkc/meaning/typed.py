"""The typed tree: names resolved, types known, constants in their own representation.

Values are plain Python: `str` for text, email, url, an enum's value and a record's id; `int`, `Fraction`
(decimal), `bool`, `date`, aware `datetime`, `timedelta`, `None`, `tuple` for a list, `dict` for a row of a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from coworkdsl.contracts import Contract
from cwkc.meaning.types import Type
from cwkc.source import Span


@frozen(kw_only=True)
class Expr:
    type: Type
    span: Span = field(eq=False, repr=False)


# ---------------------------------------------------------------------------- values and names


@frozen
class Constant(Expr):
    value: Any


@frozen
class Truth(Expr):
    """A task's `let`, or a fact of an asset, by name. Its value is `Task.truths[name].value`."""

    name: str


@frozen
class Variable(Expr):
    """A tool's parameter or `let`, a binder's variable, or in a call's `where` an argument of that call.

    `kind` is `parameter`, `local`, `bound` or `argument`. Bound variables are renamed apart within one
    statement, so that no name is bound twice.
    """

    name: str
    kind: str


@frozen
class Now(Expr):
    """The clock. In a task's grading it is a `Constant` instead."""


@frozen
class Answer(Expr):
    """The agent's last message; null when it never spoke."""


@frozen
class Said(Expr):
    """Everything the agent said, as a list of texts."""


@frozen
class Outcome(Expr):
    """In `reward`: `completion`, `safety` or `robustness`."""

    name: str


# ---------------------------------------------------------------------------- state


@frozen
class StoreRecords(Expr):
    """All records of a store, in its order: a list of references. `store` is qualified."""

    store: str


@frozen
class Lookup(Expr):
    """`STORE[ID]`: the record of that id in that store, or null."""

    store: str
    key: Expr


@frozen
class FieldOf(Expr):
    """A field of a referenced record; null when the base is null or the record is gone."""

    base: Expr
    record: str
    name: str


@frozen
class IdOf(Expr):
    """`x.id`: the record's id as text."""

    base: Expr


@frozen
class ColumnOf(Expr):
    """A column of a table's row, or a key of a json value; null where it is missing."""

    base: Expr
    name: str


@frozen
class Start(Expr):
    """`start(E)`: E in the initial state."""

    operand: Expr


# ---------------------------------------------------------------------------- operators


@frozen
class Not(Expr):
    operand: Expr


@frozen
class Negate(Expr):
    operand: Expr


@frozen
class Logical(Expr):
    """`operator` is `and` or `or`; a null operand counts as false."""

    operator: str
    left: Expr
    right: Expr


@frozen
class Compare(Expr):
    """`operator` is one of `== != < <= > >=`.

    `==` and `!=` are total (null equals null alone; emails ignore case: `ignore_case`); an ordering with
    null is false.
    """

    operator: str
    left: Expr
    right: Expr
    ignore_case: bool = False


@frozen
class Membership(Expr):
    """`left in right`, right a list; emails ignore case."""

    left: Expr
    right: Expr
    ignore_case: bool = False


@frozen
class Arithmetic(Expr):
    """`operator` is one of `+ - * /`; a null operand makes it null. `+` also joins texts; `+` and `-` take lists."""

    operator: str
    left: Expr
    right: Expr


@frozen
class IsNull(Expr):
    operand: Expr


@frozen
class TextTest(Expr):
    """`contains matches states mentions_any mentions_all lists` on a text, or on each of a list of texts (`said`).

    `operands`: the needle; the pattern; the number and the tolerance; a list of words; the items in order.
    With a null subject or operand it is false.
    """

    test: str
    subject: Expr
    operands: tuple[Expr, ...]


@frozen
class Interpolation(Expr):
    parts: tuple[Expr, ...]


@frozen
class ListDisplay(Expr):
    items: tuple[Expr, ...]


@frozen
class Apply(Expr):
    """A built-in: `count min max abs round len lower lines csv json date weekday business_days sum`.

    `count` takes a list, or a `CallFact` (the number of matching calls). The columns of `csv` are in its type.
    """

    function: str
    arguments: tuple[Expr, ...]


# ---------------------------------------------------------------------------- binders


@frozen
class Order:
    key: Expr
    descending: bool


@frozen
class Binder(Expr):
    """`quantifier` is one of `only some no all every each`; `where` and `body` are there or None.

    `every` and `each` hold when `body` does for all that match `where`; `each` also earns a share.
    `only` of several or none is null at run time. An order's sort is stable; nulls come last.
    """

    quantifier: str
    variable: Variable
    source: Expr
    order: Order | None
    where: Expr | None
    body: Expr | None


@frozen
class First(Expr):
    count: Expr
    binder: Binder


@frozen
class Sum(Expr):
    """`sum(value for variable in source where …)`; nulls are left out."""

    value: Expr
    variable: Variable
    source: Expr
    where: Expr | None


# ---------------------------------------------------------------------------- facts about the run


@frozen
class Pattern:
    """An argument against a condition over `Variable(parameter, kind="argument")`: `key: contains E` and its like."""

    parameter: str
    test: Expr


@frozen
class CallFact(Expr):
    """`verb` is `called` (accepted calls) or `tried` (every call of the tool). `tool` is qualified.

    `patterns` and `where` are read in the state just before the call. A call that breaks the schema has no
    argument values: it matches only a bare `tried`.
    """

    verb: str
    tool: str
    patterns: tuple[Pattern, ...]
    where: Expr | None


@frozen
class Before(Expr):
    """`first before second`: second happened, and some first precedes the first second."""

    first: CallFact
    second: CallFact


@frozen
class Delivered(Expr):
    """`delivered NAME`: whether `subject`, a file's text or the answer, says what the contract says.

    `values` are the fields' values in the initial state; with rows, those and `key` speak of `variable`, which stands
    for each of `source`.
    """

    name: str
    subject: Expr
    contract: Contract
    values: tuple[Expr, ...]
    variable: Variable | None
    source: Expr | None
    key: Expr | None


@frozen
class Learned(Expr):
    """Whether the user told a fact."""

    fact: str


# ---------------------------------------------------------------------------- statements


@frozen(kw_only=True)
class Stmt:
    span: Span = field(eq=False, repr=False)


@frozen
class Assignment:
    """A field and its new value. With `if_given`, a bare name: only when the value is not null."""

    field: str
    value: Expr
    if_given: bool


@frozen
class Return(Stmt):
    value: Expr


@frozen
class Let(Stmt):
    name: str
    value: Expr


@frozen
class Insert(Stmt):
    """`name`, when given, is the local that holds the new record's id."""

    store: str
    id: Expr | None
    assignments: tuple[Assignment, ...]
    name: str | None


@frozen
class Place(Insert):
    """An event's insert: where the store has a record of that id, all its fields are set anew."""


@frozen
class Set(Stmt):
    """Of a target that is null or gone: nothing happens."""

    target: Expr
    record: str
    assignments: tuple[Assignment, ...]


@frozen
class Delete(Stmt):
    target: Expr
    record: str


@frozen
class Fail(Stmt):
    error: str
    message: str
    when: Expr | None


@frozen
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


# ---------------------------------------------------------------------------- declarations


@frozen(kw_only=True)
class Declared:
    span: Span = field(eq=False, repr=False)


@frozen
class FieldDef(Declared):
    """`has_default` tells a default of null from none; an optional field without one defaults to null."""

    name: str
    type: Type
    default: Any
    has_default: bool
    scheduled: bool
    doc: str | None


@frozen
class RecordDef(Declared):
    name: str
    fields: Mapping[str, FieldDef]
    stores: tuple[str, ...]
    """The qualified stores that hold it, in source order: a reference is looked up in this order."""


@frozen
class StoreDef(Declared):
    """`key` is the id's name on the wire; `prefix` of minted ids, None where an insert must say `at`."""

    name: str
    record: str
    key: str
    prefix: str | None


@frozen
class ParameterDef(Declared):
    name: str
    type: Type
    default: Any
    required: bool
    doc: str | None


@frozen
class ToolDef(Declared):
    """`name` is qualified: `helpdesk.get_ticket`; `wire_name` is `helpdesk_get_ticket`."""

    name: str
    doc: str | None
    parameters: Mapping[str, ParameterDef]
    returns: Type | None
    body: tuple[Stmt, ...]
    reads_only: bool

    @property
    def wire_name(self) -> str:
        return self.name.replace(".", "_")


@frozen
class ServiceDef(Declared):
    """`records` as the service declares them: a task may extend them."""

    name: str
    doc: str | None
    records: Mapping[str, RecordDef]
    stores: Mapping[str, StoreDef]
    tools: Mapping[str, ToolDef]


@frozen
class RowDef(Declared):
    """An initial record, every field filled in. `spans`: where the author wrote a field."""

    store: str
    id: str
    fields: Mapping[str, Any]
    spans: Mapping[str, Span] = field(eq=False, repr=False)


@frozen
class TruthDef(Declared):
    """A `let` and its value: for a record its id, for a list of records their ids. It is the value in the initial world
    or, where it says `after`, once that event has happened."""

    name: str
    expr: Expr
    value: Any
    after: str | None = None


@frozen
class FactDef(Declared):
    """A fact that the user knows: what it is, and the words in which it is told once `asked` holds; without `asked`,
    when the agent first speaks."""

    name: str
    value: Any
    words: str
    asked: Expr | None


@frozen
class UserDef(Declared):
    """The simulated user. `patience`: how many turns of the agent they take part in."""

    persona: str
    facts: Mapping[str, FactDef]
    patience: int


@frozen
class EventDef(Declared):
    """A scripted event. `trigger` is `when` (then `condition`), `at` (`time`) or `turn` (`turn`). `body` writes, `said`
    is what the user then says; one that `ends` is the last of the run."""

    name: str
    trigger: str
    condition: Expr | None
    time: datetime | None
    turn: int | None
    silent: bool
    body: tuple[Stmt, ...]
    said: tuple[Expr, ...]
    ends: bool

    @property
    def as_tool(self) -> ToolDef:
        """Its writes as those of a tool without parameters, for whoever reasons about writes."""
        return ToolDef(f"on {self.name}", None, {}, None, self.body, False, span=self.span)


@frozen
class PromisedDef(Declared):
    """A field of a contract. `expr` is its value in the initial world; with rows, in terms of the row's variable."""

    name: str
    type: Type
    expr: Expr
    doc: str | None
    doc_span: Span | None = field(eq=False, repr=False)


@frozen
class RepeatedDef:
    """`rows VARIABLE in SOURCE key KEY`; `name` is the key's name."""

    variable: Variable
    source: Expr
    key: Expr
    name: str


@frozen
class DeliverDef(Declared):
    """`deliver …`. `path` is None where the answer is what is to be delivered; `format` is then `answer`."""

    name: str
    path: str | None
    format: str
    rows: RepeatedDef | None
    fields: tuple[PromisedDef, ...]
    contract: Contract


@frozen
class AssetDef(Declared):
    """`asset "photo.png" { … }`: a file by its name in the pack. `facts`, what can be learned from it, are truths."""

    name: str
    content: bytes = field(repr=False)
    facts: tuple[str, ...]


@frozen
class CheckDef(Declared):
    """`share` is None (all or nothing), `each` (the condition is an `each` binder: its share holds), `delivered` (the
    condition is a `delivered`: likewise) or `value` (the condition is a number from 0 to 1)."""

    weight: Fraction
    label: str
    condition: Expr
    share: str | None


@frozen
class JudgeDef(Declared):
    """`rubric` is the text that `expr` comes to in the initial world."""

    weight: Fraction
    label: str
    expr: Expr
    rubric: str


@frozen
class RequireDef(Declared):
    """`mode` is `cap` or `times`; `policy` is the sentence shown to the agent, if it is one."""

    label: str
    condition: Expr
    mode: str
    amount: Fraction
    policy: str | None


@frozen
class ForbidDef(Declared):
    """`always`: the condition is what must never be, and is asked of every state of the run, not of the last alone."""

    label: str
    condition: Expr
    safety: Fraction
    policy: str | None
    always: bool = False


@frozen
class Allowed(Declared):
    """One thing that `only changes` lets be written.

    `kind`: `record` (`record`, `id`: any write of it), `field` (`record`, `id`, `field`), `store` (any write in it),
    `new` (inserts into `store`), `column` (`field` of any record in `store`).
    """

    kind: str
    store: str | None = None
    record: str | None = None
    id: str | None = None
    field: str | None = None


@frozen
class FrameDef(Declared):
    """`only changes …`: one frame, as one forbid."""

    allowed: tuple[Allowed, ...]
    safety: Fraction


@frozen
class AllowDef(Declared):
    code: str
    reason: str


@frozen
class GivenDef(Declared):
    expr: Expr
    value: Any


@frozen
class FaultDef(Declared):
    """Injected into the call of that number (from 1) of a tool, or into each with a probability; the other one is
    None."""

    tool: str
    kind: str
    call: int | None
    rate: Fraction | None


@frozen
class DistractorDef(Declared):
    """A record that `distract` made: it misses the truth `near` by the condition `misses`, and by no other."""

    store: str
    id: str
    near: str
    misses: str


@frozen
class Task(Declared):
    """`tools` are those offered, in the order of the selection. `records` and `stores` hold every one of every
    service in reach, as this task extends them. `forbids` are forbids and frames in source order."""

    name: str
    title: str
    category: str | None
    scenario: str | None
    difficulty: str | None
    language: str
    capabilities: tuple[str, ...]
    now: datetime
    request: str
    request_span: Span = field(eq=False, repr=False)
    policies: tuple[str, ...]
    services: Mapping[str, ServiceDef]
    records: Mapping[str, RecordDef]
    stores: Mapping[str, StoreDef]
    tools: tuple[ToolDef, ...]
    rows: tuple[RowDef, ...]
    truths: Mapping[str, TruthDef]
    given: tuple[GivenDef, ...]
    user: UserDef | None
    events: Mapping[str, EventDef]
    deliverables: Mapping[str, DeliverDef]
    assets: tuple[AssetDef, ...]
    limits: Mapping[str, int]
    faults: tuple[FaultDef, ...]
    allows: tuple[AllowDef, ...]
    checks: tuple[CheckDef, ...]
    judges: tuple[JudgeDef, ...]
    requirements: tuple[RequireDef, ...]
    forbids: tuple[ForbidDef | FrameDef, ...]
    reward: Expr | None
    distractors: tuple[DistractorDef, ...]
    sources: Mapping[str, str]
    """Name of every source file read for it, and the SHA-256 of its text."""


@frozen
class SlotDef(Declared):
    """What one task of a plan is to be like; what the author leaves open is None or empty. `now` is a day, or a
    moment. `scenario` is a word of the planning, or a text that says freely what happens."""

    name: str
    services: tuple[str, ...] = ()
    category: str | None = None
    difficulty: str | None = None
    language: str | None = None
    now: date | None = None
    capabilities: tuple[str, ...] = ()
    distractors: int | None = None
    scenario: str | None = None
    deliverable: str | None = None
    persona: str | None = None
    safety: str | None = None


@frozen
class PlanDef(Declared):
    name: str
    slots: tuple[SlotDef, ...]
