"""The solver: the only module that imports z3.

A context of its own for each text, so that the answer depends on nothing else; a budget of the solver's own steps,
never of time, so that it is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol

from cwkc.prove.terms import Sort, Term

BUDGET = 2_000_000
"""The solver's steps (`rlimit`) for one question."""


class Answer(Enum):
    """`UNKNOWN`: the budget was spent; never a verdict."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


class Model(Protocol):
    """What a run is read from."""

    def value(self, name: str, sort: Sort) -> bool | int | Fraction | None:
        """The value of a symbol; None where any will do."""
        ...


class Solver:
    def __init__(self, text: str, budget: int) -> None:
        import z3

        self._z3 = z3
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.set("rlimit", budget)
        self._solver.from_string(text)
        self._literals: dict[str, Any] = {}

    def check(self, literals: Iterable[str]) -> Answer:
        """Whether all of the text holds together with some of its assumptions."""
        result = self._solver.check(*(self._literal(name) for name in literals))
        if result == self._z3.sat:
            return Answer.SATISFIABLE
        return Answer.UNSATISFIABLE if result == self._z3.unsat else Answer.UNKNOWN

    def _literal(self, name: str) -> Any:
        if name not in self._literals:
            self._literals[name] = self._z3.Bool(name, self._context)
        return self._literals[name]

    def require(self, term: Term) -> None:
        """Asserts one more formula over the symbols of the text."""
        self._solver.from_string(f"(assert {term.text})")

    def core(self, literals: Sequence[str]) -> tuple[str, ...]:
        """A smallest set of literals, in their order, that cannot hold together: no one of them can be spared.

        Of literals that `check` found unsatisfiable. Where the budget is spent, what cannot be decided is kept.
        """
        found = {str(literal) for literal in self._solver.unsat_core()}
        kept = [literal for literal in literals if literal in found]
        index = 0
        while index < len(kept):
            rest = kept[:index] + kept[index + 1 :]
            if self.check(rest) is Answer.UNSATISFIABLE:
                found = {str(literal) for literal in self._solver.unsat_core()}
                kept = [literal for literal in rest if literal in found]
            else:
                index += 1
        return tuple(kept)

    def model(self) -> Model:
        """The model of the last question, when its answer was `SATISFIABLE`."""
        return _Model(self._z3, self._context, self._solver.model())


class _Model:
    """Reads a model through the solver's C functions: a task asks for a hundred values, and the objects of the Python
    interface would cost ten times as much."""

    def __init__(self, z3: Any, context: Any, model: Any) -> None:
        self._core = z3.z3core
        self._context = context
        self._model = model
        self._sorts = {
            Sort.BOOL: z3.BoolSort(context),
            Sort.INT: z3.IntSort(context),
            Sort.REAL: z3.RealSort(context),
        }

    def value(self, name: str, sort: Sort) -> bool | int | Fraction | None:
        core, context = self._core, self._context.ref()
        symbol = core.Z3_mk_string_symbol(context, name)
        declared = core.Z3_mk_func_decl(context, symbol, 0, None, self._sorts[sort].ast)
        node = core.Z3_func_decl_to_ast(context, declared)
        core.Z3_inc_ref(context, node)
        found = core.Z3_model_get_const_interp(context, self._model.model, declared)
        core.Z3_dec_ref(context, node)
        if not found:
            return None
        if sort is Sort.BOOL:
            return bool(core.Z3_get_bool_value(context, found) == TRUE)
        text = core.Z3_get_numeral_string(context, found)
        return int(text) if sort is Sort.INT else Fraction(text)


TRUE = 1
"""`Z3_L_TRUE`."""
