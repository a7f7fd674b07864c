"""The solver's terms mean what the emitted code does: a run that is pinned down has to have the score that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from coworkdsl.values import from_wire
from cwkc.meaning import typed
from cwkc.meaning.initial import descriptor
from cwkc.meaning.types import TEXT, Reference, required
from cwkc.prove import CallStep, Outcome, SayStep, Step
from cwkc.prove.calls import MINTED_BY_ONE_CALL
from cwkc.prove.codes import Codes
from cwkc.prove.encoder import Encoder
from cwkc.prove.pool import Call, Pool
from cwkc.prove.reach import Reach
from cwkc.prove.scope import EITHER, Scope
from cwkc.prove.solver import BUDGET, Answer, Solver
from cwkc.prove.terms import Sort, Term, equal, implication, integer, less, negation
from cwkc.prove.values import Symbolic, Value, known, symbolic
from cwkc.rehearse.execute import executor
from tests.cwkc.prove.generating import Agent, Author
from tests.cwkc.prove.support import task_of


def pinned(task: typed.Task, steps: tuple[Step, ...], outcome: Outcome) -> Pool:
    """A pool of just these calls, with these arguments."""
    calls = [step for step in steps if isinstance(step, CallStep)]
    codes = {
        (task.stores[store].record, id): -(number * MINTED_BY_ONE_CALL + 1)
        for number, became in enumerate(outcome.calls)
        for store, id in became.created
        if task.stores[store].prefix is not None
    }
    tools = {tool.wire_name: tool for tool in task.tools}
    pool = Pool(most=len(calls))
    for number, step in enumerate(calls):
        fixed = dict(arguments(tools[step.tool], step.arguments, codes))
        pool.calls.append(Call(number, tools[step.tool], 1, True, fixed))
    pool.remarks = sum(isinstance(step, SayStep) for step in steps)
    return pool


def arguments(
    tool: typed.ToolDef, given: Mapping[str, Any], codes: Mapping[tuple[str, str], int]
) -> Iterator[tuple[str, Value]]:
    for name, parameter in tool.parameters.items():
        value = parameter.default
        if name in given:
            value = from_wire(descriptor(parameter.type), given[name])
        type = required(parameter.type)
        if isinstance(type, Reference) and (type.record, value) in codes:
            yield name, symbolic(integer(codes[type.record, value]), type)
        else:
            yield name, known(value)


def facts(encoder: Encoder, steps: tuple[Step, ...], outcome: Outcome) -> Iterator[Term]:
    """That the run is the one that was executed."""
    for call, became in zip(encoder.pool.calls, outcome.calls, strict=True):
        yield encoder.calls.made(call)
        yield encoder.calls.valid(call)
        yield encoder.calls.accepted(call) if became.error is None else negation(encoder.calls.accepted(call))
    for one, other in zip(encoder.pool.calls, encoder.pool.calls[1:], strict=False):
        yield less(encoder.calls.time(one), encoder.calls.time(other))
    *remarks, (answered, answer) = encoder.utterances()
    said = [step.text for step in steps if isinstance(step, SayStep)]
    for (spoken, text), words in zip(remarks, said, strict=True):
        yield spoken
        yield is_text(encoder, text, words)
    yield answered if said else negation(answered)
    if said:
        yield is_text(encoder, answer, said[-1])


def is_text(encoder: Encoder, text: Value, words: str) -> Term:
    assert isinstance(text.leaf, Symbolic)
    return encoder.texts.equals_literal(text.leaf.term, words, TEXT)


def verdicts(task: typed.Task, steps: tuple[Step, ...], outcome: Outcome) -> list[tuple[bool, bool]]:
    """For each check: whether it may hold in that run, and whether it may not."""
    encoder = Encoder(task, Reach(task), pinned(task, steps, outcome), Codes(task.now))
    for fact in facts(encoder, steps, outcome):
        encoder.script.require(fact)
    for number, check in enumerate(task.checks):
        term = encoder.holds(check.condition, Scope(), EITHER)
        encoder.script.require(equal(encoder.script.symbol(f"check-{number}", Sort.BOOL), term))
        denied = encoder.script.symbol(f"denied-{number}", Sort.BOOL)
        encoder.script.require(implication(denied, negation(encoder.script.symbol(f"check-{number}", Sort.BOOL))))
    encoder.finish()
    solver = Solver(encoder.script.text(), BUDGET)
    return [
        (
            solver.check(("exact", f"check-{number}")) is Answer.SATISFIABLE,
            solver.check(("exact", f"denied-{number}")) is Answer.SATISFIABLE,
        )
        for number in range(len(task.checks))
    ]


def compared(seed: int) -> Iterator[tuple[str, bool, tuple[bool, bool]]]:
    """Some random conditions, whether each held in a random run, and what the solver thinks of it."""
    author = Author(seed)
    conditions = author.candidates()
    task = task_of(author.equally(conditions))
    steps = Agent(seed, author.tools).run()
    outcome = executor(task)(steps)
    yield from zip(conditions, outcome.checks, verdicts(task, steps, outcome), strict=True)


@pytest.mark.parametrize("seed", range(16))
def test_a_run_has_the_score_that_it_has(seed: int) -> None:
    for condition, held, (may_hold, may_fail) in compared(seed):
        assert may_hold if held else may_fail, condition


def test_the_terms_leave_little_open() -> None:
    found = [verdict for seed in range(16, 24) for _, _, verdict in compared(seed)]
    decided = sum(may_hold != may_fail for may_hold, may_fail in found)
    assert decided / len(found) > 0.95
