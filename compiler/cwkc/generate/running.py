"""All slots of a plan, several at a time: what is asked and decided goes into the journal before anything follows from
it, so that the same command goes on where a kill left it, and pays for no answer twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Lock
from typing import Any

from attrs import frozen

from cwkc.cache import digest_of
from cwkc.generate import twins
from cwkc.generate.asking import Source
from cwkc.generate.checking import Checker, Verdict
from cwkc.generate.faults import Fault
from cwkc.generate.filling import Accept, Ask, Compare, Desk, State, fill
from cwkc.generate.journal import Journal
from cwkc.generate.prompts import Request, Role, system_prompt
from cwkc.generate.shelf import Shelf, attempts_of, faults_by_owner
from cwkc.generate.slots import Plan, Slot
from cwkc.generate.spending import Spending
from cwkc.models import Completion


@frozen
class Options:
    """`likeness`: from which one on, of 100, a task is a near-duplicate. `jobs`: slots at a time."""

    model: str
    attempts: int = 3
    attacked: bool = False
    likeness: float = 75.0
    jobs: int = 4


@frozen
class Outcome:
    """What became of a slot: `accepted`, `set aside`, or `open`, and then `why`. The counts are those of all that was
    asked for it, before and now."""

    slot: str
    status: str
    attempts: dict[str, int]
    faults: dict[str, dict[str, int]]
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        why = {"why": self.why} if self.why else {}
        return {"slot": self.slot, "status": self.status, "attempts": self.attempts, "faults": self.faults, **why}


class Generation:
    """A plan that is being filled."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        shelf: Shelf,
        source: Source,
        spending: Spending,
        options: Options,
        against: Sequence[twins.Known] = (),
    ) -> None:
        self._plan = plan
        self._journal = journal
        self._shelf = shelf
        self._source = source
        self._spending = spending
        self._options = options
        self._against = tuple(against)
        self._others_key = digest_of(options.likeness, [tuple(each) for each in against])
        self._accepting = Lock()
        self._known = {each.name: each for each in self._accepted_before()}

    def run(self, tell: Callable[[Outcome], None]) -> tuple[Outcome, ...]:
        """What became of each slot, in the plan's order; each is told as it ends. An exception that is nobody's fault
        ends all of it, once the answers that are under way have come in."""
        for role in Role:  # what the threads share is made before they begin
            system_prompt(role)
        desk = self._desk(self._ask, self._twins, self._accept)
        outcomes: dict[str, Outcome] = {}
        with ThreadPoolExecutor(self._options.jobs) as pool:
            futures = [pool.submit(self._worked_on, slot, desk) for slot in self._plan.slots]
            try:
                for future in as_completed(futures):
                    outcome = future.result()
                    outcomes[outcome.slot] = outcome
                    tell(outcome)
            except BaseException:
                self._spending.stop("it was interrupted")
                self._source.abort()
                pool.shutdown(cancel_futures=True)
                raise
        return tuple(outcomes[slot.name] for slot in self._plan.slots)

    def next_requests(self) -> Iterator[tuple[Slot, Request | None]]:
        """What would be asked next for each slot; None where nothing would be. Nothing is asked or written."""

        def ask(request: Request) -> Completion:
            known = self._answered(request)
            if known is None:
                raise _Asked(request)
            return known

        def compare(slot: Slot, alone: Verdict) -> tuple[Fault, ...]:
            known = _known(slot, alone)
            kept = self._kept("compared", known)
            return self._twin(known) if kept is None else kept

        desk = self._desk(ask, compare, lambda state, whole: ())
        for slot in self._plan.slots:
            request = None
            if self._accepted(slot) is None:
                try:
                    fill(slot, desk)
                except _Asked as asked:
                    request = asked.request
            yield slot, request

    # ------------------------------------------------------------------------ one slot

    def _worked_on(self, slot: Slot, desk: Desk) -> Outcome:
        try:
            outcome = self._outcome(slot, desk)
        except BaseException:
            self._source.abort()
            raise
        self._source.left()
        return outcome

    def _outcome(self, slot: Slot, desk: Desk) -> Outcome:
        before = self._accepted(slot)
        if before is not None:
            return Outcome(slot.name, "accepted", before["attempts"], before["faults"])
        state = fill(slot, desk)
        if not state.is_accepted and not state.why:
            self._shelf.set_aside(state)
        status = "accepted" if state.is_accepted else "open" if state.why else "set aside"
        return Outcome(slot.name, status, attempts_of(state), faults_by_owner(state), state.why)

    def _accepted(self, slot: Slot) -> dict[str, Any] | None:
        """What the journal says of a slot that is filled, and whose file is there."""
        line = self._journal.find("accepted", slot.name)
        is_there = line is not None and line["digest"] == slot.digest and self._shelf.task_path(slot.name).is_file()
        return line if is_there else None

    # ------------------------------------------------------------------------ what a desk does

    def _desk(self, ask: Ask, compare: Compare, accept: Accept) -> Desk:
        checker, options = Checker(self._shelf.folder, self._plan.files), self._options
        return Desk(options.model, checker, ask, compare, accept, options.attempts, options.attacked)

    def _answered(self, request: Request) -> Completion | None:
        line = self._journal.find("completion", request.key)
        return None if line is None else completion_of(line)

    def _ask(self, request: Request) -> Completion:
        known = self._answered(request)
        if known is not None:
            return known
        self._spending.allow()
        completion = self._source.answer(request)
        facts = {"slot": request.slot, "role": request.role.value, "attempt": request.attempt}
        self._journal.add("completion", request.key, **facts, **completion._asdict())
        self._spending.add(completion)
        return completion

    def _twins(self, slot: Slot, alone: Verdict) -> tuple[Fault, ...]:
        """What it was compared with is not there again after a kill: the journal keeps what came of it."""
        known = _known(slot, alone)
        with self._accepting:
            kept = self._kept("compared", known)
            return self._keep("compared", known, self._twin(known)) if kept is None else kept

    def _accept(self, state: State, whole: Verdict) -> tuple[Fault, ...]:
        """Another slot may have been filled by a like task since this one was compared."""
        slot, known = state.slot, _known(state.slot, whole)
        with self._accepting:
            faults = self._kept("compared at last", known)
            if faults is not None:
                return faults
            faults = self._twin(known)
            if faults:
                return self._keep("compared at last", known, faults)
            self._shelf.put(state)
            counts = {"attempts": attempts_of(state), "faults": faults_by_owner(state)}
            self._journal.add("accepted", slot.name, digest=slot.digest, **counts)
            self._known[slot.name] = known
            return ()

    def _kept(self, kind: str, known: twins.Known) -> tuple[Fault, ...] | None:
        """What came of a comparison, where it was made before."""
        line = self._journal.find(kind, self._comparison(known))
        return None if line is None else tuple(map(Fault.from_json, line["faults"]))

    def _keep(self, kind: str, known: twins.Known, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
        self._journal.add(kind, self._comparison(known), faults=[each.to_json() for each in faults])
        return faults

    def _comparison(self, known: twins.Known) -> str:
        return digest_of(self._others_key, tuple(known))

    def _twin(self, known: twins.Known) -> tuple[Fault, ...]:
        others = (each for name, each in self._known.items() if name != known.name)
        found = twins.twin_of(known, (*self._against, *others), self._options.likeness)
        return () if found is None else (found,)

    def _accepted_before(self) -> Iterator[twins.Known]:
        """The tasks that the folder has already."""
        names = [line["key"] for line in self._journal.all("accepted")]
        paths = [path for name in names if (path := self._shelf.task_path(name)).is_file()]
        return twins.of_files(paths) if paths else iter(())


class _Asked(Exception):
    """A request that nobody has answered yet."""

    def __init__(self, request: Request) -> None:
        self.request = request


def _known(slot: Slot, verdict: Verdict) -> twins.Known:
    assert verdict.task is not None, "it was found right"
    return twins.of_task(verdict.task, slot.name)


def completion_of(line: dict[str, Any]) -> Completion:
    """The completion that a line of the journal holds."""
    return Completion(**{name: line[name] for name in Completion._fields})


def paid_for(journal: Journal) -> Iterable[Completion]:
    """Every completion that a journal holds."""
    return map(completion_of, journal.all("completion"))
