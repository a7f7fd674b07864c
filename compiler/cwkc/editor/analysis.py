"""What is known of one text: the value that every feature of the editor is a function of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic
from cwkc.editor.lines import Lines
from cwkc.editor.occurrences import occurrences
from cwkc.editor.symbols import Occurrence
from cwkc.editor.words import Word, words
from cwkc.meaning import typed
from cwkc.meaning.check import Program
from cwkc.meaning.modules import Scope
from cwkc.meaning.observing import Seen
from cwkc.source import Source
from cwkc.syntax import tree


@frozen(eq=False, slots=False)
class Analysis:
    """`diagnostics` are those of syntax and meaning, of this text and of the files that it uses.

    `seen`: what its expressions, and those of the files that it uses, were taken for.
    """

    source: Source
    program: Program = field(repr=False)
    diagnostics: tuple[Diagnostic, ...]
    seen: tuple[Seen, ...] = field(repr=False)
    mend: Callable[[], Analysis] = field(repr=False)
    """Analyses the text once more, its unreadable parts blanked."""

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.source.text)

    @cached_property
    def words(self) -> list[Word]:
        return list(words(self.source.text))

    @property
    def scope(self) -> Scope:
        return self.program.scopes[self.source.name]

    @property
    def module(self) -> tree.Module:
        return self.scope.unit.module

    @cached_property
    def is_readable(self) -> bool:
        """Whether every part of the text could be read."""
        return not any(each.code < "E2" and each.span.source.name == self.source.name for each in self.diagnostics)

    @cached_property
    def readable(self) -> Analysis:
        """This analysis, or where parts of the text cannot be read, that of the rest: every place in it is the same."""
        return self if self.is_readable else self.mend()

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """Where something is declared or named in this text, in order of places."""
        return tuple(sorted(occurrences(self.program, self.source, self.seen), key=lambda each: each.span.start))

    @cached_property
    def tasks(self) -> Mapping[str, typed.Task]:
        """The tasks without errors, by name."""
        return {task.name: task for task in self.program.tasks}

    def at(self, offset: int) -> Occurrence | None:
        """What is named at an offset, or right before it."""
        found = [each for each in self.occurrences if each.span.start <= offset <= each.span.end]
        return max(found, key=lambda each: each.span.start, default=None)

    def items(self, *kinds: type[tree.Node]) -> Iterator[tree.Item]:
        return (item for item in self.module.items if isinstance(item, kinds))
