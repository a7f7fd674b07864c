"""The files that a command reads: where their texts come from, and what they are called."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from attrs import evolve

from cwkc.diagnostics import Diagnostic
from cwkc.source import Source
from cwkc.syntax.reader import content_of

Reading = tuple[Source | None, tuple[Diagnostic, ...]]
"""A source, or None and the reason."""

Reader = Callable[[Path, str], Reading]
"""From a path and the name that diagnostics show for it to its source."""

Digests = Mapping[str, Mapping[str, str | None]]


class Recorded:
    """A reader that reads each file once, so that what is made of the files and what is remembered of them agree."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._sources: dict[str, Reading] = {}
        self._contents: dict[str, bytes | None] = {}

    def __call__(self, path: Path, name: str) -> Reading:
        if name not in self._sources:
            self._sources[name] = self._reader(path, name)
        return self._sources[name]

    def content(self, name: str) -> bytes | None:
        """The content of a file that goes with a task; None where it cannot be had."""
        if name not in self._contents:
            self._contents[name] = content_of(name)
        return self._contents[name]

    @property
    def is_complete(self) -> bool:
        """Whether everything that was asked for could be read."""
        texts = (source for source, _ in self._sources.values())
        return None not in texts and None not in self._contents.values()

    def digests(self) -> Digests:
        """The SHA-256 of each source's text and of each content, by name; None for what could not be read."""
        texts = {name: None if source is None else source.text.encode() for name, (source, _) in self._sources.items()}
        return {"texts": _digests(texts), "contents": _digests(self._contents)}

    def finds_again(self, digests: Digests) -> bool:
        """Whether what another reader has read is still so; reads it."""
        for name in digests["texts"]:
            self(Path(name), name)
        for name in digests["contents"]:
            self.content(name)
        return self.digests() == digests


def source_files(paths: Iterable[Path]) -> list[Path]:
    """The files named, and the `.cwk` files of the folders named, each once, as the paths lead to them."""
    found: dict[str, Path] = {}
    for path in paths:
        for file in _below(path) if path.is_dir() else (path,):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _below(folder: Path) -> Iterator[Path]:
    """The `.cwk` files of a folder and of those in it, sorted; hidden ones are left out."""
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        yield from (Path(name) / each for each in sorted(files) if each.endswith(".cwk") and not each.startswith("."))


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder that all the files lie below: names in a pack are relative to it, wherever the compiler is started."""
    return Path(os.path.commonpath([os.path.abspath(path.parent) for path in paths])) if paths else Path()


def identity(path: Path, root: Path) -> str:
    """The name of a file in what is emitted."""
    return Path(os.path.relpath(path, root)).as_posix()


def identified(path: Path, root: Path, reader: Reader) -> Reading:
    """The source of a path, with its name in what is emitted."""
    source, found = reader(path, path.as_posix())
    return source and evolve(source, identity=identity(path, root)), found


def _digests(contents: Mapping[str, bytes | None]) -> dict[str, str | None]:
    return {name: None if content is None else sha256(content).hexdigest() for name, content in contents.items()}
