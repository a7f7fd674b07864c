"""The files that a command reads: where their texts come from, and what they are called."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from attrs import evolve

from cwkc.diagnostics import Diagnostic
from cwkc.source import Source
from cwkc.syntax.reader import read

Reading = tuple[Source | None, tuple[Diagnostic, ...]]
"""A source, or None and the reason."""


class Files(Protocol):
    def source(self, path: Path, name: str) -> Reading:
        """The source of a path, with the name that diagnostics show for it."""

    def content(self, name: str) -> bytes | None:
        """The content of a file; None where it cannot be had."""


class Disk:
    """The files as they are stored."""

    def source(self, path: Path, name: str) -> Reading:
        return read(path, name)

    def content(self, name: str) -> bytes | None:
        try:
            return Path(name).read_bytes()
        except (OSError, ValueError):
            return None


class Recorded:
    """Files of which each is read once, so that what is made of them and what is remembered of them agree."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._sources: dict[str, Reading] = {}
        self._contents: dict[str, bytes | None] = {}

    def source(self, path: Path, name: str) -> Reading:
        if name not in self._sources:
            self._sources[name] = self._files.source(path, name)
        return self._sources[name]

    def content(self, name: str) -> bytes | None:
        if name not in self._contents:
            self._contents[name] = self._files.content(name)
        return self._contents[name]

    @property
    def is_complete(self) -> bool:
        """Whether everything that was asked for could be read."""
        texts = (source for source, _ in self._sources.values())
        return None not in texts and None not in self._contents.values()

    def digests(self) -> dict[str, dict[str, str | None]]:
        """The SHA-256 of each source's text and of each content, by name; None for what could not be read."""
        texts = {name: None if source is None else source.text.encode() for name, (source, _) in self._sources.items()}
        return {"texts": _digests(texts), "contents": _digests(self._contents)}

    def read_again(self, digests: dict[str, dict[str, str | None]]) -> bool:
        """Reads what another reader has read; whether that found the same."""
        for name in digests["texts"]:
            self.source(Path(name), name)
        for name in digests["contents"]:
            self.content(name)
        return self.digests() == digests


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder that all the files lie below: names in a pack are relative to it, wherever the compiler is started."""
    return Path(os.path.commonpath([os.path.abspath(path.parent) for path in paths])) if paths else Path()


def identity(path: Path, root: Path) -> str:
    """The name of a file in what is emitted."""
    return Path(os.path.relpath(path, root)).as_posix()


def identified(path: Path, root: Path, files: Files) -> Reading:
    """The source of a path, with its name in what is emitted."""
    source, found = files.source(path, path.as_posix())
    return source and evolve(source, identity=identity(path, root)), found


def _digests(contents: dict[str, bytes | None]) -> dict[str, str | None]:
    return {name: None if content is None else sha256(content).hexdigest() for name, content in contents.items()}
