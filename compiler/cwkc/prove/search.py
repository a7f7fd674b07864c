"""Whether some run satisfies every condition: a proof that none does, or a run that was executed.

The solver is asked for a run whose states are those that the calls of the pool make (`exact`). Where there is none, the
states are left open: if even then nothing satisfies the conditions, that is a proof. Else the same is done again with
more calls, those that bring about the states which calls and forbids need.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from cwkc.meaning import typed
from cwkc.prove.conditions import Condition, Encoded, encode
from cwkc.prove.pool import Pool
from cwkc.prove.reach import Reach
from cwkc.prove.run import Execute
from cwkc.prove.solver import Answer, Model, Solver
from cwkc.prove.terms import Sort, Term, boolean, conjunction, equal, negation, number, symbol
from cwkc.prove.witness import Witness, minimised, perform, read, settled, waited_for

ATTEMPTS = 3
"""How many runs of one encoding are executed before it is given up."""


MORE_CALLS = (12, 36)
"""How many calls the second encoding and the third may have beyond those of the first."""


@frozen
class Found:
    """A run that earns everything."""

    witness: Witness


@frozen
class Conflict:
    """Conditions that cannot hold together, none of which can be spared. `is_proof`: of any run; else of runs of at
    most `calls` calls. `spared`: those without which the task is consistent again."""

    core: tuple[Condition, ...]
    spared: tuple[Condition, ...]
    is_proof: bool
    calls: int


@frozen
class Unfound:
    """No run was found, though none was ruled out. `nearest`: the last that was executed and fell short, if one was."""

    nearest: Witness | None
    calls: int


@frozen
class Undecided:
    """The solver's budget was spent."""


Result = Found | Conflict | Unfound | Undecided


@frozen
class Search:
    """`text`: what the solver read last."""

    result: Result
    text: str


def search(
    task: typed.Task, execute: Execute, budget: int, wanted: tuple[Condition, ...], thrifty: bool = False
) -> Search:
    """A run that satisfies what is wanted, which is full by the outcomes that `execute` gives. A thrifty search does
    not look for the least run, and gives up where the first calls do not do."""
    reach, pool = Reach(task), Pool(task.events.values())
    encoded = encode(task, wanted, reach, pool)
    result = _look(encoded, execute, budget, None, thrifty)
    first = len(pool.calls)
    for more in () if thrifty else MORE_CALLS:
        if isinstance(result, Unfound):
            encoded = encode(task, wanted, reach, Pool(task.events.values(), first + more), thorough=True)
            result = _look(encoded, execute, budget, result.nearest, thrifty)
    return Search(result, encoded.text)


def _look(encoded: Encoded, execute: Execute, budget: int, nearest: Witness | None, thrifty: bool) -> Result:
    """What one encoding tells; `nearest` is the last run that was executed before."""
    solver = Solver(encoded.text, budget)
    answer, found = _attempt(encoded, solver, execute, thrifty)
    if found is not None and found.outcome.is_full:
        return Found(found)
    if answer is Answer.UNSATISFIABLE:
        # Anew: the attempts have told this solver to leave out runs that exist.
        solver = Solver(encoded.text, budget)
        answer = solver.check(encoded.literals)
        if answer is Answer.UNSATISFIABLE:
            return _conflict(encoded, solver)
    return Undecided() if answer is Answer.UNKNOWN else Unfound(found or nearest, len(encoded.encoder.pool.calls))


def _attempt(encoded: Encoded, solver: Solver, execute: Execute, thrifty: bool) -> tuple[Answer, Witness | None]:
    """The solver's answer to the question for an exact run, and the last run that was executed.

    A run in which what cannot be said in the solver's terms does not matter (`plain`) is preferred.
    """
    answer, nearest = Answer.UNKNOWN, None
    waited = waited_for(encoded.encoder.task)
    for assumptions in (("exact", "plain"), ("exact",)):
        for _ in range(ATTEMPTS):
            answer = solver.check((*encoded.literals, *assumptions))
            if answer is not Answer.SATISFIABLE:
                break
            model = solver.model()
            for plan in read(encoded.encoder, model):
                plan = settled(plan, execute)
                nearest = perform(plan, execute)
                if nearest.outcome.is_full:
                    return answer, nearest if thrifty else minimised(plan, nearest, execute, waited)[1]
            solver.require(_other_than(encoded, model))
    return answer, nearest


def _other_than(encoded: Encoded, model: Model) -> Term:
    """That other calls are made than in a model, or with other arguments."""
    sorts = encoded.encoder.script.sorts
    same: list[Term] = []
    for call in encoded.encoder.pool.calls:
        made = model.value(call.name, Sort.BOOL) is True
        same.append(symbol(call.name, Sort.BOOL) if made else negation(symbol(call.name, Sort.BOOL)))
        for name in (f"{call.name}.{parameter}" for parameter in call.tool.parameters):
            value = model.value(name, sorts[name]) if made and name in sorts else None
            if value is not None:
                same.append(equal(symbol(name, sorts[name]), _literal(value)))
    return negation(conjunction(*same))


def _literal(value: bool | int | Fraction) -> Term:
    return boolean(value) if isinstance(value, bool) else number(value)


def _conflict(encoded: Encoded, solver: Solver) -> Conflict:
    core = solver.core(encoded.literals)
    by_literal = {condition.literal: condition for condition in encoded.conditions}
    spared = [
        name
        for name in core
        if solver.check([other for other in encoded.literals if other != name]) is Answer.SATISFIABLE
    ]
    return Conflict(
        tuple(by_literal[name] for name in core),
        tuple(by_literal[name] for name in spared),
        not encoded.short.intersection(core),
        len(encoded.encoder.pool.calls),
    )
