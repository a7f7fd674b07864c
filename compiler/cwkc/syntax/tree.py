"""The syntax tree: what a `.cwk` file says, before anything is known about what it means.

Frozen; children are tuples; a span never takes part in equality. Names are unresolved.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction

from attrs import field, frozen

from cwkc.source import Span


@frozen(kw_only=True)
class Node:
    span: Span = field(eq=False, repr=False)


@frozen
class Identifier(Node):
    """A word where something is declared or referred to by its bare name."""

    text: str


@frozen
class Path(Node):
    """`a.b.c`"""

    names: tuple[Identifier, ...]

    @property
    def text(self) -> str:
        return ".".join(name.text for name in self.names)


# ---------------------------------------------------------------------------- expressions


@frozen
class Expression(Node):
    pass


@frozen
class Name(Expression):
    text: str


@frozen
class RecordId(Expression):
    """`@TK-301` or `@"orders.csv"`; `id` is without the sign and the quotes."""

    id: str


@frozen
class Number(Expression):
    """An integer as `int`, a number with a point as `Fraction`."""

    value: int | Fraction


@frozen
class Moment(Expression):
    """A literal date, or a time with its zone."""

    value: date | datetime


@frozen
class Length(Expression):
    """A literal duration: `48h`, `3d`."""

    value: timedelta


@frozen
class Text(Expression):
    """The text that a string literal stands for: escapes resolved, common indentation of the long form removed."""

    value: str


@frozen
class Interpolation(Expression):
    """`$"…{a.b}…"`: literal texts and dotted names, in order."""

    parts: tuple[Text | Path, ...]


@frozen
class Truth(Expression):
    """`true` or `false`."""

    value: bool


@frozen
class Null(Expression):
    pass


@frozen
class Answer(Expression):
    pass


@frozen
class Said(Expression):
    pass


@frozen
class Pick(Expression):
    """`pick VOCABULARY`"""

    vocabulary: Identifier


@frozen
class ListDisplay(Expression):
    items: tuple[Expression, ...]


@frozen
class Entry(Node):
    """`key: value` of an object; a bare `key` has no value."""

    key: Identifier
    value: Expression | None


@frozen
class ObjectDisplay(Expression):
    entries: tuple[Entry, ...]


@frozen
class Member(Expression):
    base: Expression
    name: Identifier


@frozen
class Index(Expression):
    base: Expression
    key: Expression


@frozen
class Selection(Expression):
    """`base.{a, b}`"""

    base: Expression
    names: tuple[Identifier, ...]


@frozen
class Application(Expression):
    """`count(x)`: a built-in function applied."""

    function: Expression
    arguments: tuple[Expression, ...]


@frozen
class Sum(Expression):
    """`sum(E for x in S where C)`"""

    value: Expression
    variable: Identifier
    source: Expression
    where: Expression | None


@frozen
class Unary(Expression):
    """`operator` is `not` or `-`."""

    operator: str
    operand: Expression


@frozen
class Binary(Expression):
    """`operator` is one of `or and == != < <= > >= in contains matches + - * / before`."""

    operator: str
    left: Expression
    right: Expression
    operator_span: Span = field(eq=False, repr=False, kw_only=True)


@frozen
class States(Expression):
    """`subject states number within tolerance`"""

    subject: Expression
    number: Expression
    tolerance: Expression


@frozen
class Mentions(Expression):
    """`subject mentions any of words`; `mode` is `any` or `all`."""

    subject: Expression
    mode: str
    words: Expression


@frozen
class Lists(Expression):
    """`subject lists a, b in order`"""

    subject: Expression
    items: tuple[Expression, ...]


@frozen
class IsNull(Expression):
    operand: Expression


@frozen
class Order(Node):
    key: Expression
    descending: bool


@frozen
class Binder(Expression):
    """`QUANTIFIER x in S [by E desc] [where P] [: body]`.

    `quantifier` is one of `only some no all every each`; `body` is there for `every` and `each` alone.
    """

    quantifier: str
    variable: Identifier
    source: Expression
    order: Order | None
    where: Expression | None
    body: Expression | None


@frozen
class First(Expression):
    """`first N of all …`"""

    count: Expression
    binder: Binder


@frozen
class ArgumentPattern(Node):
    """`key: value`, or `key: contains value`, `key: matches value`, `key: >= value`; a plain value has `==`."""

    key: Identifier
    operator: str
    value: Expression


@frozen
class CallFact(Expression):
    """`called T(args) where P` or `tried …`; `arguments` is empty when none are written."""

    verb: str
    tool: Path
    arguments: tuple[ArgumentPattern, ...]
    where: Expression | None


@frozen
class Learned(Expression):
    fact: Identifier


@frozen
class Delivered(Expression):
    name: Identifier


@frozen
class Broken(Expression):
    """Stands where an expression could not be read; whatever follows from it is silent."""


# ---------------------------------------------------------------------------- types


@frozen
class TypeExpression(Node):
    pass


@frozen
class NamedType(TypeExpression):
    path: Path


@frozen
class ViewType(TypeExpression):
    """`Record.{a, b}`"""

    path: Path
    names: tuple[Identifier, ...]


@frozen
class ListType(TypeExpression):
    item: TypeExpression


@frozen
class OptionalType(TypeExpression):
    item: TypeExpression


# ---------------------------------------------------------------------------- services


@frozen
class Enumeration(Node):
    name: Identifier
    values: tuple[Identifier, ...]


@frozen
class Field(Node):
    name: Identifier
    type: TypeExpression
    scheduled: bool
    default: Expression | None
    doc: Text | None


@frozen
class Record(Node):
    name: Identifier
    doc: Text | None
    fields: tuple[Field, ...]


@frozen
class Store(Node):
    name: Identifier
    record: Path
    key: Identifier
    prefix: Text | None


@frozen
class Parameter(Node):
    name: Identifier
    type: TypeExpression
    default: Expression | None
    doc: Text | None


@frozen
class Statement(Node):
    pass


@frozen
class Return(Statement):
    value: Expression


@frozen
class Let(Statement):
    """In a tool: `let x = E` or `let x = insert …`."""

    name: Identifier
    value: Expression | Insert


@frozen
class Insert(Statement):
    store: Path
    id: Expression | None
    fields: ObjectDisplay


@frozen
class Set(Statement):
    target: Expression
    fields: ObjectDisplay


@frozen
class Delete(Statement):
    target: Expression


@frozen
class Fail(Statement):
    error: Identifier
    message: Text
    when: Expression | None


@frozen
class If(Statement):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@frozen
class Tool(Node):
    name: Identifier
    doc: Text | None
    parameters: tuple[Parameter, ...]
    returns: TypeExpression | None
    body: tuple[Statement, ...]


@frozen
class Service(Node):
    name: Identifier
    doc: Text | None
    enumerations: tuple[Enumeration, ...]
    records: tuple[Record, ...]
    stores: tuple[Store, ...]
    tools: tuple[Tool, ...]


# ---------------------------------------------------------------------------- worlds and tasks


@frozen
class Meta(Node):
    """`key: value` at the head of a task or a world."""

    key: Identifier
    value: Expression


@frozen
class Extend(Node):
    record: Path
    fields: tuple[Field, ...]


@frozen
class Row(Node):
    id: RecordId
    fields: ObjectDisplay


@frozen
class Data(Node):
    store: Path
    rows: tuple[Row, ...]


@frozen
class World(Node):
    name: Identifier
    items: tuple[Meta | Extend | Data, ...]


@frozen
class Request(Node):
    text: Text | Interpolation


@frozen
class ToolSelection(Node):
    """`service`, `service.tool` or `service.{a, b}` (then `names`)."""

    path: Path
    names: tuple[Identifier, ...]


@frozen
class Tools(Node):
    selections: tuple[ToolSelection, ...]


@frozen
class Limit(Node):
    """One `20 turns`; `unit` is the author's word."""

    amount: Expression
    unit: Identifier


@frozen
class Given(Node):
    value: Expression


@frozen
class Allow(Node):
    code: Identifier
    reason: Text


@frozen
class TruthLet(Node):
    """`let x [after EVENT] = E` in a task or a grade."""

    name: Identifier
    after: Identifier | None
    value: Expression


@frozen
class Check(Node):
    weight: Expression
    label: Text
    share: bool
    condition: Expression


@frozen
class Judge(Node):
    weight: Expression
    label: Text
    rubric: Text | Interpolation


@frozen
class Require(Node):
    """`mode` is `cap` or `times`; a missing `else` is `cap` with no amount."""

    label: Text
    condition: Expression
    mode: str
    amount: Expression | None


@frozen
class Forbid(Node):
    label: Text
    condition: Expression
    safety: Expression | None


@frozen
class Always(Node):
    label: Text
    condition: Expression
    safety: Expression | None


@frozen
class Changed(Node):
    """One item of `only changes`: a path, or a record id with fields; `new` allows inserts alone."""

    new: bool
    target: Path | RecordId
    fields: tuple[Identifier, ...]


@frozen
class OnlyChanges(Node):
    items: tuple[Changed, ...]


@frozen
class Reward(Node):
    value: Expression


@frozen
class Policy(Node):
    sentence: Text | Interpolation
    rule: Forbid | Require


@frozen
class DeliverField(Node):
    name: Identifier
    type: TypeExpression
    value: Expression
    doc: Text | None


@frozen
class Deliver(Node):
    """`path` is None for `deliver N answer`; `format` is then `answer`."""

    name: Identifier
    path: Text | None
    format: Identifier
    rows: tuple[Identifier, Expression, Expression] | None
    fields: tuple[DeliverField, ...]


@frozen
class Fact(Node):
    name: Identifier
    value: Expression
    when: Expression | None


@frozen
class Asset(Node):
    path: Text
    facts: tuple[Fact, ...]


@frozen
class User(Node):
    persona: Text | Interpolation | None
    facts: tuple[Fact, ...]
    patience: Expression | None


@frozen
class Say(Statement):
    text: Text | Interpolation


@frozen
class InsertRows(Statement):
    store: Path
    rows: tuple[Row, ...]


@frozen
class End(Statement):
    pass


@frozen
class Event(Node):
    """`trigger` is `when`, `at` or `turn`."""

    name: Identifier
    trigger: str
    moment: Expression
    silent: bool
    actions: tuple[Statement, ...]


@frozen
class Fault(Node):
    """`fault TOOL KIND on call N | rate P`; `schedule` is `call` or `rate`."""

    tool: Path
    kind: Identifier
    schedule: str
    amount: Expression


@frozen
class Distract(Node):
    count: Expression
    store: Path
    near: Identifier


Grading = TruthLet | Check | Judge | Require | Forbid | Always | OnlyChanges | Reward
TaskItem = (
    Meta
    | Extend
    | Request
    | Data
    | Tools
    | Limit
    | Given
    | Allow
    | Policy
    | Deliver
    | Asset
    | User
    | Event
    | Fault
    | Distract
    | Grading
)


@frozen
class Task(Node):
    name: Identifier
    title: Text | None
    world: Identifier | None
    items: tuple[TaskItem, ...]


@frozen
class FamilyParameter(Node):
    """`x: T in DOMAIN` or `x: T in LOW to HIGH`."""

    name: Identifier
    type: TypeExpression
    domain: Expression
    high: Expression | None


@frozen
class Family(Node):
    name: Identifier
    parameters: tuple[FamilyParameter, ...]
    title: Text | None
    world: Identifier | None
    items: tuple[TaskItem, ...]


@frozen
class Grade(Node):
    """The grading of the task of the same name."""

    name: Identifier
    items: tuple[Grading, ...]


@frozen
class Slot(Node):
    name: Identifier
    fields: ObjectDisplay


@frozen
class Plan(Node):
    name: Identifier
    slots: tuple[Slot, ...]


@frozen
class UseService(Node):
    name: Identifier
    alias: Identifier | None


@frozen
class UseFile(Node):
    path: Text


@frozen
class Vocabulary(Node):
    """Plausible values, of which `pick` takes one."""

    name: Identifier
    values: tuple[Text, ...]


Item = Service | World | Task | Family | Grade | Plan | Enumeration | Record | Vocabulary


@frozen
class Module(Node):
    """A file. `version` is None when its `cwk` line is missing or broken."""

    version: int | None
    uses: tuple[UseService | UseFile, ...]
    items: tuple[Item, ...]
