"""Mutants of the run that earns everything: what an agent does that is wrong in one thing.

A mutant is one thing that must not go unnoticed, and the runs in which it is done. Where there are several, such as the
other values of an argument, one that is noticed will do: a check may accept more than one value on purpose, but a check
that accepts any value reads the argument in vain. The run is minimal, so that each of its steps is there for something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import field, frozen

from coworkdsl.text import contains
from cwkc.meaning import typed
from cwkc.meaning.evaluator import Scope, matching_calls
from cwkc.meaning.walk import walk
from cwkc.prove.run import CallStep, SayStep, Step
from cwkc.prove.witness import SEPARATOR
from cwkc.rehearse.execute import PLAIN, Execution, Manner
from cwkc.rehearse.readings import Readings, demands
from cwkc.rehearse.samples import Samples
from cwkc.rehearse.trials import Steps, shown_step


def _always(execution: Execution) -> bool:
    return True


@frozen(eq=False)
class Mutant:
    """`what` was done, in words; `rules`: the numbers of those that should notice it. A run in which the thing was not
    done after all, because a call of it was refused, does not count: `is_done` tells. `manner`: how it runs."""

    kind: str
    what: str
    runs: Sequence[Steps]
    rules: tuple[int, ...]
    is_done: Callable[[Execution], bool] = _always
    manner: Manner = PLAIN


@frozen(eq=False)
class Original:
    """The run that earns everything, and what is known of the task."""

    task: typed.Task
    steps: Steps
    execution: Execution
    readings: Readings
    samples: Samples
    tools: dict[str, typed.ToolDef] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "tools", {tool.wire_name: tool for tool in self.task.tools})

    def without(self, index: int) -> Steps:
        return self.steps[:index] + self.steps[index + 1 :]

    def replacing(self, index: int, step: Step) -> Steps:
        return (*self.steps[:index], step, *self.steps[index + 1 :])

    def adding(self, *steps: Step) -> Steps:
        """More calls at the end, before the answer."""
        place = len(self.steps)
        if self.steps and isinstance(self.steps[-1], SayStep) and self.steps[-1].ends:
            place -= 1
        return (*self.steps[:place], *steps, *self.steps[place:])

    def call_number(self, index: int) -> int:
        """The number of the call that a step comes to."""
        return self.execution.numbers[sum(isinstance(step, CallStep) for step in self.steps[:index])]

    def writes(self, index: int) -> bool:
        number = self.call_number(index)
        return bool(self.execution.run.writes_of(number))


# ---------------------------------------------------------------------------- steps left out


def dropped(original: Original) -> Iterator[Mutant]:
    """Without a write, a call that a check or a requirement names, or a message; one that only waits says nothing."""
    for index, step in enumerate(original.steps):
        if isinstance(step, SayStep):
            if step.only_waits:
                continue
            found = tuple(reading.rule for reading in original.readings.of_words(step.ends) if reading.is_asked)
            kind = "dropped answer"
        elif original.writes(index):
            found, kind = (), "dropped write"
        else:
            found, kind = tuple(_naming(original.task, original.tools[step.tool].name)), "dropped call"
            if not found:
                continue
        yield Mutant(kind, f"without {shown_step(step)}", (original.without(index),), found)


def _naming(task: typed.Task, tool: str) -> Iterator[int]:
    """The checks and requirements that name a tool."""
    for number, rule in enumerate(demands(task)):
        if any(isinstance(part, typed.CallFact) and part.tool == tool for part in walk(rule.condition)):
            yield number


# ---------------------------------------------------------------------------- steps in another order


def reversed_order(original: Original) -> Iterator[Mutant]:
    """For each `A before B`: B first. Where the calls depend on a variable, nothing is known of them beforehand."""
    for number, rule in enumerate(demands(original.task)):
        for part in walk(rule.condition):
            if isinstance(part, typed.Before):
                yield from _reversed(original, part, number)


def _reversed(original: Original, order: typed.Before, rule: int) -> Iterator[Mutant]:
    firsts, seconds = (_steps_of(original, fact) for fact in (order.first, order.second))
    if not firsts or not seconds or firsts & seconds:
        return
    moved = tuple(step for index, step in enumerate(original.steps) if index in seconds)
    rest = [step for index, step in enumerate(original.steps) if index not in seconds]
    place = min(firsts) - sum(index < min(firsts) for index in seconds)
    what = f"{shown_step(moved[0])} before {shown_step(original.steps[min(firsts)])}"
    yield Mutant("reversed order", what, ((*rest[:place], *moved, *rest[place:]),), (rule,))


def _steps_of(original: Original, fact: typed.CallFact) -> frozenset[int]:
    """The steps that a fact speaks of; none when it has a variable of a binder around it."""
    if any(isinstance(part, typed.Variable) and part.kind == "bound" for part in walk(fact)):
        return frozenset()
    run = original.execution.run
    scope = Scope(run.final, run.start, run, original.task.now, original.readings.start.truths)
    numbers = set(matching_calls(fact, scope))
    return frozenset(
        index
        for index, step in enumerate(original.steps)
        if isinstance(step, CallStep) and original.call_number(index) in numbers
    )


# ---------------------------------------------------------------------------- steps too many


def _is_message(step: Step) -> bool:
    return isinstance(step, SayStep) and step.ends and step.text != ""


def dumped(original: Original, everything: Callable[[], str]) -> Iterator[Mutant]:
    """Everything that can be read, in the place of those parts of the answer that are among it: an agent that does not
    choose. What stands nowhere has been worked out, and stays; where all of the answer has, nothing is gained. What is
    said before the last message is no answer, and counts where a rule reads all that was said."""
    answer = max((index for index, step in enumerate(original.steps) if _is_message(step)), default=None)
    for index, step in enumerate(original.steps):
        asked = [reading.rule for reading in original.readings.of_words(index == answer) if reading.is_asked]
        if isinstance(step, SayStep) and step.ends and asked:
            dump = everything()
            pieces = step.text.split(SEPARATOR)
            worked_out = [piece for piece in pieces if not contains(dump, piece)]
            if len(worked_out) < len(pieces):
                said = SayStep("\n".join((SEPARATOR.join(worked_out), dump)), ends=True)
                what = "an answer with everything that can be read"
                yield Mutant("dumped answer", what, (original.replacing(index, said),), tuple(asked))
