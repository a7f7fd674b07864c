"""The texts that an editor works on, and what is kept of them from one key to the next."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from cwkc.diagnostics import Diagnostic
from cwkc.editor.analysis import Analysis
from cwkc.editor.mending import mended
from cwkc.editor.pieces import PieceReader
from cwkc.meaning.check import check_program
from cwkc.meaning.modules import Scope, check_module
from cwkc.meaning.observing import Seen, watched
from cwkc.meaning.program import Library, Unit
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import LIMIT, content_of, read, usable

Parsed = tuple[tree.Module, tuple[Diagnostic, ...]]


@frozen(eq=False)
class _Checked:
    """A file that others use, as it was checked: still right while it and the scopes of its imports are the same."""

    module: tree.Module
    imports: tuple[Scope, ...]
    result: tuple[Scope, tuple[Diagnostic, ...]]
    seen: tuple[Seen, ...]


class Project:
    """Analyses texts; those of open files take the place of what is stored.

    What was made of the files that a text uses is kept, and used again while they are the same.
    """

    def __init__(self, open_texts: Mapping[str, str]) -> None:
        """`open_texts`: by absolute path, as it is when an analysis is made."""
        self.open_texts = open_texts
        self.sources: dict[str, Source] = {}
        self.parsed: dict[str, tuple[Source, Parsed]] = {}
        self.checked: dict[str, _Checked] = {}
        self.readers: dict[str, PieceReader] = {}

    def analyse(self, path: str, text: str) -> Analysis:
        """Everything about one text that the editor's features ask; never raises for what the text says."""
        source = self._source_with(path, text if len(text) <= LIMIT else "")
        _, refused = usable(text, path)
        return self._analysed(source, refused)

    def text(self, path: str) -> str | None:
        """The text of a file as the editor has it, else as it is stored; None where there is none."""
        source = self._source(path)
        return source.text if source else None

    def _analysed(self, source: Source, refused: tuple[Diagnostic, ...] = ()) -> Analysis:
        with watched() as own:
            program, found = check_program([source], self._library(), self._check_unit)
        seen = [*own, *(each for unit in program.units for each in self._seen(unit))]
        return Analysis(source, program, refused or found, tuple(seen), lambda: self._analysed(mended(source)))

    def _seen(self, unit: Unit) -> tuple[Seen, ...]:
        kept = self.checked.get(unit.key)
        return kept.seen if kept else ()

    def _library(self) -> Library:
        return Library(self._parse, standard_service, standard_services(), standard_words, self._source, content_of)

    def _source(self, path: str) -> Source | None:
        """The source of a file; the same one as long as its text is the same."""
        text = self.open_texts.get(path)
        if text is None:
            found = read(Path(path), path)[0] if os.path.isfile(path) else None
            text = found.text if found else None
        return None if text is None else self._source_with(path, text)

    def _source_with(self, path: str, text: str) -> Source:
        kept = self.sources.get(path)
        if kept is None or kept.text != text:
            kept = self.sources[path] = Source(path, text)
        return kept

    def _parse(self, source: Source) -> Parsed:
        kept = self.parsed.get(source.name)
        if kept is None or kept[0].text != source.text:
            reader = self.readers.setdefault(source.name, PieceReader())
            reader.next_version()
            kept = self.parsed[source.name] = (source, parse(source, reader))
        return kept[1]

    def _check_unit(self, unit: Unit, scopes: Mapping[str, Scope]) -> tuple[Scope, tuple[Diagnostic, ...]]:
        imports = tuple(scopes[key] for _, key in unit.imports)
        kept = self.checked.get(unit.key)
        if kept is None or kept.module is not unit.module or not _are_same(kept.imports, imports):
            with watched() as seen:
                result = check_module(unit, scopes)
            kept = self.checked[unit.key] = _Checked(unit.module, imports, result, tuple(seen))
        return kept.result


def _are_same(left: tuple[Scope, ...], right: tuple[Scope, ...]) -> bool:
    return len(left) == len(right) and all(one is other for one, other in zip(left, right, strict=True))
