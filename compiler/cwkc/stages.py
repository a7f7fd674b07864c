"""The later stages of the pipeline: each for all tasks, from one value to the next plus diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from coworkdsl import Pack
from cwkc.cache import digest_of
from cwkc.diagnostics import Diagnostic, report
from cwkc.dump import dump
from cwkc.emit import emit_services, emit_task
from cwkc.flow import follow
from cwkc.meaning import typed
from cwkc.prove import Proof, prove
from cwkc.rehearse import EmittedCodeError, executor, rehearse
from cwkc.workshop import Answer, Question, Work, Workshop

Proofs = Mapping[str, Proof]


@frozen(eq=False)
class Bench:
    """What the stages work with. `keys`: by a task's name, a digest of everything that answers about it depend on;
    `budget`: the solver's steps for each question; `tell` is told what is being done, in words."""

    pack: Pack
    keys: Mapping[str, str]
    budget: int
    workshop: Workshop
    tell: Callable[[str], None]

    def question(self, doing: str, task: typed.Task, *arguments: Any) -> Question:
        key = digest_of(self.keys[task.name], self.budget, doing)
        return Question(key, f"{doing} {task.name}", task, arguments)

    def answers(self, work: Work, questions: Sequence[Question]) -> tuple[Proofs, tuple[Diagnostic, ...]]:
        """The proofs that there are, by the task's name, and what is wrong with the tasks."""
        answers = self.workshop.answers(work, self.pack, questions, self.tell)
        pairs = zip(questions, answers, strict=True)
        proofs = {question.task.name: answer.proof for question, answer in pairs if answer.proof is not None}
        return proofs, tuple(diagnostic for answer in answers for diagnostic in answer.diagnostics)


def prove_all(tasks: Sequence[typed.Task], bench: Bench) -> tuple[Proofs, tuple[Diagnostic, ...]]:
    """The proof of each task, by name, and what is wrong with the tasks."""
    return bench.answers(prove_one, [bench.question("proving", task, bench.budget) for task in tasks])


def prove_one(pack: Pack, task: typed.Task, budget: int) -> Answer:
    """The proof of a task, and what is wrong with it."""
    try:
        proof = prove(task, executor(task, pack), budget).joined(follow(task))
    except EmittedCodeError as error:
        return Answer(None, (report("E439", task.span, task=task.name, error=error),))
    return Answer(proof, proof.diagnostics)


def rehearse_all(tasks: Sequence[typed.Task], proofs: Proofs, bench: Bench) -> tuple[Proofs, tuple[Diagnostic, ...]]:
    """The proofs with what was executed in the finished pack, and what is wrong with the tasks."""
    completed, found = bench.answers(
        rehearse_one, [bench.question("rehearsing", task, proofs[task.name]) for task in tasks]
    )
    return {**proofs, **completed}, found


def rehearse_one(pack: Pack, task: typed.Task, proof: Proof) -> Answer:
    """The proof with what was executed, and what is wrong with the task."""
    try:
        rehearsal = rehearse(task, pack, proof.witness, proof.violations)
    except EmittedCodeError as error:
        return Answer(None, (report("E439", task.span, task=task.name, error=error),))
    return Answer(rehearsal.completing(proof), rehearsal.diagnostics)


def text_of(stage: str, task: typed.Task) -> str:
    """A task as a stage sees it: `typed`, `terms` or `python`."""
    if stage == "typed":
        return dump(task)
    if stage == "terms":
        return prove(task, executor(task)).text
    files = {**emit_services((task,)), **emit_task(task, None)}
    texts = ((path, text) for path, text in files.items() if isinstance(text, str) and path.endswith(".py"))
    return "\n".join(f"# {path}\n{text}" for path, text in texts)
