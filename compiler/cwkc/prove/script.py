"""The text that the solver reads: declarations, definitions and assertions, in the order in which they were made."""

from __future__ import annotations

from cwkc.prove.terms import TRUE, Sort, Term, implication, negation, symbol


class Script:
    def __init__(self) -> None:
        self.sorts: dict[str, Sort] = {}
        self._definitions: list[str] = []
        self._assertions: list[str] = []
        self._counts: dict[str, int] = {}

    def symbol(self, name: str, sort: Sort) -> Term:
        """The symbol of that name, declared when it is new."""
        self.sorts.setdefault(name, sort)
        return symbol(name, sort)

    def fresh(self, stem: str, sort: Sort) -> Term:
        """A new symbol whose name begins with `stem`."""
        return self.symbol(self.unused(stem), sort)

    def doubt(self, stem: str) -> Term:
        """A condition about which nothing is known; under the assumption `plain`, it does not hold."""
        term = self.fresh(stem, Sort.BOOL)
        self.require(implication(self.symbol("plain", Sort.BOOL), negation(term)))
        return term

    def unused(self, stem: str) -> str:
        number = self._counts.get(stem, 0)
        self._counts[stem] = number + 1
        return f"{stem}!{number}"

    def name(self, stem: str, term: Term) -> Term:
        """A short name for a term that is used often; a term that is short already is kept as it is."""
        if not term.arguments or len(term.text) < 24:
            return term
        name = self.unused(stem)
        self._definitions.append(f"(define-fun {name} () {term.sort.value} {term.text})")
        return symbol(name, term.sort)

    def require(self, term: Term) -> None:
        if term != TRUE:
            self._assertions.append(f"(assert {term.text})")

    def text(self) -> str:
        declarations = [f"(declare-const {name} {sort.value})" for name, sort in self.sorts.items()]
        return "\n".join([*declarations, *self._definitions, *self._assertions, ""])
