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
from cwkc.bench import Bench, Shared, Subject
from cwkc.diagnostics import Diagnostic, has_errors, report
from cwkc.emit import BuiltFamily, Form, OtherForm, member_row, with_witness
from cwkc.flow import follow_values
from cwkc.keys import family_folder
from cwkc.meaning import typed
from cwkc.meaning.families import Family, Findings, Member, Sampling, chosen, place_of
from cwkc.prove import Proof, Step, Theorem, shape, survey, written_step
from cwkc.prove.theorems import Established
from cwkc.rehearse import adapted, execute
from cwkc.workshop import Answer, LostError, Question, Work, Workshop

Tell = Callable[[str], None]

PROVED = 200
"""So many members of a family, at most, are given to the solver one by one."""

MOST_FAILING = 8
"""After so many members that cannot be proved no more are tried: the others fail likewise."""

CHUNK = 20
"""So many members are checked, or given a run, at a time."""

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

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(self.family.members(self.sampling))

    def subject(self, member: Member) -> Subject:
        """A member as what is proved and rehearsed."""
        folder = family_folder(self.family.name)
        return Subject(member, member.id, self.family.node.span, folder, self.built.rows[member.id])

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


def in_chunks(
    work: Work, shared: Any, members: Sequence[Any], doing: str, family: Family, workshop: Workshop, tell: Tell
) -> Iterator[Any]:
    """What `work` makes of so many members at a time, in their order. Raises LostError."""
    name, span = family.name, family.node.span
    starts = range(0, len(members), CHUNK)
    words = f"{doing} {name}, {{}} members done"
    asked = [Question(words.format(start), name, span, (members[start : start + CHUNK],)) for start in starts]
    return iter(workshop.results(work, shared, asked, tell))


# ---------------------------------------------------------------------------- checking


@frozen(eq=False)
class _Survey:
    """What members are checked with. `form` is None where the first member is wrong; `many`: whether there are more
    than are given to the solver one by one."""

    family: Family
    form: Form | None
    many: bool


@frozen(eq=False)
class _Found:
    """What is known of a member: its row and the digest of its question to the solver, where it has them."""

    row: str
    shape: str
    diagnostics: tuple[Diagnostic, ...]


def survey_family(
    family: Family, sampling: Sampling, workshop: Workshop, tell: Tell
) -> tuple[Surveyed | None, tuple[Diagnostic, ...]]:
    """Checks every member; None where something is wrong with one of them."""
    findings, rows, shapes = Findings(family.name), dict[str, str](), list[str]()
    members = tuple(family.members(sampling))
    first, _ = family.check(members[0])
    form = Form.of(first) if first else None
    survey = _Survey(family, form, len(members) > PROVED)
    try:
        chunks = [*in_chunks(survey_members, survey, members, "checking", family, workshop, tell)]
    except LostError as lost:
        return None, (lost.diagnostic,)
    everything = (found for of_chunk, _ in chunks for found in of_chunk)
    for member, found in zip(members, everything, strict=True):
        findings.add(member, found.diagnostics)
        rows[member.id] = found.row
        shapes.append(found.shape)
    told = findings.told()
    if findings or form is None:
        return None, told
    form.varying.update(*(varying for _, varying in chunks))
    numbers = {shape: number for number, shape in enumerate(dict.fromkeys(shapes))} if survey.many else {}
    numbered = [numbers[shape] for shape in shapes] if survey.many else []
    built = BuiltFamily(family, form, rows, sampling.seed)
    return Surveyed(built, sampling, numbered, frozenset(map(place_of, told))), told


def survey_members(survey: _Survey, members: Sequence[Member]) -> tuple[tuple[_Found, ...], frozenset[int]]:
    """What is known of some members, and which of the form's values vary among those that were looked at so far."""
    found = tuple(_survey_one(survey, member) for member in members)
    return found, frozenset(survey.form.varying) if survey.form else frozenset()


def _survey_one(survey: _Survey, member: Member) -> _Found:
    task, found = survey.family.check(member)
    row = ""
    if task is not None and survey.form is not None:
        try:
            row = member_row(member, survey.form.differences(task))
        except OtherForm as other:
            found = (*found, report("E295", task.span, family=task.name, what=other))
    if task is None or not survey.many:
        return _Found(row, "", found)
    found = (*found, *_surveyed(task))
    return _Found(row, "" if has_errors(found) else shape(task), found)


def _surveyed(task: typed.Task) -> Iterator[Diagnostic]:
    """What can be asked of every member at little cost, without the warnings that the author accepts."""
    accepted = {allow.code for allow in task.allows}
    established: tuple[Established, ...] = (*survey(task), *follow_values(task))
    for each in established:
        yield from (found for found in each.diagnostics if found.is_error or found.code not in accepted)


# ---------------------------------------------------------------------------- proving


def prove_family(surveyed: Surveyed, bench: Bench) -> tuple[ProvedFamily | None, tuple[Diagnostic, ...]]:
    """The proofs of a family, and what is wrong with its members."""
    proving = _Proving(surveyed, bench)
    try:
        proving.all()
    except LostError as lost:
        return None, (lost.diagnostic,)
    findings = proving.findings()
    if findings:
        return None, findings.told()
    steps, rows = proving.steps, dict(surveyed.built.rows)
    for place, id in enumerate(surveyed.built.rows):
        if place and place in steps and steps[place] != steps.get(0):
            rows[id] = with_witness(rows[id], [written_step(step) for step in steps[place]])
    built = evolve(surveyed.built, rows=rows)
    return ProvedFamily(evolve(surveyed, built=built), proving.proofs), findings.told()


class _Proving:
    """The members that are given to the solver, and the runs of the others, made from theirs.

    A run is made from that of the first member with the same question to the solver; where none of these was proved,
    from that of the first member of all.
    """

    def __init__(self, surveyed: Surveyed, bench: Bench) -> None:
        self.surveyed = surveyed
        self.bench = bench
        self.shared = Shared(bench.pack, surveyed.family)
        self.members = surveyed.members
        self.proofs: dict[int, Proof] = {}
        self.steps: dict[int, tuple[Step, ...]] = {}
        """By the place of a member, a run of it that earns everything."""
        self._first = surveyed.built.first_values
        self._answers: dict[int, Answer] = {}
        self._models: dict[int, int] = {}
        """By the number of a question, the place of the first member that was proved for it."""

    def all(self) -> None:
        """Finds the run of every member; stops where too many cannot be proved. Raises LostError."""
        planned = self.surveyed.to_prove
        if not self._prove(sorted(planned)):
            return
        waiting = self._adapt([place for place in range(len(self.members)) if place not in planned])
        shapes = self.surveyed.shapes
        firsts = {shapes[place]: place for place in reversed(waiting) if shapes[place] not in self._models}
        if self._prove(sorted(firsts.values())):
            others = [place for place in waiting if place not in self._answers]
            again = self._adapt([place for place in others if shapes[place] in firsts])
            self._prove(sorted({*again, *(place for place in others if shapes[place] not in firsts)}))

    def findings(self) -> Findings:
        """What is wrong with the members, in their order."""
        findings = Findings(self.surveyed.family.name)
        for place, answer in sorted(self._answers.items()):
            told = (each for each in answer.diagnostics if place_of(each) not in self.surveyed.told)
            findings.add(self.members[place], told)
        return findings

    def _prove(self, places: Sequence[int]) -> bool:
        """Whether to go on."""
        subjects = (self.surveyed.subject(self.members[place]) for place in places)
        for place, answer in zip(places, self.bench.proofs(subjects, self.shared), strict=True):
            self._answers[place] = answer
            if answer.proof is not None:
                self.proofs[place] = evolve(answer.proof, text="", diagnostics=())
                self._learn(place, answer.proof.witness)
            if sum(has_errors(each.diagnostics) for each in self._answers.values()) == MOST_FAILING:
                return False
        return True

    def _learn(self, place: int, steps: tuple[Step, ...] | None) -> None:
        if steps is not None:
            self.steps[place] = steps
            if self.surveyed.shapes:
                self._models.setdefault(self.surveyed.shapes[place], place)

    def _adapt(self, places: Sequence[int]) -> list[int]:
        """The places of those for which no run that earns everything comes of another's."""
        models = {place: self._models.get(self.surveyed.shapes[place], 0) for place in places}
        made = [place for place in places if models[place] in self.steps]
        known = {place: (self._row(place), self.steps[place]) for place in {models[place] for place in made}}
        asked = [(self.members[place].id, self._row(place), known[models[place]]) for place in made]
        workshop, tell, family = self.bench.workshop, self.bench.tell, self.surveyed.family
        chunks = in_chunks(adapt_members, self.shared, asked, "proving", family, workshop, tell)
        for place, steps in zip(made, (steps for chunk in chunks for steps in chunk), strict=True):
            if steps is not None:
                self.steps[place] = steps
        return [place for place in places if place not in self.steps]

    def _row(self, place: int) -> Mapping[str, Any]:
        """All values of a member."""
        row = json.loads(self.surveyed.built.rows[self.members[place].id])
        first = self._first
        return {part: {**first.get(part, {}), **row.get(part, {})} for part in ("parameters", "grading", "world")}


Adapting = tuple[str, Mapping[str, Any], tuple[Mapping[str, Any], tuple[Step, ...]]]
"""The id of a member and its values, and the values and the run of another one."""


def adapt_members(shared: Shared, members: Sequence[Adapting]) -> tuple[tuple[Step, ...] | None, ...]:
    """A run of each member that was executed and earns everything, where nothing earns nothing; None where no such run
    comes of the other's."""
    return tuple(_adapted(shared.pack, *member) for member in members)


def _adapted(
    pack: Pack, id: str, row: Mapping[str, Any], model: tuple[Mapping[str, Any], tuple[Step, ...]]
) -> tuple[Step, ...] | None:
    values, run = model
    steps = adapted(run, values, row)
    full = execute(pack, id, steps).outcome.is_full
    return steps if full and not execute(pack, id, ()).outcome.completion else None


# ---------------------------------------------------------------------------- rehearsing


def rehearse_family(proved: ProvedFamily, bench: Bench) -> tuple[ProvedFamily, tuple[Diagnostic, ...]]:
    """The proofs with what was executed of the members that have one, and what is wrong with these."""
    findings = Findings(proved.surveyed.family.name)
    completed = dict(proved.proofs)
    surveyed = proved.surveyed
    members = [(place, member) for place, member in enumerate(surveyed.members) if place in completed]
    asked = ((surveyed.subject(member), completed[place]) for place, member in members)
    answers = bench.rehearsals(asked, Shared(bench.pack, surveyed.family))
    for (place, member), answer in zip(members, answers, strict=True):
        findings.add(member, answer.diagnostics)
        if answer.proof is not None:
            completed[place] = answer.proof
    return evolve(proved, proofs=completed), findings.told()
