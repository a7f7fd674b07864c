"""The files that an editor has open, and what is known of each version of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pygls import uris

from cwkc.diagnostics import Diagnostic
from cwkc.editor import Analysis, Project
from cwkc.editor.lines import Length, Lines, utf16_length
from cwkc.lsp.worker import Answer, Theorems
from cwkc.resources import standard_path

STANDARD = "stdlib/"


def path_of(uri: str) -> str:
    """The path of a file as sources are named; for what is no file, the address itself."""
    path = uris.to_fs_path(uri)
    return Path(path).as_posix() if path else uri


def uri_of(path: str) -> str:
    """The address of a source."""
    if path.startswith(STANDARD):
        path = standard_path(Path(path).stem).as_posix()
    is_address = ":" in path.split("/")[0] and path[1:2] != ":"
    return path if is_address else uris.from_fs_path(path) or path


class Document:
    """One open file. Its analysis is made when it is first asked for, and again when something has changed."""

    def __init__(self, uri: str, text: str, version: int, project: Project, length: Length) -> None:
        self.uri = uri
        self.path = path_of(uri)
        self.project = project
        self.length = length
        self.replace(text, version)

    def replace(self, text: str, version: int) -> None:
        self.text = text
        self.version = version
        self.forget()

    def forget(self) -> None:
        """What it uses has changed."""
        self.known: Analysis | None = None
        self.proved: Answer | None = None

    @property
    def analysis(self) -> Analysis:
        if self.known is None:
            self.known = self.project.analyse(self.path, self.text)
        return self.known

    @property
    def lines(self) -> Lines:
        return Lines(self.text, self.length)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Those of the proofs where they have run for this version, else those of syntax and meaning."""
        return self.proved.diagnostics if self.proved else self.analysis.diagnostics

    @property
    def theorems(self) -> Theorems:
        return self.proved.theorems if self.proved else {}

    def uses(self, path: str) -> bool:
        """Whether another file takes part in what this one means."""
        return self.known is not None and path in self.known.program.scopes


class Documents:
    """Every open file, by its address."""

    def __init__(self) -> None:
        self.open: dict[str, Document] = {}
        self.texts: dict[str, str] = {}
        self.project = Project(self.texts)
        self.length: Length = utf16_length
        self.folders: list[str] = []

    def put(self, uri: str, text: str, version: int) -> Document:
        """A file that was opened or changed."""
        document = self.open.get(uri)
        if document is None:
            document = self.open[uri] = Document(uri, text, version, self.project, self.length)
        else:
            document.replace(text, version)
        self.texts[document.path] = text
        return document

    def close(self, uri: str) -> None:
        document = self.open.pop(uri, None)
        if document is not None:
            self.texts.pop(document.path, None)

    def users(self, document: Document) -> list[Document]:
        """The other open files that use one."""
        return [each for each in self.open.values() if each is not document and each.uses(document.path)]

    def others(self, document: Document, word: str) -> list[Analysis]:
        """The analyses of the files, open or in the workspace's folders, that may name what this one does."""
        known = {each.path: each for each in self.open.values()}
        found = []
        for path in dict.fromkeys((*known, *self._stored())):
            text = known[path].text if path in known else self.project.text(path)
            if path != document.path and text is not None and word in text:
                found.append(known[path].analysis if path in known else self.project.analyse(path, text))
        return found

    def _stored(self) -> Iterator[str]:
        for folder in self.folders:
            yield from (path.as_posix() for path in _below(Path(folder)))


def _below(folder: Path) -> Iterable[Path]:
    """The `.cwk` files of a folder; those in hidden folders are left out."""
    found = sorted(folder.rglob("*.cwk"))
    return (path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))
