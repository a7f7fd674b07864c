"""The server: each request of the protocol, answered by the editor's function for it."""

from __future__ import annotations

import asyncio
import gc
import shlex
import sys
import tempfile
from collections.abc import Callable, Set
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from cwkc import __version__
from cwkc.diagnostics import has_errors
from cwkc.editor.actions import actions
from cwkc.editor.colours import colours
from cwkc.editor.completion import completion
from cwkc.editor.folding import folds
from cwkc.editor.hints import hints
from cwkc.editor.hover import hover
from cwkc.editor.lenses import lenses
from cwkc.editor.lines import utf8_length, utf16_length
from cwkc.editor.navigation import definition, references
from cwkc.editor.outline import outline
from cwkc.editor.renaming import RefusedError, renamable, rename
from cwkc.editor.signatures import signature_at
from cwkc.lsp import conversion
from cwkc.lsp.documents import Document, Documents, path_of
from cwkc.lsp.prover import Prover
from cwkc.lsp.worker import Answer, Question
from cwkc.source import Source
from cwkc.syntax.formatter import format_text
from cwkc.syntax.grammar import grammar

# Seconds: so long the server waits for the next key before it looks at a text, and before it proves.
BETWEEN_KEYS = 0.005
PAUSE = 0.7

LENGTHS = {
    lsp.PositionEncodingKind.Utf8: utf8_length,
    lsp.PositionEncodingKind.Utf16: utf16_length,
    lsp.PositionEncodingKind.Utf32: len,
}


class Server(LanguageServer):
    """What the server remembers from one request to the next."""

    def __init__(self) -> None:
        super().__init__("cwkc", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.documents = Documents()
        self.prover = Prover()
        self.waiting: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self.proving: set[asyncio.Task[None]] = set()

    def document(self, params: Any) -> Document:
        """The open file that a request speaks of.

        Raises:
            JsonRpcInvalidParams: it is not open.
        """
        document = self.documents.open.get(params.text_document.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"{params.text_document.uri} is not open")
        return document

    def place(self, params: Any) -> tuple[Document, int]:
        """The file and the offset that a request speaks of."""
        document = self.document(params)
        return document, document.lines.offset(params.position.line, params.position.character)

    def changed(self, document: Document) -> None:
        """Look at a file once its editor pauses, and at those that use it; prove them after a longer pause."""
        self._after(BETWEEN_KEYS, "publish", document, self.publish)
        users = self.documents.users(document)
        for user in users:
            user.forget()
            self._after(PAUSE, "publish", user, self.publish)
        for affected in (document, *users):
            self.prover.cancel(affected.path)
            self._after(PAUSE, "prove", affected, self._start_proving)

    def stored(self, paths: Set[str]) -> None:
        """Look again at every open file, since others have changed where they are stored; what is open is not read."""
        if paths <= self.documents.texts.keys():
            return
        for document in self.documents.open.values():
            document.forget()
            self._after(BETWEEN_KEYS, "publish", document, self.publish)
            self.prover.cancel(document.path)
            self._after(PAUSE, "prove", document, self._start_proving)

    def publish(self, document: Document) -> None:
        """Tell what is wrong with a file, as far as it is known."""
        length = self.documents.length
        found = conversion.diagnostics(document.diagnostics, document.analysis, document.lines, length)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=document.uri, diagnostics=found, version=document.version)
        )

    async def prove(self, document: Document, rehearse: bool = False) -> Answer | None:
        """Prove the tasks of a file and tell what was found; None where the text has changed meanwhile."""
        self._no_longer("prove", document.uri)
        version = document.version
        answer = await self.prover.ask(Question(document.path, dict(self.documents.texts), rehearse))
        if answer is None or document.version != version or document.uri not in self.documents.open:
            return None
        document.proved = answer
        self.publish(document)
        return answer

    def forget(self, uri: str) -> None:
        """A file was closed: nothing more is told of it."""
        for what in ("publish", "prove"):
            self._no_longer(what, uri)
        self.prover.cancel(path_of(uri))
        self.documents.close(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def _after(self, seconds: float, what: str, document: Document, work: Callable[[Document], None]) -> None:
        """Do something later, in place of the same thing that was to be done before."""
        self._no_longer(what, document.uri)
        key = (what, document.uri)
        self.waiting[key] = asyncio.get_running_loop().call_later(seconds, self._do, key, document, work)

    def _no_longer(self, what: str, uri: str) -> None:
        """What was to be done later is not."""
        handle = self.waiting.pop((what, uri), None)
        if handle is not None:
            handle.cancel()

    def _do(self, key: tuple[str, str], document: Document, work: Callable[[Document], None]) -> None:
        self.waiting.pop(key, None)
        work(document)

    def _start_proving(self, document: Document) -> None:
        task = asyncio.ensure_future(self._proved(document))
        self.proving.add(task)
        task.add_done_callback(self.proving.discard)
        settle()

    async def _proved(self, document: Document) -> None:
        await self.prove(document)


def settle() -> None:
    """Collect what is no longer needed, and leave all the rest out of collections until this is called again: while
    somebody types, going through it would take as long as the analysis does."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def make_server() -> Server:
    """A server with every feature."""
    server = Server()
    for register in (_files, _reading, _naming, _shape, _formatting, _help, _commands):
        register(server)
    return server


# ---------------------------------------------------------------------------- files


def _files(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        server.documents.length = LENGTHS[lsp.PositionEncodingKind(server.workspace.position_encoding or "utf-16")]
        server.documents.folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
        grammar()  # so that the first file need not wait until it is read
        _watch(server)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.changed(server.documents.put(item.uri, item.text, item.version))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        text = params.content_changes[-1].text
        server.changed(server.documents.put(params.text_document.uri, text, params.text_document.version))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def stored(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.stored({path_of(change.uri) for change in params.changes})

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(params: None) -> None:
        for handle in server.waiting.values():
            handle.cancel()
        await server.prover.stop()


def _watch(server: Server) -> None:
    """Ask to be told of stored files that change, where the client can do that."""
    workspace = server.client_capabilities.workspace
    watching = workspace and workspace.did_change_watched_files
    if watching and watching.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.cwk")])
        wanted = lsp.Registration("stored", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([wanted]))


# ---------------------------------------------------------------------------- reading


def _reading(server: Server) -> None:
    triggers = lsp.CompletionOptions(trigger_characters=[".", "@", "(", "{", ":", ","])

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, triggers)
    def complete(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        document, offset = server.place(params)
        found = completion(document.analysis, offset)
        return conversion.completion_list(found, document.lines) if found else None

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        document, offset = server.place(params)
        found = hover(document.analysis, offset, document.theorems)
        if found is None:
            return None
        shown = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
        return lsp.Hover(shown, conversion.range_in(document.lines, found.span.start, found.span.end))

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document, offset = server.place(params)
        found = signature_at(document.analysis, offset)
        return conversion.signature_help(found) if found else None


# ---------------------------------------------------------------------------- names


def _naming(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(params: lsp.DefinitionParams) -> lsp.Location | None:
        document, offset = server.place(params)
        found = definition(document.analysis, offset)
        return conversion.location(found, server.documents.length) if found else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def referred(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document, offset = server.place(params)
        found = document.analysis.readable.at(offset)
        if found is None:
            return []
        analyses = [document.analysis, *server.documents.others(document, found.symbol.name)]
        wanted = (
            each
            for each in references(found.symbol, analyses)
            if params.context.include_declaration or not each.declares
        )
        return [conversion.location(each.span, server.documents.length) for each in wanted]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        document, offset = server.place(params)
        try:
            found = renamable(document.analysis, offset)
        except RefusedError as refused:
            raise JsonRpcInvalidParams(str(refused)) from refused
        place = conversion.range_in(document.lines, found.span.start, found.span.end)
        return lsp.PrepareRenamePlaceholder(place, found.symbol.name)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document, offset = server.place(params)
        try:
            symbol = renamable(document.analysis, offset).symbol
            others = server.documents.others(document, symbol.name)
            edits = rename(document.analysis, offset, params.new_name, server.documents.project, others)
        except RefusedError as refused:
            raise JsonRpcInvalidParams(str(refused)) from refused
        return conversion.workspace_edit(edits, server.documents.length)


# ---------------------------------------------------------------------------- shape


def _shape(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = server.document(params)
        return [conversion.document_symbol(entry, document.lines) for entry in outline(document.analysis)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        return [conversion.folding_range(fold) for fold in folds(server.document(params).analysis)]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, conversion.LEGEND)
    def coloured(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        document = server.document(params)
        return conversion.semantic_tokens(colours(document.analysis), document.lines)


def _formatting(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(params)
        text, _ = format_text(Source("text", document.text))
        if text is None or text == document.text:
            return []
        return [lsp.TextEdit(conversion.range_in(document.lines, 0, len(document.text)), text)]


# ---------------------------------------------------------------------------- help


def _help(server: Server) -> None:
    kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)
    def fixes(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document, length = server.document(params), server.documents.length
        analysis, lines = document.analysis, document.lines
        start = lines.offset(params.range.start.line, params.range.start.character)
        end = lines.offset(params.range.end.line, params.range.end.character)
        return [
            conversion.code_action(
                action, document.uri, conversion.diagnostics([action.diagnostic], analysis, lines, length)[0], length
            )
            for action in actions(analysis, start, end, server.documents.project)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = server.document(params)
        return [conversion.code_lens(each, document.uri, document.lines) for each in lenses(document.analysis)]

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.document(params)
        start = document.lines.offset(params.range.start.line, params.range.start.character)
        end = document.lines.offset(params.range.end.line, params.range.end.character)
        return [conversion.inlay_hint(hint, document.lines) for hint in hints(document.analysis, start, end)]


# ---------------------------------------------------------------------------- commands


def _commands(server: Server) -> None:
    @server.command("cwk.prove")
    async def prove(uri: str, task: str) -> dict[str, Any] | None:
        return await _established(server, uri, task, rehearse=False)

    @server.command("cwk.rehearse")
    async def rehearse(uri: str, task: str) -> dict[str, Any] | None:
        return await _established(server, uri, task, rehearse=True)

    @server.command("cwk.play")
    def play(uri: str, task: str) -> str:
        """A command for a terminal, in which a person then plays the agent."""
        path = path_of(uri)
        pack = Path(tempfile.gettempdir(), "cwkc-play", Path(path).stem)
        compiler = [sys.executable, "-m", "cwkc"]
        build = shlex.join([*compiler, "build", path, "-o", str(pack)])
        return f"{build} && {shlex.join([*compiler, 'run', str(pack), task, '--agent', 'human'])}"


async def _established(server: Server, uri: str, task: str, rehearse: bool) -> dict[str, Any] | None:
    """What is established of a task: its theorems with their verdicts; None where the text has changed meanwhile."""
    document = server.documents.open.get(uri)
    answer = await server.prove(document, rehearse) if document else None
    if answer is None:
        return None
    theorems = answer.theorems.get(task, ())
    established = [name for name, verdict in theorems if verdict in ("proved", "executed")]
    done = "rehearsed" if rehearse else "proved"
    is_good = bool(theorems) and not has_errors(answer.diagnostics)
    words = f"`{task}` is {done}: {len(established)} of {len(theorems)} theorems are established"
    kind = lsp.MessageType.Info if is_good else lsp.MessageType.Warning
    server.window_show_message(lsp.ShowMessageParams(kind, words if is_good else f"`{task}` has mistakes"))
    return {"task": task, "theorems": [list(theorem) for theorem in theorems]}
