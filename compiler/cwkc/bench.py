"""What is done with one task, and with what: proving and rehearsing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from attrs import frozen

from coworkdsl import Pack
from cwkc.cache import digest_of
from cwkc.diagnostics import report
from cwkc.flow import follow
from cwkc.meaning import typed
from cwkc.prove import Proof, prove
from cwkc.rehearse import EmittedCodeError, executor, rehearse
from cwkc.workshop import Answer, Question, Work, Workshop

AT_ONCE = 40
"""How many questions are known at a time: there may be thousands, and a task takes memory."""


@frozen(eq=False)
class Subject:
    """A task, and the folder where the pack has it; that of a family has its members, each with a `row` of its own."""

    task: typed.Task
    folder: str
    row: str = ""


@frozen(eq=False)
class Bench:
    """`keys`: by a folder of the pack, a digest of everything that answers about its tasks depend on, but for the row;
    `budget`: the solver's steps for each question; `tell` is told what is being done, in words."""

    pack: Pack
    keys: Mapping[str, str]
    budget: int
    workshop: Workshop
    tell: Callable[[str], None]

    def proofs(self, subjects: Iterable[Subject]) -> Iterator[Answer]:
        """In the order of the tasks, the proof of each and what is wrong with it."""
        return self._answers(prove_one, (self._question("proving", each, self.budget) for each in subjects))

    def rehearsals(self, proved: Iterable[tuple[Subject, Proof]]) -> Iterator[Answer]:
        """In the order of the tasks, the proof of each with what was executed, and what is wrong with it."""
        return self._answers(rehearse_one, (self._question("rehearsing", each, proof) for each, proof in proved))

    def _question(self, doing: str, subject: Subject, argument: Any) -> Question:
        name = subject.task.name
        key = digest_of(self.keys[subject.folder], name, subject.row, self.budget, doing)
        return Question(key, f"{doing} {name}", subject.task, (argument,))

    def _answers(self, work: Work, questions: Iterator[Question]) -> Iterator[Answer]:
        while some := list(islice(questions, AT_ONCE)):
            yield from self.workshop.answers(work, self.pack, some, self.tell)


def prove_one(pack: Pack, task: typed.Task, budget: int) -> Answer:
    """The proof of a task, and what is wrong with it."""
    try:
        proof = prove(task, executor(task, pack), budget).joined(follow(task))
    except EmittedCodeError as error:
        return _defective(task, error)
    return Answer(proof, proof.diagnostics)


def rehearse_one(pack: Pack, task: typed.Task, proof: Proof) -> Answer:
    """The proof with what was executed, and what is wrong with the task."""
    try:
        rehearsal = rehearse(task, pack, proof.witness, proof.violations)
    except EmittedCodeError as error:
        return _defective(task, error)
    return Answer(rehearsal.completing(proof), rehearsal.diagnostics)


def _defective(task: typed.Task, error: EmittedCodeError) -> Answer:
    return Answer(None, (report("E439", task.span, task=task.name, error=error),))
