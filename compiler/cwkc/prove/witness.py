"""From a model of the solver to a run that was executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from coworkdsl.contracts import written
from coworkdsl.values import decimal_text, to_wire
from cwkc.meaning import typed
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    EMAIL,
    INT,
    URL,
    EnumType,
    ListOf,
    Reference,
    Type,
    required,
)
from cwkc.prove.codes import SECOND
from cwkc.prove.encoder import Encoder
from cwkc.prove.patterns import sample
from cwkc.prove.pool import Call
from cwkc.prove.run import A_QUESTION, NO_WORDS, CallStep, Execute, Outcome, SayStep, Step
from cwkc.prove.solver import Model
from cwkc.prove.terms import TRUE, Sort, Term
from cwkc.prove.texts import Atom
from cwkc.prove.values import Known, Symbolic, Value

UNKNOWN_PARAMETER = "no such parameter"
"""An argument that no schema allows."""


NOBODY = "no-such-id"
"""The id of no record."""


@frozen
class Created:
    """The id of a record that an earlier call makes: known once that call is executed."""

    code: int


@frozen
class PlannedCall:
    """A call whose ids may still be `Created`. `mints`: the codes of the records that it makes, each with its store."""

    tool: str
    arguments: Mapping[str, Any]
    optional: tuple[str, ...]
    mints: tuple[tuple[str, int], ...]


@frozen
class Await:
    """Turns that the agent ends until an event has happened."""

    event: str


Plan = tuple[PlannedCall | SayStep | Await, ...]

MOST_TURNS = 12
"""How many turns are ended to let an event happen."""


@frozen
class Witness:
    """An executed run."""

    steps: tuple[Step, ...]
    outcome: Outcome


# ---------------------------------------------------------------------------- from the model to a plan


class _Reader:
    def __init__(self, encoder: Encoder, model: Model) -> None:
        self._encoder = encoder
        self._model = model

    def truth(self, term: Term) -> bool:
        if term.literal is not None:
            return bool(term.literal)
        return self._model.value(term.text, Sort.BOOL) is True

    def made(self) -> list[Call]:
        """The calls that are made, in order: what only reads and may come at any time first, other such calls last."""
        calls = [call for call in self._encoder.pool.calls if self.truth(self._encoder.calls.made(call))]
        return sorted(calls, key=self._position)

    def _position(self, call: Call) -> tuple[int, int, int]:
        name = f"{call.name}.time"
        if name not in self._encoder.script.sorts:
            return (0 if call.tool.reads_only else 2), 0, call.number
        time = self._model.value(name, Sort.INT)
        return 1, int(time or 0), call.number

    def planned(self) -> Iterator[PlannedCall | Await]:
        """The calls of the agent and, between them, the events that come with time."""
        for call in self.made():
            if call.event is None:
                yield self.call(call)
            elif call.event.trigger != "when":
                yield Await(call.event.name)

    @property
    def learns(self) -> bool:
        """Whether the user is to tell anything."""
        facts = self._encoder.task.user.facts if self._encoder.task.user else ()
        told = (f"told.{name}" for name in facts)
        return any(self._model.value(name, Sort.BOOL) is True for name in told if name in self._encoder.script.sorts)

    def call(self, call: Call) -> PlannedCall:
        if not self.truth(self._encoder.calls.valid(call)):
            return PlannedCall(call.tool.wire_name, {UNKNOWN_PARAMETER: True}, (), ())
        arguments = {}
        optional = []
        for name, parameter in call.tool.parameters.items():
            value = self._argument(self._encoder.calls.arguments(call)[name], parameter)
            if value is not _LEFT_OUT:
                arguments[name] = value
                if not parameter.required:
                    optional.append(name)
        mints = tuple(
            (effect.store, int(effect.target.literal))
            for effect in self._encoder.calls.effects(call).writes
            if effect.minted and effect.store is not None and effect.target.literal is not None
        )
        return PlannedCall(call.tool.wire_name, arguments, tuple(optional), mints)

    def _argument(self, value: Value, parameter: typed.ParameterDef) -> Any:
        guard, leaf = value.cases[0]
        if isinstance(leaf, Known):
            return leaf.value
        assert isinstance(leaf, Symbolic)
        if not self.truth(guard):
            return _LEFT_OUT
        found = leaf.term.literal
        if found is None:
            found = self._model.value(leaf.term.text, leaf.term.sort)
        atoms = self._encoder.texts.atoms.get(leaf.term.text, {})
        is_free = found is None and guard == TRUE and not any(map(self.truth, atoms.values()))
        if is_free and not parameter.required:
            return _LEFT_OUT
        return self._plain(required(parameter.type), parameter.name, found, leaf.term)

    def _plain(self, type: Type, name: str, found: Any, term: Term) -> Any:
        """The plain value of a symbol of the model."""
        if type in (BOOL, INT, DECIMAL):
            return found if found is not None else {BOOL: False, INT: 1, DECIMAL: Fraction(1)}[type]
        if isinstance(type, Reference):
            return self._reference(type, found)
        code = int(found or 0)
        if type == DATE:
            return self._encoder.codes.day(code)
        if type == DATETIME:
            return self._encoder.codes.moment(code)
        if type == DURATION:
            return code * SECOND
        spelling = self._encoder.codes.spelling(code)
        if isinstance(type, EnumType):
            return spelling if spelling in type.values else type.values[0]
        if type == EMAIL:
            return spelling if isinstance(spelling, str) and "@" in spelling else f"person{code or ''}@example.test"
        if type == URL:
            return spelling if isinstance(spelling, str) and "://" in spelling else f"https://example.test/{code or ''}"
        return self.words(type, name, code, term)

    def _reference(self, type: Reference, code: int | None) -> Any:
        """The id of some record where any will do; where the model wants none that there is, one that there is not."""
        if code is not None:
            return Created(code) if code < 0 else self._encoder.codes.spelling(code) or NOBODY
        stores = self._encoder.task.records[type.record].stores
        return next((row.id for row in self._encoder.task.rows if row.store in stores), NOBODY)

    def words(self, type: Type, name: str, code: int, term: Term) -> Any:
        """A text or a list that passes the tests which the model says it passes."""
        atoms = [atom for atom, passes in self._encoder.texts.atoms.get(term.text, {}).items() if self.truth(passes)]
        spelling = self._encoder.codes.spelling(code)
        if isinstance(type, ListOf):
            members = tuple(atom.operand for atom in atoms)
            return spelling if isinstance(spelling, tuple) and set(members) <= set(spelling) else members
        if isinstance(spelling, str) and all(atom.of(spelling) for atom in atoms):
            return spelling
        return _compose(atoms) or f"{name.replace('_', ' ').capitalize()}{f' {code}' if code else ''}"

    def remarks(self) -> Iterator[SayStep]:
        """What is said beside the answer; where the user is to tell something, it ends a turn."""
        *remarks, _ = self._encoder.utterances()
        for spoken, text in remarks:
            if self.truth(spoken):
                yield SayStep(self._text(text, "remark"), ends=self.learns)

    def answer(self) -> Iterator[SayStep]:
        *_, (answered, answer) = self._encoder.utterances()
        if self.truth(answered):
            yield SayStep(self._text(answer, "answer"), ends=True)

    def _text(self, value: Value, name: str) -> str:
        leaf = value.leaf
        assert isinstance(leaf, Symbolic)
        code = int(self._model.value(leaf.term.text, Sort.INT) or 0)
        return str(self.words(leaf.type, name, code, leaf.term))


_LEFT_OUT = object()


SEPARATOR = "; "
"""What stands between the parts of a composed text."""


_ORDER = {
    "delivers": 0,
    "spells": 1,
    "within": 1,
    "lists": 2,
    "contains": 3,
    "mentions": 3,
    "matches": 4,
    "states": 5,
}


def _compose(atoms: list[Atom]) -> str:
    """A text that passes some tests: the longest things first, nothing that is there already. What is to be delivered
    stands on lines of its own."""
    pieces: list[str] = []
    separator = "\n" if any(atom.test == "delivers" for atom in atoms) else SEPARATOR
    for atom in sorted(atoms, key=lambda atom: (_ORDER[atom.test], -len(str(atom.operand)))):
        if not pieces or not atom.of(separator.join(pieces)):
            piece = _piece(atom)
            if piece is not None:
                pieces.append(piece)
    return separator.join(pieces)


def _piece(atom: Atom) -> str | None:
    if atom.test == "delivers":
        return written(atom.operand)
    if atom.test == "matches":
        return sample(atom.operand)
    if atom.test == "states":
        return decimal_text(Fraction(atom.operand[0]))
    return ", ".join(atom.operand) if atom.test == "lists" else str(atom.operand)


def read(encoder: Encoder, model: Model) -> tuple[Plan, ...]:
    """The runs that a model may describe: it does not tell when remarks are made that the user is to answer."""
    reader = _Reader(encoder, model)
    calls, remarks, answer = tuple(reader.planned()), tuple(reader.remarks()), tuple(reader.answer())
    waited = waited_for(encoder.task)
    first = tuple(step for step in calls if isinstance(step, Await) and step.event in waited)
    early = (*first, *(step for step in calls if step not in first))
    orders = (calls,) if early == calls else (early, calls)
    if not ((remarks or answer) and reader.learns):
        return tuple((*order, *remarks, *answer) for order in orders)
    return tuple(plan for order in orders for plan in _spoken(order, remarks, answer, bool(waited)))


def _spoken(calls: Plan, remarks: Plan, answer: Plan, waits: bool) -> Iterator[Plan]:
    """The plans that differ in when the agent asks: best before it acts. An answer alone that may tell of what an agent
    waits for is given last."""
    asked, closing = (remarks, answer) if remarks else (answer, ())
    first: Plan = (*asked, *calls, *closing)
    last: Plan = (*calls, *remarks, *answer)
    yield from (last, first) if waits and not remarks else (first, last)
    for place in range(1, len(calls)):
        yield (*calls[:place], *asked, *calls[place:], *closing)
    yield (*remarks, *answer, *calls)


def waited_for(task: typed.Task) -> frozenset[str]:
    """The events that tell what the agent needs, so that it should not act before them."""
    return frozenset(truth.after for truth in task.truths.values() if truth.after is not None)


# ---------------------------------------------------------------------------- from a plan to a run


def settled(plan: Plan, execute: Execute) -> Plan:
    """A plan with the turns that are ended for the sake of events: without a word or, where the run would be over then,
    with a question."""
    found: Plan = ()
    for step in plan:
        if isinstance(step, Await):
            silent = _awaited(found, step.event, NO_WORDS, execute)
            found = silent or _awaited(found, step.event, A_QUESTION, execute) or found
        else:
            found = (*found, step)
    return found


def _awaited(plan: Plan, event: str, words: str, execute: Execute) -> Plan | None:
    """The plan with so many turns ended with these words that the event has happened; None where it does not."""
    for turns in range(MOST_TURNS + 1):
        longer = (*plan, *(SayStep(words, ends=True) for _ in range(turns)))
        if event in perform(longer, execute).outcome.fired:
            return longer
    return None


def perform(plan: Plan, execute: Execute) -> Witness:
    """Executes a plan; where it needs ids of records that it makes, step by step."""
    ids: dict[int, str] = {}
    steps: list[Step] = []
    minting: list[PlannedCall] = []
    for step in plan:
        if isinstance(step, SayStep):
            steps.append(step)
            continue
        assert isinstance(step, PlannedCall), "a plan is settled before it is performed"
        if any(isinstance(value, Created) and value.code not in ids for value in step.arguments.values()):
            ids.update(_created(minting, execute(tuple(steps))))
        arguments = {name: _resolved(value, ids) for name, value in step.arguments.items()}
        steps.append(CallStep(step.tool, arguments))
        minting.append(step)
    return Witness(tuple(steps), execute(tuple(steps)))


def _resolved(value: Any, ids: Mapping[int, str]) -> Any:
    return ids.get(value.code, NOBODY) if isinstance(value, Created) else to_wire(value)


def _created(calls: list[PlannedCall], outcome: Outcome) -> Iterator[tuple[int, str]]:
    """The ids of what calls have made, by code: those of one call and one store in their order."""
    for call, became in zip(calls, outcome.calls, strict=True):
        made = list(became.created)
        for store, code in call.mints:
            for entry in made:
                if entry[0] == store:
                    made.remove(entry)
                    yield code, entry[1]
                    break


# ---------------------------------------------------------------------------- the least run


@frozen
class _Trial:
    """What a shorter plan must do: earn everything and still wait for events whose news it acts on."""

    execute: Execute
    awaited: frozenset[str]

    def accepts(self, outcome: Outcome) -> bool:
        return outcome.is_full and outcome.fired >= self.awaited


def minimised(plan: Plan, full: Witness, execute: Execute, waited: frozenset[str]) -> tuple[Plan, Witness]:
    """Without what a full score does not need of steps, optional arguments, parts of texts and items of lists; the last
    are tried first. Events of `waited` that the plan has waited for it goes on waiting for."""
    trial = _Trial(execute, full.outcome.fired & waited)
    for index in reversed(range(len(plan))):
        if trial.awaited and index < len(plan) - 1 and _only_waits(plan[index]):
            continue
        plan, full = _shorter(plan, full, (*plan[:index], *plan[index + 1 :]), trial)
    for index, step in enumerate(plan):
        for name in step.optional if isinstance(step, PlannedCall) else ():
            candidate = (*plan[:index], _without(plan[index], name), *plan[index + 1 :])
            plan, full = _shorter(plan, full, candidate, trial)
    for index, step in enumerate(plan):
        for name in step.arguments if isinstance(step, PlannedCall) else ("text",):
            plan, full = _with_least(plan, full, index, name, trial)
    return plan, full


def _only_waits(step: PlannedCall | SayStep | Await) -> bool:
    return isinstance(step, SayStep) and step.only_waits


def _with_least(plan: Plan, full: Witness, index: int, name: str, trial: _Trial) -> tuple[Plan, Witness]:
    """With the fewest parts of one text or list."""
    for place in reversed(range(len(_parts(plan[index], name)))):
        parts = _parts(plan[index], name)
        if len(parts) > 1:
            fewer = _with_parts(plan[index], name, (*parts[:place], *parts[place + 1 :]))
            plan, full = _shorter(plan, full, (*plan[:index], fewer, *plan[index + 1 :]), trial)
    return plan, full


def _parts(step: PlannedCall | SayStep | Await, name: str) -> tuple[Any, ...]:
    assert not isinstance(step, Await)
    value = step.text if isinstance(step, SayStep) else step.arguments[name]
    if isinstance(value, str):
        return tuple(value.split(SEPARATOR))
    return value if isinstance(value, tuple) else ()


def _with_parts(step: PlannedCall | SayStep | Await, name: str, parts: tuple[Any, ...]) -> PlannedCall | SayStep:
    assert not isinstance(step, Await)
    if isinstance(step, SayStep):
        return evolve(step, text=SEPARATOR.join(parts))
    value = SEPARATOR.join(parts) if isinstance(step.arguments[name], str) else parts
    return evolve(step, arguments={**step.arguments, name: value})


def _shorter(plan: Plan, full: Witness, candidate: Plan, trial: _Trial) -> tuple[Plan, Witness]:
    found = perform(candidate, trial.execute)
    return (candidate, found) if trial.accepts(found.outcome) else (plan, full)


def _without(step: PlannedCall | SayStep | Await, name: str) -> PlannedCall:
    assert isinstance(step, PlannedCall)
    return evolve(step, arguments={other: value for other, value in step.arguments.items() if other != name})
