"""Families through the pipeline: the members are checked one by one, written as rows, proved and rehearsed.

Only rows and proofs are kept, never the typed tasks of all members: a member that is needed again is checked again.
Of a family with many members not every one is given to the solver. Those whose question to the solver is the same text
share its answer, and of each of the others the run that earns everything is made from another member's, and executed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from coworkdsl import Pack
from cwkc.bench import Bench, Subject
from cwkc.diagnostics import Diagnostic, has_errors, report
from cwkc.emit import BuiltFamily, Form, OtherForm, member_row, with_witness
from cwkc.flow import follow_values
from cwkc.keys import family_folder
from cwkc.meaning import typed
from cwkc.meaning.families import Family, Findings, Member, Sampling, chosen, place_of
from cwkc.prove import Proof, Step, Theorem, shape, survey, written_step
from cwkc.prove.theorems import Established
from cwkc.rehearse import adapted, execute

Tell = Callable[[str], None]

PROVED = 200
"""So many members of a family, at most, are given to the solver one by one."""

MOST_FAILING = 8
"""After so many members that cannot be proved no more are tried: the others fail likewise."""

_OF_ALL = frozenset({"grounded", "weights", "unique", "sealed", "dated", "witness"})
"""The theorems that are asked of every member, even where the solver sees a part of them."""


@frozen(eq=False)
class Surveyed:
    """A family whose members are all right, one by one. `shapes`: of each member in its order, the number of the
    question that it is to the solver; empty where every member is asked about. `told`: what was said already."""

    built: BuiltFamily
    sampling: Sampling
    shapes: Sequence[int]
    told: frozenset[Any]

    @property
    def family(self) -> Family:
        return self.built.family

    def members(self) -> Iterator[tuple[int, Member]]:
        return enumerate(self.family.members(self.sampling))

    def subject(self, member: Member) -> Subject:
        """A member as what is proved and rehearsed."""
        task, _ = self.family.check(member)
        assert task is not None, "its members were checked before"
        return Subject(task, family_folder(self.family.name), self.built.rows[member.id])

    @property
    def to_prove(self) -> frozenset[int]:
        """The members, by their place, that are given to the solver: the first of each shape, or of a sample of the
        shapes, and then some more."""
        count = len(self.built.rows)
        if count <= PROVED:
            return frozenset(range(count))
        seed = f"{self.sampling.seed} {self.family.name} proved"
        firsts = sorted({shape: place for place, shape in reversed(list(enumerate(self.shapes)))}.values())
        kept = (firsts[number] for number in chosen(len(firsts), PROVED, seed))
        ordered = dict.fromkeys((0, *kept, *chosen(count, PROVED, seed)))
        return frozenset(list(ordered)[:PROVED])


@frozen(eq=False)
class ProvedFamily:
    """`proofs`: of the members that were given to the solver, by their place. `surveyed` has every member's witness."""

    surveyed: Surveyed
    proofs: Mapping[int, Proof]

    @property
    def proof(self) -> Proof:
        """What was established of the family: how many members it was asked of, beside the evidence of the first; with
        the witness of the first."""
        first = self.proofs[0]
        theorems = tuple(self._joined(number, theorem) for number, theorem in enumerate(first.theorems))
        return evolve(first, theorems=theorems, violations={}, diagnostics=())

    def _joined(self, number: int, theorem: Theorem) -> Theorem:
        verdicts = {proof.theorems[number].verdict for proof in self.proofs.values()}
        worst = next(verdict for verdict in _WORST_FIRST if verdict in verdicts)
        members = len(self.surveyed.built.rows) if theorem.name in _OF_ALL else len(self.proofs)
        of = self.surveyed.family.size
        evidence: dict[str, Any] = {"method": "enumerated", "members": members, "of": of}
        if members < of:
            evidence |= {"method": "sampled", "seed": self.surveyed.sampling.seed}
        if self.surveyed.shapes and theorem.name not in _OF_ALL:
            shapes = self.surveyed.shapes
            evidence["shapes"] = {"found": len(set(shapes)), "proved": len({shapes[place] for place in self.proofs})}
        return evolve(theorem, verdict=worst, evidence={**evidence, **theorem.evidence})


_WORST_FIRST = ("false", "not proved", "not checked", "executed", "proved")


# ---------------------------------------------------------------------------- checking


def survey_family(family: Family, sampling: Sampling, tell: Tell) -> tuple[Surveyed | None, tuple[Diagnostic, ...]]:
    """Checks every member; None where something is wrong with one of them."""
    findings, rows = Findings(family.name), dict[str, str]()
    form: Form | None = None
    shapes: list[int] = []
    known: dict[str, int] = {}
    many = min(family.size, sampling.members) > PROVED
    for number, member in enumerate(family.members(sampling)):
        if number % 100 == 0:
            tell(f"checking {family.name}, {number} members done")
        task, found = family.check(member)
        if task is not None:
            form = form or Form.of(task)
            found = (*found, *_added(member, task, form, rows), *(_surveyed(task) if many else ()))
        findings.add(member, found)
        if many and task is not None and not findings:
            shapes.append(known.setdefault(shape(task), len(known)))
    if findings or form is None:
        return None, findings.told()
    told = findings.told()
    built = BuiltFamily(family, form, rows, sampling.seed)
    return Surveyed(built, sampling, shapes, frozenset(map(place_of, told))), told


def _added(member: Member, task: typed.Task, form: Form, rows: dict[str, str]) -> tuple[Diagnostic, ...]:
    """Adds the row of a member; an error where it is of another form than the first."""
    try:
        rows[member.id] = member_row(member, form.differences(task))
    except OtherForm as other:
        return (report("E295", task.span, family=task.name, what=other),)
    return ()


def _surveyed(task: typed.Task) -> Iterator[Diagnostic]:
    """What can be asked of every member at little cost, without the warnings that the author accepts."""
    accepted = {allow.code for allow in task.allows}
    established: tuple[Established, ...] = (*survey(task), *follow_values(task))
    for each in established:
        yield from (found for found in each.diagnostics if found.is_error or found.code not in accepted)


# ---------------------------------------------------------------------------- proving


def prove_family(surveyed: Surveyed, bench: Bench) -> tuple[ProvedFamily | None, tuple[Diagnostic, ...]]:
    """The proofs of a family, and what is wrong with its members."""
    findings = Findings(surveyed.family.name)
    proofs: dict[int, Proof] = {}
    rows = dict(surveyed.built.rows)
    planned, failing = surveyed.to_prove, 0
    witnesses = _Witnesses(surveyed, bench.pack)
    answers = bench.proofs(surveyed.subject(member) for place, member in surveyed.members() if place in planned)
    for place, member in surveyed.members():
        if place % 20 == 0:
            bench.tell(f"proving {surveyed.family.name}, {place} members done")
        steps = None if place in planned else witnesses.adapted(place, member)
        if steps is None:
            answer = next(answers if place in planned else bench.proofs([surveyed.subject(member)]))
            findings.add(member, (each for each in answer.diagnostics if place_of(each) not in surveyed.told))
            failing += has_errors(answer.diagnostics)
            if answer.proof is not None:
                proofs[place] = evolve(answer.proof, text="", diagnostics=())
                steps = answer.proof.witness
                witnesses.learn(place, steps)
        if failing == MOST_FAILING:
            break
        if steps is not None and place and steps != witnesses.first:
            rows[member.id] = with_witness(rows[member.id], [written_step(step) for step in steps])
    if findings:
        return None, findings.told()
    built = evolve(surveyed.built, rows=rows)
    return ProvedFamily(evolve(surveyed, built=built), proofs), findings.told()


class _Witnesses:
    """The runs of the members that were proved, and what becomes of them in the others."""

    def __init__(self, surveyed: Surveyed, pack: Pack) -> None:
        self._surveyed = surveyed
        self._pack = pack
        self._ids = tuple(surveyed.built.rows)
        self._by_shape: dict[int, int] = {}
        self._steps: dict[int, tuple[Step, ...]] = {}

    @property
    def first(self) -> tuple[Step, ...] | None:
        return self._steps.get(0)

    def learn(self, place: int, steps: tuple[Step, ...] | None) -> None:
        """A run of a member that earns everything."""
        if steps is not None:
            self._steps[place] = steps
            if self._surveyed.shapes:
                self._by_shape.setdefault(self._surveyed.shapes[place], place)

    def adapted(self, place: int, member: Member) -> tuple[Step, ...] | None:
        """A run of this member that was executed and earns everything, where nothing earns nothing; None where no such
        run comes of another member's."""
        model = self._by_shape.get(self._surveyed.shapes[place], 0)
        if model not in self._steps:
            return None
        steps = adapted(self._steps[model], self._row(self._ids[model]), self._row(member.id))
        full = execute(self._pack, member.id, steps).outcome.is_full
        return steps if full and not execute(self._pack, member.id, ()).outcome.completion else None

    def _row(self, id: str) -> Mapping[str, Any]:
        """All values of a member."""
        row = json.loads(self._surveyed.built.rows[id])
        first = self._surveyed.built.first_values
        return {part: {**first.get(part, {}), **row.get(part, {})} for part in ("parameters", "grading", "world")}


# ---------------------------------------------------------------------------- rehearsing


def rehearse_family(proved: ProvedFamily, bench: Bench) -> tuple[ProvedFamily, tuple[Diagnostic, ...]]:
    """The proofs with what was executed of the members that have one, and what is wrong with these."""
    findings = Findings(proved.surveyed.family.name)
    completed = dict(proved.proofs)
    members = [(place, member) for place, member in proved.surveyed.members() if place in completed]
    asked = ((proved.surveyed.subject(member), proved.proofs[place]) for place, member in members)
    for (place, member), answer in zip(members, bench.rehearsals(asked), strict=True):
        findings.add(member, answer.diagnostics)
        if answer.proof is not None:
            completed[place] = answer.proof
    return evolve(proved, proofs=completed), findings.told()
