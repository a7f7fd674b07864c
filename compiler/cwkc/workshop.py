"""Who answers the questions about tasks: memory, this process, or several processes beside one another.

The answers and their order are the same whoever gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, report

if TYPE_CHECKING:
    from coworkdsl import Pack
    from cwkc.cache import Store
    from cwkc.meaning import typed
    from cwkc.prove import Proof
    from cwkc.workers import Workers


@frozen(eq=False)
class Answer:
    """`proof` is None where the compiler has a defect, or its process was lost."""

    proof: Proof | None
    diagnostics: tuple[Diagnostic, ...]


Work = Callable[..., Answer]
"""Answers a question about a task in a pack: a function at the top of a module, called with the pack, the task and the
question's arguments."""


@frozen(eq=False)
class Question:
    """`key`: a digest of everything that the answer depends on, except the compiler. `doing` says in words what answers
    it."""

    key: str
    doing: str
    task: typed.Task
    arguments: tuple[Any, ...] = ()


@frozen(eq=False)
class Workshop:
    """`store` remembers answers, if there is one; the others are worked out by so many processes beside one another.

    Leaving it as a context ends the processes.
    """

    store: Store | None = None
    jobs: int = 1
    _started: list[Workers] = field(factory=list, init=False)

    def answers(
        self, work: Work, pack: Pack, questions: Sequence[Question], tell: Callable[[str], None]
    ) -> tuple[Answer, ...]:
        """The answers in the order of the questions."""
        answers = {place: kept for place, each in enumerate(questions) if (kept := self._kept(each)) is not None}
        asked = {place: each for place, each in enumerate(questions) if place not in answers}
        for place, answer in self._worked_out(work, pack, asked, tell):
            answers[place] = answer
            if self.store is not None and answer.proof is not None:
                self.store.put(self._address(asked[place]), answer)
        return tuple(answers[place] for place in range(len(questions)))

    def _worked_out(
        self, work: Work, pack: Pack, asked: dict[int, Question], tell: Callable[[str], None]
    ) -> Iterator[tuple[int, Answer]]:
        if min(self.jobs, len(asked)) > 1:
            yield from self._workers().answers(work, pack, asked, tell)
            return
        for place, question in asked.items():
            tell(question.doing)
            yield place, work(pack, question.task, *question.arguments)

    def _workers(self) -> Workers:
        from cwkc.workers import Workers

        if not self._started:
            self._started.append(Workers(self.jobs))
        return self._started[0]

    def _kept(self, question: Question) -> Answer | None:
        if self.store is None:
            return None
        kept: Answer | None = self.store.get(self._address(question))
        return kept

    def _address(self, question: Question) -> str:
        from cwkc.cache import digest_of, fingerprint

        return digest_of(fingerprint(), question.key)

    def __enter__(self) -> Workshop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._started:
            self._started.pop().close()


def lost(question: Question, how: str) -> Answer:
    """The answer to a question whose process ended before it was done."""
    return Answer(None, (report("E013", question.task.span, task=question.task.name, how=how),))
