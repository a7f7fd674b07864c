"""Files and what they import: from entry files to modules in the order in which they can be checked."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from hashlib import sha256

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, Label, has_errors, report
from cwkc.meaning.near import did_you_mean
from cwkc.source import Source, Span
from cwkc.syntax import tree


@frozen(eq=False)
class Unit:
    """A parsed file. `key` is `std:NAME` for a standard service, else the file's name as diagnostics show it."""

    key: str
    source: Source = field(repr=False)
    module: tree.Module = field(repr=False)
    imports: tuple[tuple[tree.UseService | tree.UseFile, str], ...]
    """Each `use` with the key of the unit that it brings in; those that were not found are left out."""
    broken: bool
    """Whether the file, or one of its uses, could not be read whole: then what it lacks is not held against others."""

    @property
    def hash(self) -> str:
        return sha256(self.source.text.encode()).hexdigest()


def _no_file(path: str) -> None:
    """Where there are no files but sources."""


@frozen
class Library:
    """Where texts come from, so that this room opens no files itself."""

    parse: Callable[[Source], tuple[tree.Module, tuple[Diagnostic, ...]]]
    standard: Callable[[str], str | None]
    """The text of a standard service."""
    standard_names: tuple[str, ...]
    words: Callable[[str], str]
    """The text of a standard file of vocabularies: `values` or `planning`."""
    open_file: Callable[[str], Source | None]
    """The source of a file that another names; None where there is none."""
    read_file: Callable[[str], bytes | None] = _no_file
    """The content of a file that goes with a task; None where there is none."""


def load(sources: Iterable[Source], library: Library) -> tuple[tuple[Unit, ...], tuple[Diagnostic, ...]]:
    """Every unit in reach of the given sources, each behind what it imports."""
    loader = _Loader(library)
    for source in sources:
        loader.visit(source.name, source)
    return tuple(loader.units.values()), tuple(loader.sink)


class _Loader:
    def __init__(self, library: Library):
        self.library = library
        self.units: dict[str, Unit] = {}
        self.sink: list[Diagnostic] = []
        self.path: dict[str, Span | None] = {}
        """The units being visited, each with the `use` in it that is being followed."""

    def visit(self, key: str, source: Source) -> None:
        if key in self.units:
            return
        module, found = self.library.parse(source)
        self.sink += found
        self.path[key] = None
        broken = has_errors(found)
        imports = []
        for use in module.uses:
            target = self.follow(key, use)
            if target is None:
                broken = True
            else:
                imports.append((use, target))
        del self.path[key]
        self.units[key] = Unit(key, source, module, tuple(imports), broken)

    def follow(self, key: str, use: tree.UseService | tree.UseFile) -> str | None:
        """The key of what a `use` names, once it is loaded; None where it cannot be had."""
        self.path[key] = use.span
        target, source = self.find(key, use)
        if target in self.path:
            self.report_cycle(target, use.span)
            return None
        if target in self.units:
            return target
        if source is None:
            return None
        self.visit(target, source)
        return target

    def find(self, key: str, use: tree.UseService | tree.UseFile) -> tuple[str, Source | None]:
        if isinstance(use, tree.UseService):
            target = f"std:{use.name.text}"
            text = None if target in self.units or target in self.path else self.library.standard(use.name.text)
            if text is None and target not in self.units and target not in self.path:
                help = did_you_mean(use.name.text, self.library.standard_names)
                self.sink.append(report("E227", use.name.span, what="standard service", name=use.name.text, help=help))
            return target, Source(f"stdlib/{use.name.text}.cwk", text) if text is not None else None
        target = posixpath.normpath(posixpath.join(posixpath.dirname(key), use.path.value))
        known = target in self.units or target in self.path
        source = None if known else self.library.open_file(target)
        if source is None and not known:
            help = f"looked for `{target}`; the path is taken from the folder of this file"
            self.sink.append(report("E227", use.path.span, what="file", name=use.path.value, help=help))
        return target, source

    def report_cycle(self, target: str, span: Span) -> None:
        keys = list(self.path)
        circle = keys[keys.index(target) :]
        related = tuple(Label(place, "which uses this") for key in circle[:-1] if (place := self.path[key]) is not None)
        self.sink.append(report("E226", span, path=" → ".join([*circle, target]), related=related))
