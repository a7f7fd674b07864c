"""One slot: who is asked next, and what comes of the answer, until the task holds or the attempts are used up.

The writer gives the task, the verifier its grading. What is found goes back to its owner. Every prompt follows from the
slot and the answers before it, so that a slot that is begun again asks for the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from cwkc.generate import attack, prompts
from cwkc.generate.answers import read_attempt, read_file
from cwkc.generate.checking import Checker, Verdict
from cwkc.generate.faults import Fault
from cwkc.generate.halves import joined, laid_out
from cwkc.generate.owners import Owner
from cwkc.generate.prompts import Request, Role
from cwkc.generate.slots import Slot
from cwkc.generate.spending import Stopped
from cwkc.models import Completion, ModelError

Ask = Callable[[Request], Completion]
Compare = Callable[[Slot, Verdict], tuple[Fault, ...]]
Accept = Callable[["State", Verdict], tuple[Fault, ...]]


@frozen(eq=False)
class Desk:
    """What slots have in common. `ask` gets a completion; `compare` compares a task with others; `accept` takes a file,
    unless the task has become a twin of another meanwhile. `attempts`: of each role, for each slot."""

    model: str
    checker: Checker
    ask: Ask
    compare: Compare
    accept: Accept
    attempts: int
    attacked: bool


@frozen
class State:
    """The drafts of a slot, and what is wrong with them. `said`: the last answer of each role. `found`: every fault up
    to here, by owner and name. `why` it was left open, if it was."""

    slot: Slot
    task: str | None = None
    grade: str | None = None
    faults: tuple[Fault, ...] = ()
    attempts: Mapping[Role, int] = field(factory=dict)
    said: Mapping[Role, str] = field(factory=dict)
    found: Mapping[tuple[str, str], int] = field(factory=dict)
    is_accepted: bool = False
    why: str = ""

    @property
    def turn(self) -> Role:
        """Who is to be asked next: of the faults, the writer's errors come first, since a grading is right only for a
        task that is, and the writer's warnings last, since they tell of what no grading uses."""
        if self.task is None:
            return Role.WRITER
        waiting = {(each.owner, each.is_error) for each in self.faults}
        if (Owner.WRITER, True) in waiting:
            return Role.WRITER
        is_writers = waiting == {(Owner.WRITER, False)}
        return Role.WRITER if is_writers else Role.VERIFIER

    @property
    def is_beyond_mending(self) -> bool:
        return any(each.owner is Owner.COMPILER for each in self.faults)

    @property
    def text(self) -> str:
        """The file as far as it goes."""
        return laid_out(joined(self.task or "", self.grade or ""))


def fill(slot: Slot, desk: Desk) -> State:
    """The slot with an accepted task, or with the last drafts and what is wrong with them. Where a model gives no
    answer, or none may be asked any more, it is left open: another call goes on from there."""
    state = State(slot)
    while not state.is_accepted and not state.is_beyond_mending and state.attempts.get(state.turn, 0) < desk.attempts:
        try:
            state = _judged(_answered(state, desk), desk)
        except (ModelError, Stopped) as ended:
            return evolve(state, why=str(ended))
    return state


def _answered(state: State, desk: Desk) -> State:
    """With the next answer of whoever's turn it is."""
    role = state.turn
    attempt = state.attempts.get(role, 0) + 1
    completion = desk.ask(_request(state, role, attempt, desk.model))
    owner = Owner(role.value)
    answer = read_file(completion, owner)
    state = evolve(state, attempts={**state.attempts, role: attempt})
    if isinstance(answer, Fault):
        others = tuple(each for each in state.faults if each.owner is not owner)
        said = {**state.said, role: completion.text}
        return _with_faults(evolve(state, said=said), (answer,), others)
    state = evolve(state, faults=(), said={**state.said, role: prompts.fenced(answer)})
    return evolve(state, task=answer) if role is Role.WRITER else evolve(state, grade=answer)


def _request(state: State, role: Role, attempt: int, model: str) -> Request:
    owner = Owner(role.value)
    own = tuple(each for each in state.faults if each.owner is owner)
    if role is Role.WRITER:
        first = prompts.writer_request(state.slot)
    else:
        first = prompts.verifier_request(state.slot, state.task or "")
    again = prompts.repair(state.said[role], own) if role in state.said else ()
    return Request(model, state.slot.name, role, attempt, prompts.system_prompt(role), (first, *again))


def _judged(state: State, desk: Desk) -> State:
    """With what is wrong with the drafts as they are, or accepted."""
    if state.faults or state.task is None:
        return state
    alone = desk.checker.task_alone(state.slot, state.task)
    faults = alone.faults or desk.compare(state.slot, alone)
    if faults or state.grade is None:
        return _with_faults(state, faults)
    whole = desk.checker.whole(state.slot, state.task, state.grade)
    faults = whole.faults or (_attacked(state, whole, desk) if desk.attacked else ()) or desk.accept(state, whole)
    return _with_faults(state, faults) if faults else evolve(state, is_accepted=True)


def _attacked(state: State, whole: Verdict, desk: Desk) -> tuple[Fault, ...]:
    """The fault of a grading that pays for a run which was decided on before anything was read."""
    assert whole.task is not None, "it was built"
    assert whole.pack is not None, "it was built"
    told = whole.pack.task(state.slot.name)
    message = prompts.attacker_request(told.request, told.tools(), attack.labels(whole.task))
    number, system = state.attempts.get(Role.VERIFIER, 0), prompts.system_prompt(Role.ATTACKER)
    completion = desk.ask(Request(desk.model, state.slot.name, Role.ATTACKER, number, system, (message,)))
    attempt = read_attempt(completion.text)
    if attempt is None or not attack.earns_everything(whole.pack, state.slot.name, attempt):
        return ()
    return (attack.fault_of(attempt),)


def _with_faults(state: State, faults: tuple[Fault, ...], others: tuple[Fault, ...] = ()) -> State:
    """With faults that were found, and others that are known already."""
    found = Counter(state.found) + Counter((each.owner.value, each.name) for each in faults)
    return evolve(state, faults=(*others, *faults), found=dict(found))
