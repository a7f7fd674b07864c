"""The calls of the pool as the solver sees them: whether they are made and accepted, when, and with what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import frozen

from cwkc.meaning import typed
from cwkc.meaning.types import Optional, Reference, required
from cwkc.prove.effects import Effects, perform
from cwkc.prove.operators import Operators
from cwkc.prove.pool import Call, Pool
from cwkc.prove.script import Script
from cwkc.prove.terms import FALSE, TRUE, Sort, Term, conjunction, distinct, integer, less
from cwkc.prove.values import NULL, Known, Symbolic, Value, choose

Evaluate = Callable[[Call, typed.Expr, Mapping[str, Value], frozenset[str]], Value]

MINTED_BY_ONE_CALL = 64


@frozen
class _Machine:
    """Runs a tool's body for one call."""

    call: Call
    calls: Calls
    count: list[Term]

    def evaluate(self, expr: typed.Expr, names: Mapping[str, Value], touched: frozenset[str]) -> Value:
        return self.calls.evaluate(self.call, expr, names, touched)

    def mint(self) -> Term:
        code = integer(-(self.call.number * MINTED_BY_ONE_CALL + len(self.count) + 1))
        self.count.append(code)
        return code

    def code(self, id: str) -> Term:
        return self.calls.code(id)

    def present(self, record: str, id: Term) -> Term:
        return self.calls.present(self.call, record, id)


class Calls:
    """`evaluate`, `code` and `present` are what running a tool's body asks of the encoder."""

    def __init__(
        self,
        task: typed.Task,
        pool: Pool,
        script: Script,
        operators: Operators,
        evaluate: Evaluate,
        code: Callable[[str], Term],
        present: Callable[[Call, str, Term], Term],
    ) -> None:
        self.evaluate = evaluate
        self.code = code
        self.present = present
        self.pool = pool
        self._task = task
        self._script = script
        self._operators = operators
        self._arguments: dict[int, Mapping[str, Value]] = {}
        self._effects: dict[int, Effects] = {}
        self._times: dict[int, Term] = {}

    def made(self, call: Call) -> Term:
        return self._script.symbol(call.name, Sort.BOOL)

    def accepted(self, call: Call) -> Term:
        if not call.may_fail:
            return self.made(call)
        return conjunction(self.made(call), self._script.symbol(f"{call.name}.accepted", Sort.BOOL))

    def valid(self, call: Call) -> Term:
        """Whether the call keeps to its tool's schema: one that does not has no arguments, and is not accepted."""
        return self._script.symbol(f"{call.name}.valid", Sort.BOOL) if call.may_fail else TRUE

    def time(self, call: Call) -> Term:
        if call.number not in self._times:
            self._times[call.number] = self._script.symbol(f"{call.name}.time", Sort.INT)
        return self._times[call.number]

    def earlier(self, one: Call, other: Call) -> Term:
        return FALSE if one is other else less(self.time(one), self.time(other))

    def arguments(self, call: Call) -> Mapping[str, Value]:
        if call.number not in self._arguments:
            self._arguments[call.number] = {
                name: call.fixed[name] if name in call.fixed else self._argument(f"{call.name}.{name}", parameter)
                for name, parameter in call.tool.parameters.items()
            }
        return self._arguments[call.number]

    def _argument(self, name: str, parameter: typed.ParameterDef) -> Value:
        value = self._operators.variable(required(parameter.type), name)
        if isinstance(parameter.type, Optional):
            return choose(self._script.symbol(f"{name}?", Sort.BOOL), value, NULL)
        return value

    def references(self, call: Call) -> Iterator[tuple[str, Term, Term]]:
        """The records that a call names: their type, when they are named, and their id."""
        for name, value in self.arguments(call).items():
            type = required(call.tool.parameters[name].type)
            if isinstance(type, Reference):
                for guard, leaf in value.cases:
                    if isinstance(leaf, Symbolic):
                        yield type.record, guard, leaf.term
                    elif isinstance(leaf, Known) and isinstance(leaf.value, str):
                        yield type.record, guard, self.code(leaf.value)

    def effects(self, call: Call) -> Effects:
        if call.number not in self._effects:
            machine = _Machine(call, self, [])
            self._effects[call.number] = perform(self._task, call.tool, self.arguments(call), machine)
        return self._effects[call.number]

    def in_order(self) -> None:
        """Asserts that no two calls are made at the same time."""
        self._script.require(distinct(tuple(self._times.values())))
