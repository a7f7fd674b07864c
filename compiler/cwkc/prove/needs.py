"""What a call needs in order to be made and to be accepted."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.types import EnumType, required
from cwkc.meaning.walk import expressions, statements, walk
from cwkc.prove import terms
from cwkc.prove.calls import Calls
from cwkc.prove.codes import Codes
from cwkc.prove.effects import Effect
from cwkc.prove.pool import Call
from cwkc.prove.script import Script
from cwkc.prove.terms import FALSE, Sort, Term, boolean, conjunction, disjunction, equal, implication, negation
from cwkc.prove.values import Symbolic
from cwkc.prove.world import Moment, World, is_stranger


@frozen
class Needs:
    """`thorough`: whether calls are asked for that make the records which other calls name."""

    script: Script
    codes: Codes
    calls: Calls
    world: World
    exact: Term
    thorough: bool

    def constrain(self, call: Call) -> None:
        """Asserts that a call names records that are there, and is accepted only where its tool does not refuse it."""
        effects, accepted = self.calls.effects(call), self.calls.accepted(call)
        named = (
            implication(guard, self._referable(call, record, guard, id))
            for record, guard, id in self.calls.references(call)
        )
        allowed = conjunction(*named, *self._enumerated(call))
        unhindered = conjunction(allowed, *(negation(fail) for fail in effects.fails))
        self.script.require(implication(accepted, unhindered))
        if call.before is not None:
            prepares = conjunction(self.calls.made(call.before), self.calls.earlier(call, call.before))
            self.script.require(implication(self.calls.made(call), prepares))
        if call.may_fail:
            self._refused(call, accepted)
        for effect in effects.writes:
            if effect.kind == "insert" and not effect.minted and call.event is None:
                self._free_place(call, effect)

    def _refused(self, call: Call, accepted: Term) -> None:
        """Asserts that a call which is not accepted breaks the schema, or is refused for a reason that its tool has."""
        valid = self.calls.valid(call)
        refused = conjunction(self.calls.made(call), valid, negation(accepted))
        effects, references = self.calls.effects(call), tuple(self.calls.references(call))
        places = (
            conjunction(effect.guard, self._taken(call, effect))
            for effect in effects.writes
            if effect.kind == "insert" and not effect.minted
        )
        reasons = disjunction(*effects.fails, *places, boolean(_divides(call.tool)))
        strange = (conjunction(guard, negation(self._lasting(record, id))) for record, guard, id in references)
        self.script.require(implication(accepted, valid))
        self.script.require(implication(refused, disjunction(reasons, *strange)))
        self.script.require(implication(self.script.symbol("plain", Sort.BOOL), valid))
        known = conjunction(*(negation(is_stranger(id)) for _, _, id in references))
        self.script.require(implication(self.exact, known))
        shown = self.thorough and all(self.world.ask_deletes(record, id, call) for record, _, id in references)
        self.world.owe(
            refused if shown else conjunction(self.exact, refused),
            lambda: disjunction(reasons, *(self._missing(call, *reference) for reference in references)),
        )

    def _missing(self, call: Call, record: str, guard: Term, id: Term) -> Term:
        """That a call names a record which is not there."""
        return conjunction(guard, negation(self.world.there(record, id, None, call)))

    def _taken(self, call: Call, effect: Effect) -> Term:
        """Whether the id of an insert is one of a record that is there already."""
        stores = self.world.stores(effect.record)
        moment = Moment("before", call)
        return disjunction(
            *(self.world.exists(effect.record, effect.target, moment, call.depth, store) for store in stores)
        )

    def _lasting(self, record: str, id: Term) -> Term:
        """That an id surely names a record whenever a call names it."""
        return FALSE if self.world.reach.deleters(record) else self.world.at_start(record, id)

    def _free_place(self, call: Call, effect: Effect) -> None:
        """An insert at a given id is refused where the id is taken."""
        done = conjunction(self.calls.accepted(call), effect.guard)
        self.script.require(implication(done, negation(self._taken(call, effect))))

    def _enumerated(self, call: Call) -> Iterator[Term]:
        """That arguments of an enum's type are its values."""
        for name, value in self.calls.arguments(call).items():
            type = required(call.tool.parameters[name].type)
            for guard, leaf in value.cases:
                if isinstance(type, EnumType) and isinstance(leaf, Symbolic):
                    codes = [self.codes.of(each, type) for each in type.values]
                    yield implication(guard, terms.within(leaf.term, codes))

    def _referable(self, call: Call, record: str, guard: Term, id: Term) -> Term:
        """The ids that a call may name: those of the start, and those of records that were made before it."""
        choices = [self.world.at_start(record, id)]
        for other, effect in self.world.history.inserts(record):
            if other is not call:
                made = conjunction(self.calls.accepted(other), effect.guard, equal(id, effect.target))
                choices.append(conjunction(made, self.calls.earlier(other, call)) if made != FALSE else FALSE)
        makers = self.world.reach.makers(record)
        if makers:
            if self.thorough and call.depth == 1:
                self.world.ask(("name", call.number, record), makers, call.depth + 1, before=call)
            choices.append(conjunction(negation(self.exact), is_stranger(id)))
        if self.world.reach.deleters(record):
            done = conjunction(self.calls.accepted(call), guard)
            self.world.owe(conjunction(self.exact, done), lambda: self.world.there(record, id, None, call))
            if not self.world.reach.placers(record):
                self.world.owe(done, lambda: self._before_deletes(call, record, id))
        return disjunction(*choices)

    def _before_deletes(self, call: Call, record: str, id: Term) -> Term:
        """That a call comes before whatever deletes the record that it names: it never comes back."""
        return conjunction(
            *(
                disjunction(negation(event.done), self.calls.earlier(call, event.call))
                for event in self.world.history.events(record, id, None)
                if event.effect.kind == "delete" and event.call is not call
            )
        )

    def lies_in(self, store: str, record: str, effect: Effect) -> Term:
        """Whether what a call sets or deletes lies in a store of a record type; of what calls outside the pool have
        made, it may."""
        if record != effect.record:
            return FALSE
        made = (
            equal(effect.target, other.target)
            for _, other in self.world.history.inserts(record)
            if other.store == store
        )
        start = self.world.at_start(record, effect.target, store)
        return disjunction(start, *made, is_stranger(effect.target))


def _divides(tool: typed.ToolDef) -> bool:
    """Whether a division may be what a tool fails with."""
    return any(
        isinstance(part, typed.Arithmetic) and part.operator == "/"
        for statement in statements(tool.body)
        for expr in expressions(statement)
        for part in walk(expr)
    )
