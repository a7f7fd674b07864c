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
from cwkc.meaning.families import Family, Member
from cwkc.prove import Proof, prove
from cwkc.rehearse import EmittedCodeError, executor, rehearse
from cwkc.source import Span
from cwkc.workshop import Answer, Question, Work, Workshop

AT_ONCE = 40
"""How many questions are known at a time: there may be thousands, and a task takes memory."""


@frozen(eq=False)
class Shared:
    """What all questions about the tasks of a pack have in common; or about the members of one family in it."""

    pack: Pack
    family: Family | None = None

    def task(self, subject: typed.Task | Member) -> typed.Task:
        """The task that is asked about; a member is checked again, which costs less than to send its task."""
        if isinstance(subject, typed.Task):
            return subject
        assert self.family is not None, "it has this member"
        task, _ = self.family.check(subject)
        assert task is not None, "its members were checked before"
        return task


@frozen(eq=False)
class Subject:
    """A task, or a member of a family, and the folder where the pack has it. A member has a `row` of its own there."""

    task: typed.Task | Member
    name: str
    span: Span
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

    def proofs(self, subjects: Iterable[Subject], shared: Shared) -> Iterator[Answer]:
        """In the order of the subjects, the proof of each and what is wrong with it."""
        return self._answers(prove_one, shared, (self._question("proving", each, self.budget) for each in subjects))

    def rehearsals(self, proved: Iterable[tuple[Subject, Proof]], shared: Shared) -> Iterator[Answer]:
        """In the order of the subjects, the proof of each with what was executed, and what is wrong with it."""
        questions = (self._question("rehearsing", each, proof) for each, proof in proved)
        return self._answers(rehearse_one, shared, questions)

    def _question(self, doing: str, subject: Subject, argument: Any) -> Question:
        name = subject.name
        key = digest_of(self.keys[subject.folder], name, subject.row, self.budget, doing)
        return Question(f"{doing} {name}", name, subject.span, (subject.task, argument), key)

    def _answers(self, work: Work, shared: Shared, questions: Iterator[Question]) -> Iterator[Answer]:
        while some := list(islice(questions, AT_ONCE)):
            yield from self.workshop.answers(work, shared, some, self.tell)


def prove_one(shared: Shared, subject: typed.Task | Member, budget: int) -> Answer:
    """The proof of a task, and what is wrong with it."""
    task = shared.task(subject)
    try:
        proof = prove(task, executor(task, shared.pack), budget).joined(follow(task))
    except EmittedCodeError as error:
        return _defective(task, error)
    return Answer(proof, proof.diagnostics)


def rehearse_one(shared: Shared, subject: typed.Task | Member, proof: Proof) -> Answer:
    """The proof with what was executed, and what is wrong with the task."""
    task = shared.task(subject)
    try:
        rehearsal = rehearse(task, shared.pack, proof.witness, proof.violations)
    except EmittedCodeError as error:
        return _defective(task, error)
    return Answer(rehearsal.completing(proof), rehearsal.diagnostics)


def _defective(task: typed.Task, error: EmittedCodeError) -> Answer:
    return Answer(None, (report("E439", task.span, task=task.name, error=error),))
