"""Runs of steps in the emitted environment, scored by the emitted grader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from coworkdsl import Environment, Pack, PackError, Run, Score
from cwkc.emit.pack import emit_pack
from cwkc.meaning import typed
from cwkc.prove.run import CallOutcome, CallStep, Execute, Outcome, SayStep, Step


class EmittedCodeError(Exception):
    """Emitted code did what it never may: a defect of the compiler, and no fault of the author's."""

    def __init__(self, task: str, what: str, cause: Exception) -> None:
        super().__init__(f"the emitted code of `{task}` failed {what}: {type(cause).__name__}: {cause}")


class Disagreement(Exception):
    """Emitted code is other than it should be; the message names the place."""


@frozen(eq=False)
class Execution:
    """A finished run and its score. `refused`: for each call step in its order, the code of the error that it was
    answered with, None when it was accepted."""

    run: Run
    score: Score
    refused: tuple[str | None, ...]

    @property
    def outcome(self) -> Outcome:
        """What a proof wants to know of it."""
        score = self.score
        return Outcome(
            completion=score.exact.completion,
            safety=score.exact.safety,
            checks=tuple(each.held for each in score.checks),
            requirements=tuple(each.held for each in score.requirements),
            forbids=tuple(each.held for each in score.forbids),
            calls=tuple(self._calls()),
        )

    def _calls(self) -> Iterator[CallOutcome]:
        """Calls are numbered as they come; those behind the end of the run wrote nothing."""
        for index, error in enumerate(self.refused):
            created = (write for write in self.run.writes if write.call == index and write.kind == "insert")
            yield CallOutcome(error, tuple((write.store, write.id) for write in created))


def rehearsal_pack(task: typed.Task) -> Pack:
    """The pack of one task, in memory and without a proof. Raises EmittedCodeError."""
    return loaded(emit_pack((task,), {}), task.name)


def loaded(files: Mapping[str, str], task: str) -> Pack:
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


def execute(pack: Pack, task: str, steps: Iterable[Step], in_one_turn: bool = False) -> Execution:
    """Runs the steps from the task's start and scores what they come to. Raises EmittedCodeError.

    Each call is a turn of its own, so that a run that keeps its limits here keeps them with any agent; `in_one_turn`
    is for an agent that makes all its calls at once and knows no limit of turns.
    """
    try:
        environment = pack.env(task)
        if in_one_turn:
            environment.begin_turn()
        refused = tuple(_code(environment, step, in_one_turn) for step in steps if not _spoken(environment, step))
    except PackError as error:
        raise EmittedCodeError(task, "to load", error) from error
    for defect in environment.defects:
        raise EmittedCodeError(task, "in a tool", defect) from defect
    try:
        score = environment.score()
    except Exception as error:  # whatever a grader raises, it should not have
        raise EmittedCodeError(task, "to grade a run", error) from error
    return Execution(environment.trace, score, refused)


def _spoken(environment: Environment, step: Step) -> bool:
    """Speaks, if that is the step. A remark belongs to the turn of the call behind it."""
    if not isinstance(step, SayStep):
        return False
    if step.ends:
        environment.begin_turn()
    environment.say(step.text, end_turn=step.ends)
    return True


def _code(environment: Environment, step: Step, in_one_turn: bool) -> str | None:
    """Calls, and gives the code of the error if there is one."""
    assert isinstance(step, CallStep), "a step that is not spoken is a call"
    if not in_one_turn:
        environment.begin_turn()
    answer = environment.call(step.tool, dict(step.arguments))
    return answer["error"]["code"] if isinstance(answer.get("error"), dict) else None
