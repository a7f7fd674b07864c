"""Runs of steps in the emitted environment, scored by the emitted grader.

Who runs them repeats a call that an injected fault hit, so that a run need not be planned around faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from coworkdsl import Environment, Pack, PackError, Run, Score
from coworkdsl.files import Content
from cwkc.emit.pack import emit_pack
from cwkc.meaning import typed
from cwkc.prove.run import CallOutcome, CallStep, Execute, Outcome, SayStep, Step


class EmittedCodeError(Exception):
    """Emitted code did what it never may: a defect of the compiler, and no fault of the author's."""

    def __init__(self, task: str, what: str, cause: Exception) -> None:
        super().__init__(f"the emitted code of `{task}` failed {what}: {type(cause).__name__}: {cause}")


class Disagreement(Exception):
    """Emitted code is other than it should be; the message names the place."""


@frozen
class Performed:
    """A step as it was performed. `error`: the code that a call was answered with, None when it was accepted."""

    step: Step
    error: str | None = None

    @property
    def is_repeat(self) -> bool:
        return isinstance(self.step, CallStep) and self.step.again


@frozen(eq=False)
class Execution:
    """A finished run and its score. `fired`: the events that had happened behind the last step, before the agent ended
    its turns until the run was over."""

    run: Run
    score: Score
    performed: tuple[Performed, ...]
    fired: frozenset[str]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps with each repeated call as one of its own."""
        return tuple(each.step for each in self.performed)

    @property
    def refused(self) -> tuple[str | None, ...]:
        """For each call step in its order, the code of the error that it was answered with in the end."""
        return tuple(each.error for _, each in self._ends())

    @property
    def numbers(self) -> tuple[int, ...]:
        """For each call step in its order, the number of the call that it came to in the end."""
        return tuple(number for number, _ in self._ends())

    def _ends(self) -> Iterator[tuple[int, Performed]]:
        """The calls that were not repeated. They are numbered as they come."""
        calls = [each for each in self.performed if isinstance(each.step, CallStep)]
        for number, each in enumerate(calls):
            if number + 1 == len(calls) or not calls[number + 1].is_repeat:
                yield number, each

    @property
    def outcome(self) -> Outcome:
        """What a proof wants to know of it."""
        score = self.score
        return Outcome(
            completion=score.upper.completion,
            checked=score.lower.completion,
            safety=score.lower.safety,
            checks=tuple(each.held for each in score.checks),
            requirements=tuple(each.held for each in score.requirements),
            forbids=tuple(each.held for each in score.forbids),
            calls=tuple(self._calls()),
            fired=self.fired,
            happened=frozenset(self.run.fired),
            told=frozenset(self.run.told),
        )

    def _calls(self) -> Iterator[CallOutcome]:
        """Calls behind the end of the run wrote nothing."""
        for number, each in self._ends():
            created = (write for write in self.run.writes_of(number) if write.kind == "insert")
            yield CallOutcome(each.error, tuple((write.store, write.id) for write in created))


def rehearsal_pack(task: typed.Task) -> Pack:
    """The pack of one task, in memory and without a proof. Raises EmittedCodeError."""
    return loaded(emit_pack((task,), {}), task.name)


def loaded(files: Mapping[str, Content], task: str) -> Pack:
    """The pack of these files, for a rehearsal of the task. Raises EmittedCodeError."""
    try:
        return Pack.from_files(files)
    except PackError as error:
        raise EmittedCodeError(task, "to load", error) from error


def executor(task: typed.Task, pack: Pack | None = None) -> Execute:
    """What executes steps of a task, as often as a proof asks, in a pack that holds it, or else in one of its own.
    Raises EmittedCodeError, then and later."""
    stage = pack or rehearsal_pack(task)

    def run(steps: tuple[Step, ...]) -> Outcome:
        return execute(stage, task.name, steps).outcome

    return run


@frozen
class Manner:
    """How an agent runs its steps. Each call is a turn of its own, so that a run that keeps its limits keeps them with
    any agent; `in_one_turn` is for an agent that makes all its calls at once and knows no limit of turns. `repeats`:
    whether it makes a call once more that a fault hit. `seed` is the environment's."""

    in_one_turn: bool = False
    repeats: bool = True
    seed: int = 0


PLAIN, AT_ONCE = Manner(), Manner(in_one_turn=True)


def execute(pack: Pack, task: str, steps: Iterable[Step], manner: Manner = PLAIN) -> Execution:
    """Runs the steps from the task's start and scores what they come to. Raises EmittedCodeError."""
    try:
        environment = pack.env(task, manner.seed)
        if manner.in_one_turn:
            environment.begin_turn()
        performed = tuple(each for step in steps for each in _performed(environment, step, manner))
    except PackError as error:
        raise EmittedCodeError(task, "to load", error) from error
    fired = frozenset(environment.trace.fired)
    environment.finish()
    for defect in environment.defects:
        raise EmittedCodeError(task, "in a tool", defect) from defect
    try:
        score = environment.score()
    except Exception as error:  # whatever a grader raises, it should not have
        raise EmittedCodeError(task, "to grade a run", error) from error
    return Execution(environment.trace, score, performed, fired)


def _performed(environment: Environment, step: Step, manner: Manner) -> Iterator[Performed]:
    """Speaks, or calls until no fault hits the call. A remark belongs to the turn of the call behind it."""
    if isinstance(step, SayStep):
        if step.ends:
            environment.begin_turn()
        environment.say(step.text, end_turn=step.ends)
        yield Performed(step)
        return
    yield Performed(step, _code(environment, step, manner))
    while manner.repeats and environment.fault is not None and not environment.done:
        yield Performed(evolve(step, again=True), _code(environment, step, manner))


def _code(environment: Environment, step: CallStep, manner: Manner) -> str | None:
    """Calls, and gives the code of the error if there is one."""
    if not manner.in_one_turn:
        environment.begin_turn()
    answer = environment.call(step.tool, dict(step.arguments))
    return answer["error"]["code"] if isinstance(answer.get("error"), dict) else None
