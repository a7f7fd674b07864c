"""What is known about texts and lists of which only a code is known.

Every test of such a text is a truth value of its own, an *atom*; atoms of one text imply one another where their
words do, and follow from the text where it equals a literal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

from attrs import frozen

from coworkdsl import contracts, operations, text
from cwkc.meaning.types import Type
from cwkc.prove.codes import Codes
from cwkc.prove.script import Script
from cwkc.prove.terms import (
    FALSE,
    TRUE,
    Sort,
    Term,
    boolean,
    conjunction,
    disjunction,
    equal,
    implication,
    integer,
)
from cwkc.prove.values import Known, Leaf, Symbolic


@frozen
class Atom:
    """`test` is `contains mentions matches states lists`, as in the language, or `within` of a text that is a part of
    `operand`, `spells` of one that is `operand` but for its case, `delivers` of one that says what `operand`, a
    contract, promises, `member` of a list that has it."""

    test: str
    operand: Any

    def of(self, subject: Any) -> bool:
        """Whether a plain text or list passes."""
        match self.test:
            case "contains":
                return text.contains(subject, self.operand)
            case "mentions":
                return text.mentions_any(subject, (self.operand,))
            case "matches":
                return text.matches(subject, self.operand)
            case "states":
                return text.states(subject, *self.operand)
            case "lists":
                return text.lists(subject, self.operand)
            case "within":
                return text.contains(self.operand, subject)
            case "delivers":
                return contracts.delivers(subject, self.operand)
            case "spells":
                return operations.eq_ignoring_case(subject, self.operand)
        return operations.member(self.operand, subject)

    def implies(self, other: Atom) -> bool:
        """Whether every text that passes this test passes the other one."""
        match self.test, other.test:
            case ("contains" | "mentions", "contains"):
                return text.contains(self.operand, other.operand)
            case "mentions", "mentions":
                return other.of(self.operand)
            case "states", "states":
                (number, within), (wanted, tolerance) = self.operand, other.operand
                return bool(abs(Fraction(number) - wanted) + within <= tolerance)
            case "lists", ("contains" | "mentions"):
                return any(Atom("mentions", item).implies(other) for item in self.operand)
            case "within", "within":
                return other.of(self.operand)
            case "spells", ("contains" | "mentions" | "states" | "within"):
                return other.of(self.operand)
        return False


class Texts:
    def __init__(self, script: Script, codes: Codes, exact: Term) -> None:
        self._script = script
        self._codes = codes
        self._exact = exact
        self.atoms: dict[str, dict[Atom, Term]] = {}
        self._terms: dict[str, Term] = {}
        self._literals: dict[tuple[str, int], tuple[Term, Any]] = {}
        self._pairs: dict[tuple[str, str], tuple[Term, Term]] = {}
        self._joined: dict[str, tuple[Leaf, ...]] = {}

    # ------------------------------------------------------------------ tests

    def holds(self, test: str, subject: Leaf, operands: tuple[Leaf, ...]) -> Term:
        """A text test; where an operand is not known, anything."""
        if Known(None) in (subject, *operands):
            return FALSE
        if test == "contains" and isinstance(subject, Known) and isinstance(operands[0], Symbolic):
            return self.atom(operands[0].term, Atom("within", subject.value))
        if not isinstance(subject, Symbolic) or not all(isinstance(operand, Known) for operand in operands):
            return self._script.doubt(test)
        plain = tuple(operand.value for operand in operands if isinstance(operand, Known))
        match test:
            case "mentions_any":
                return disjunction(*(self.atom(subject.term, Atom("mentions", word)) for word in plain[0]))
            case "mentions_all":
                return conjunction(*(self.atom(subject.term, Atom("mentions", word)) for word in plain[0]))
            case "states":
                return self.atom(subject.term, Atom(test, plain))
            case "lists":
                return self._lists(subject.term, plain)
            case "contains" if not text.normalise(plain[0]):
                return TRUE
        return self.atom(subject.term, Atom(test, plain[0]))

    def _lists(self, subject: Term, items: tuple[Any, ...]) -> Term:
        mentioned = (self.atom(subject, Atom("mentions", item)) for item in items)
        return conjunction(*mentioned, self.atom(subject, Atom("lists", items)))

    def atom(self, subject: Term, atom: Atom) -> Term:
        known = self.atoms.setdefault(subject.text, {})
        self._terms[subject.text] = subject
        if atom not in known:
            stem = subject.text if not subject.arguments else "text"
            known[atom] = self._script.fresh(f"{stem}.{atom.test}", Sort.BOOL)
        return known[atom]

    # ------------------------------------------------------------------ equality

    def equals_literal(self, subject: Term, literal: Any, type: Type) -> Term:
        """That a text or a list is a literal."""
        if subject.text in self._joined:
            return self._joined_equals(self._joined[subject.text], literal)
        code = self._codes.of(literal, type)
        self._terms[subject.text] = subject
        self._literals[subject.text, code] = subject, literal
        return equal(subject, integer(code))

    def equals(self, left: Term, right: Term) -> Term:
        """That two texts or two lists are the same."""
        if left.text in self._joined or right.text in self._joined:
            return TRUE if left == right else self._script.doubt("same")
        if left.literal is None and right.literal is None and left != right:
            self._pairs[left.text, right.text] = left, right
        return equal(left, right)

    def _joined_equals(self, parts: tuple[Leaf, ...], literal: Any) -> Term:
        """A joined text with one unknown part is a literal when that part is what the others leave of it."""
        unknown = [index for index, part in enumerate(parts) if isinstance(part, Symbolic)]
        if len(unknown) != 1:
            return self._script.doubt("same")
        head = "".join(part.value for part in parts[: unknown[0]] if isinstance(part, Known))
        tail = "".join(part.value for part in parts[unknown[0] + 1 :] if isinstance(part, Known))
        if len(literal) < len(head) + len(tail) or not (literal.startswith(head) and literal.endswith(tail)):
            return FALSE
        middle = parts[unknown[0]]
        assert isinstance(middle, Symbolic)
        return self.equals_literal(middle.term, literal[len(head) : len(literal) - len(tail)], middle.type)

    def join(self, parts: tuple[Leaf, ...]) -> Term:
        """A text made of parts, each a known or a symbolic text; parts that were joined themselves are taken apart."""
        term = self._script.fresh("joined", Sort.INT)
        self._joined[term.text] = tuple(each for part in parts for each in self._parts(part))
        return term

    def _parts(self, part: Leaf) -> tuple[Leaf, ...]:
        return self._joined.get(part.term.text, (part,)) if isinstance(part, Symbolic) else (part,)

    # ------------------------------------------------------------------ what follows

    def relate(self) -> None:
        """Asserts what the tests of a text have to do with each other, once all of them are known."""
        for name in list(self._joined):
            self._relate_joined(name)
        for left, right in self._pairs.values():
            for atom in (*self.atoms.get(left.text, ()), *self.atoms.get(right.text, ())):
                same = equal(self.atom(left, atom), self.atom(right, atom))
                self._script.require(implication(equal(left, right), same))
        for known in self.atoms.values():
            for (one, first), (other, second) in permutations(known.items(), 2):
                if one.implies(other):
                    self._script.require(implication(first, second))
        for (name, code), (subject, literal) in self._literals.items():
            facts = tuple(equal(term, boolean(atom.of(literal))) for atom, term in self.atoms.get(name, {}).items())
            self._script.require(implication(equal(subject, integer(code)), conjunction(*facts)))

    def _relate_joined(self, name: str) -> None:
        """What a part contains, the whole contains; the converse is taken for granted where a run is looked for."""
        for atom, term in list(self.atoms.get(name, {}).items()):
            parts = tuple(self._of_parts(self._joined[name], atom))
            if atom.test == "contains":
                self._script.require(implication(disjunction(*parts), term))
            self._script.require(implication(self._exact, equal(term, disjunction(*parts))))

    def _of_parts(self, parts: Iterable[Leaf], atom: Atom) -> Iterator[Term]:
        for part in parts:
            if isinstance(part, Symbolic):
                yield self.atom(part.term, atom)
            elif isinstance(part, Known):
                yield boolean(atom.of(part.value))
