"""Who answers questions, most of them about tasks: memory, this process, or several processes beside one another.

The answers and their order are the same whoever gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Span

if TYPE_CHECKING:
    from cwkc.cache import Store
    from cwkc.prove import Proof
    from cwkc.workers import Workers


@frozen(eq=False)
class Answer:
    """`proof` is None where the compiler has a defect, or its process was lost."""

    proof: Proof | None
    diagnostics: tuple[Diagnostic, ...]


Work = Callable[..., Any]
"""Answers a question: a function at the top of a module, called with what all questions share and with the question's
arguments."""


@frozen(eq=False)
class Question:
    """`doing` says in words what answers it, `name` and `span` whom it is about; `key` is a digest of everything that
    the answer depends on, except the compiler: only what has one can be remembered."""

    doing: str
    name: str
    span: Span
    arguments: tuple[Any, ...]
    key: str = ""


@frozen
class Lost:
    """What there is in place of an answer where its process ended before; `how` says it in words."""

    how: str

    def told(self, question: Question) -> Diagnostic:
        return report("E013", question.span, task=question.name, how=self.how)


class LostError(Exception):
    """A process ended before its answer was there."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@frozen(eq=False)
class Workshop:
    """`store` remembers answers, if there is one; the others are worked out by so many processes beside one another.

    Leaving it as a context ends the processes.
    """

    store: Store | None = None
    jobs: int = 1
    _started: list[Workers] = field(factory=list, init=False)

    def answers(
        self, work: Work, shared: Any, questions: Sequence[Question], tell: Callable[[str], None]
    ) -> tuple[Answer, ...]:
        """The answers about tasks, in the order of the questions."""
        answers = {place: kept for place, each in enumerate(questions) if (kept := self._kept(each)) is not None}
        asked = {place: each for place, each in enumerate(questions) if place not in answers}
        for place, found in self._worked_out(work, shared, asked, tell):
            question = asked[place]
            answer = Answer(None, (found.told(question),)) if isinstance(found, Lost) else found
            answers[place] = answer
            if self.store is not None and answer.proof is not None:
                self.store.put(self._address(question), answer)
        return tuple(answers[place] for place in range(len(questions)))

    def results(
        self, work: Work, shared: Any, questions: Sequence[Question], tell: Callable[[str], None]
    ) -> tuple[Any, ...]:
        """What `work` returns, in the order of the questions; nothing of it is remembered. Raises LostError."""
        results = dict(self._worked_out(work, shared, dict(enumerate(questions)), tell))
        for place, result in results.items():
            if isinstance(result, Lost):
                raise LostError(result.told(questions[place]))
        return tuple(results[place] for place in range(len(questions)))

    def _worked_out(
        self, work: Work, shared: Any, asked: dict[int, Question], tell: Callable[[str], None]
    ) -> Iterator[tuple[int, Any]]:
        if min(self.jobs, len(asked)) > 1:
            yield from self._workers().answers(work, shared, asked, tell)
            return
        for place, question in asked.items():
            tell(question.doing)
            yield place, work(shared, *question.arguments)

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
