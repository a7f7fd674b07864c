"""Whether an emitted grader is what the task says: its tables, and what each of its rules makes of made-up runs.

The runs are made for the rules one by one, so that each part of a condition decides once, and judged twice: by the
emitted function, and by the meaning of the condition. No tool takes part: such a run need not be one that an agent
could have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import evolve

from coworkdsl import Pack
from coworkdsl.contracts import delivered_share
from coworkdsl.operations import Undefined
from coworkdsl.run import Allowed, Call, Run
from coworkdsl.score import Check, Forbid, Grader, Requirement
from coworkdsl.tools import done
from coworkdsl.world import Base, World
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, contract_of, evaluate, holds, share_of
from cwkc.rehearse.aims import holding
from cwkc.rehearse.execute import Disagreement, EmittedCodeError
from cwkc.rehearse.explored import explored
from cwkc.rehearse.levers import Stage
from cwkc.rehearse.readings import Rule, rules
from cwkc.rehearse.samples import Samples
from cwkc.rehearse.situations import ANY, MadeCall, MadeUp, Situation, plain

OUTCOMES = (Fraction(0), Fraction(1, 3), Fraction(1))
"""Completions, safeties and robustnesses for which a reward is compared."""


def require_tables(task: typed.Task, pack: Pack) -> None:
    """Compares the amounts in the grader's tables with those of the task. Raises EmittedCodeError and PackError."""
    grader = pack.task(task.name).grader
    emitted: list[tuple[Any, ...]] = [(rule.label, rule.weight) for rule in grader.checks]
    emitted += [(rule.label, rule.mode, rule.amount) for rule in grader.requirements]
    emitted += [(rule.safety,) for rule in grader.forbids]
    meant: list[tuple[Any, ...]] = [(rule.label, rule.weight) for rule in task.checks]
    meant += [(rule.label, rule.mode, rule.amount) for rule in task.requirements]
    meant += [(rule.safety,) for rule in task.forbids]
    emitted += [(rubric.text, rubric.weight) for rubric in grader.rubrics]
    meant += [(judge.rubric, judge.weight) for judge in task.judges]
    if emitted != meant:
        raise EmittedCodeError(task.name, "to list its rules", Disagreement(f"{emitted} for {meant}"))


def require_verdicts(task: typed.Task, pack: Pack, witness: Run, samples: Samples) -> None:
    """Judges made-up runs, and the witness, by each rule. Raises EmittedCodeError and PackError."""
    base = pack.task(task.name).base
    grader = pack.task(task.name).grader
    made_up = MadeUp(task, task.rows, samples.addresses)
    truths = {name: truth.value for name, truth in task.truths.items()}
    stage = Stage(made_up, Scope(base.view(), base.view(), None, task.now, truths), holding)
    emitted: tuple[Check | Requirement | Forbid, ...] = (*grader.checks, *grader.requirements, *grader.forbids)
    scripts = _scripts(task)
    for rule, judge in zip(rules(task), emitted, strict=True):
        for run in (witness, *_runs(rule, stage, base, scripts)):
            found, meant = _judged(judge, run), _meant(rule, run, task, truths)
            if found != meant:
                what = Disagreement(f"`{judge.label}` ({judge.place}): {found} for {meant}")
                raise EmittedCodeError(task.name, "to say what a rule says", what)
    _require_reward(task, grader)


# ---------------------------------------------------------------------------- judging


def _value(judge: Callable[[], Any]) -> Any:
    try:
        return judge()
    except Undefined:
        return False


def _judged(rule: Check | Requirement | Forbid, run: Run) -> Any:
    try:
        return _value(lambda: rule.test(run))
    except Exception as error:  # whatever a grader raises, it should not have
        return f"{type(error).__name__}: {error}"


def _meant(rule: Rule, run: Run, task: typed.Task, truths: dict[str, Any]) -> Any:
    """What a rule makes of a run: whether its condition holds, or the share of it."""
    after = {name: truth.after for name, truth in task.truths.items() if truth.after is not None}
    scope = Scope(run.final, run.start, run, task.now, truths, after)
    match rule:
        case typed.FrameDef():
            return bool(run.frame(granted(each) for each in rule.allowed))
        case typed.ForbidDef(always=True):
            return bool(run.when(lambda state: _value(lambda: holds(rule.condition, evolve(scope, world=state)))))
        case typed.CheckDef(share="each", condition=typed.Binder() as listed):
            return _value(lambda: share_of(listed, scope))
        case typed.CheckDef(share="delivered", condition=typed.Delivered() as condition):
            return _value(lambda: delivered_share(evaluate(condition.subject, scope), contract_of(condition, scope)))
        case typed.CheckDef(share="value"):
            return _value(lambda: evaluate(rule.condition, scope))
    return _value(lambda: holds(rule.condition, scope))


def granted(allowed: typed.Allowed) -> Allowed:
    """What `only changes` allows, as a run reads it."""
    parts = {
        "record": (allowed.record, allowed.id),
        "field": (allowed.record, allowed.id, allowed.field),
        "column": (allowed.store, allowed.field),
    }
    return (allowed.kind, *(str(part) for part in parts.get(allowed.kind, (allowed.store,))))


def _require_reward(task: typed.Task, grader: Grader) -> None:
    if task.reward is None:
        return
    for outcomes in product(OUTCOMES, repeat=3):
        names = dict(zip(("completion", "safety", "robustness"), outcomes, strict=True))
        found, meant = grader.reward(*outcomes), evaluate(task.reward, Scope(variables=names))
        if found != meant:
            raise EmittedCodeError(task.name, "to reward", Disagreement(f"{found} for {meant} of {outcomes}"))


# ---------------------------------------------------------------------------- runs


Script = tuple[Mapping[str, int], Mapping[str, int]]
"""The facts that the user has told, and the events that have happened."""


def _scripts(task: typed.Task) -> tuple[Script, ...]:
    """Nothing of what the user knows and of what may happen; each of it alone; and all."""
    facts, events = (dict.fromkeys(names, 0) for names in (task.user.facts if task.user else (), task.events))
    alone: list[Script] = [({name: 0}, {}) for name in facts]
    alone += [({}, {name: 0}) for name in events]
    return (({}, {}), *alone, (facts, events)) if alone else (({}, {}),)


def _runs(rule: Rule, stage: Stage, base: Base, scripts: tuple[Script, ...]) -> Iterator[Run]:
    seen: set[str] = set()
    for situation in _situations(rule, stage):
        shown = repr(situation)
        if shown not in seen:
            seen.add(shown)
            yield from (run_of(situation, stage.made_up, base, script) for script in scripts)


def _situations(rule: Rule, stage: Stage) -> Iterator[Situation]:
    if isinstance(rule, typed.FrameDef):
        yield from _touched(rule, stage.made_up)
        return
    yield ANY
    yield from explored(rule.condition, stage)


def _touched(frame: typed.FrameDef, made_up: MadeUp) -> Iterator[Situation]:
    """For each thing that may be written, a write of it, and writes beside it."""
    task = made_up.task
    for allowed in frame.allowed:
        if allowed.store is not None:
            yield Situation(records={"new": allowed.store})
        for row in task.rows:
            record = task.stores[row.store].record
            if allowed.store == row.store or (allowed.record == record and row.id == allowed.id):
                fields = [(record, row.id, name) for name in row.fields]
                yield from (Situation(fields={each: made_up.value_of(each, 3)}) for each in fields)
                break


def run_of(situation: Situation, made_up: MadeUp, base: Base, script: Script = ({}, {})) -> Run:
    """A run in which the records lie as they are to lie, from its first call on, and the calls are made."""
    world = World(base)
    tools = {tool.name: tool for tool in made_up.task.tools}
    calls = [Call(0, "", "", None, False, None, done())]
    world.begin(0)
    situation.write(world, made_up)
    world.commit()
    for made in situation.calls:
        tool = tools[made.tool]
        arguments = None if made.arguments is None else full_arguments(tool, made, made_up)
        calls.append(Call(len(calls), tool.wire_name, tool.name, arguments, made.accepted, None, done()))
    world.begin(len(calls))
    said = ("\n".join(situation.said),) if situation.said else ()
    return Run(base.view(), world, calls, said, *script)


def full_arguments(tool: typed.ToolDef, made: MadeCall, made_up: MadeUp) -> dict[str, Any]:
    """Every argument of a call: those that are given, defaults, and whatever else the call must have."""
    given = made.arguments or {}
    return {
        name: plain(given[name]) if name in given else made_up.value(each.type, name) if each.required else each.default
        for name, each in tool.parameters.items()
    }
