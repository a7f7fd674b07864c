"""The server as an editor meets it: a process of its own, spoken to by a client, a conversation for each feature."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.cwkc.editor.support import SERVICE, WHOLE, marked

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVER = ClientServerConfig(
    server_command=[sys.executable, "-m", "cwkc", "lsp"],
    server_env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
)
NUMBERS = count(1)
WIDE = WHOLE.replace("given 2d", "# 🗂漢 given\n  given 2d")


@pytest_lsp.fixture(scope="module", config=SERVER)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def registered(params: lsp.RegistrationParams) -> None:
        """The client would watch the files; the tests tell of them themselves."""
        assert [each.method for each in params.registrations] == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]

    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities=capabilities, workspace_folders=[]))
    yield
    await lsp_client.shutdown_session()


class Open:
    """A file that the client has open."""

    def __init__(self, client: LanguageClient, text: str, name: str = "", folder: str = "/project") -> None:
        self.client = client
        self.uri = f"file://{folder}/{name or f'file{next(NUMBERS)}'}.cwk"
        self.text = text
        self.version = 1
        self.document = lsp.TextDocumentIdentifier(self.uri)
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, "cwk", self.version, text))
        )

    def change(self, text: str) -> None:
        self.text = text
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def told(self) -> list[str]:
        """The next diagnostics of this file: their codes."""
        while True:
            found = await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            if found.uri == self.uri and found.version == self.version:
                return [str(each.code) for each in found.diagnostics]

    def place(self, words: str, inner: str = "") -> lsp.Position:
        """The place of something within some words, its column in UTF-16."""
        offset = self.text.index(words) + (words.index(inner) if inner else 0)
        start = self.text.rfind("\n", 0, offset) + 1
        column = len(self.text[start:offset].encode("utf-16-le")) // 2
        return lsp.Position(self.text.count("\n", 0, offset), column)

    def at(self, words: str, inner: str = "") -> dict[str, Any]:
        return {"text_document": self.document, "position": self.place(words, inner)}


def line_of(text: str, words: str) -> int:
    return text.count("\n", 0, text.index(words))


# ---------------------------------------------------------------------------- diagnostics


async def test_diagnostics_while_typing_and_proofs_after_a_pause(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    assert await file.told() == []
    file.change(WHOLE.replace("target.status == closed", "target.statu == closed"))
    assert await file.told() == ["E205"]
    (found,) = client.diagnostics[file.uri]
    assert found.range.start == file.place("target.statu ==", "statu")
    assert found.message.endswith("did you mean `status`?")
    assert [each.message for each in found.related_information or ()] == ["declared here"]
    file.change(WHOLE.replace("check 0.75", "check 0.25"))
    assert await file.told() == []
    assert await file.told() == ["E406"]


async def test_a_key_takes_back_what_was_being_proved(client: LanguageClient) -> None:
    file = Open(client, WHOLE.replace("check 0.75", "check 0.25"))
    assert await file.told() == []
    file.change(WHOLE)
    assert await file.told() == []
    assert await file.told() == []
    assert client.diagnostics[file.uri] == ()


async def test_columns_are_counted_in_utf_16(client: LanguageClient) -> None:
    text = WHOLE.replace('title: "Old 🗂 stück", owner: @P-1', 'title: "Old 🗂漢 stück", ownr: @P-1')
    file = Open(client, text)
    assert await file.told() == ["E205"]
    (found,) = client.diagnostics[file.uri]
    row = '    @T-1 { title: "Old 🗂漢 stück", '
    assert found.range.start.character == len(row) + 1
    assert found.range == lsp.Range(file.place("ownr"), file.place("ownr: ", ":"))


async def test_columns_are_counted_in_utf_8_where_the_client_prefers_it() -> None:
    client = await SERVER.start()
    assert isinstance(client, LanguageClient)
    general = lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf8])
    await client.initialize_session(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(general=general)))
    file = Open(client, WHOLE.replace('"Old 🗂 stück", owner: @P-1', '"Old 🗂 stück", ownr: @P-1'))
    assert await file.told() == ["E205"]
    (found,) = client.diagnostics[file.uri]
    assert found.range.start.character == len('    @T-1 { title: "Old 🗂 stück", '.encode())
    await client.shutdown_session()
    await client.stop()


async def test_a_file_that_another_uses(client: LanguageClient) -> None:
    used = Open(client, SERVICE, "used")
    await used.told()
    file = Open(client, WHOLE.replace(SERVICE, 'cwk 1\n\nuse "used.cwk"\n'), "user")
    assert await file.told() == []
    used.change(SERVICE.replace("status: Status = open", "state: Status = open"))
    assert "E205" in await file.told()
    assert client.diagnostics[file.uri][0].range.start == file.place('"used.cwk"')
    used.change(SERVICE)
    assert await file.told() == []


async def test_a_file_that_another_uses_changes_where_it_is_stored(client: LanguageClient, tmp_path: Path) -> None:
    used = tmp_path / "used.cwk"
    used.write_text(SERVICE, encoding="utf-8")
    text = WHOLE.replace(SERVICE, 'cwk 1\n\nuse "used.cwk"\n')
    file = Open(client, text, folder=tmp_path.as_posix())
    assert await file.told() == []
    used.write_text(SERVICE.replace("status: Status = open", "state: Status = open"), encoding="utf-8")
    file.change(text + "# a key\n")
    assert "E205" in await file.told()
    used.write_text(SERVICE, encoding="utf-8")
    change = lsp.FileEvent(used.as_uri(), lsp.FileChangeType.Changed)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    assert await file.told() == []


# ---------------------------------------------------------------------------- reading


async def test_completion(client: LanguageClient) -> None:
    text, offset = marked(WIDE.replace("given 2d", 'check 0 "🗂漢" target.ow|\n  given 2d'))
    file = Open(client, text)
    place = file.place("target.ow\n", "ow")
    place.character += 2
    found = await client.text_document_completion_async(lsp.CompletionParams(file.document, place))
    assert isinstance(found, lsp.CompletionList)
    assert [item.label for item in found.items] == ["title", "owner", "status", "opened", "id"]
    (item,) = [item for item in found.items if item.label == "owner"]
    assert isinstance(item.text_edit, lsp.TextEdit)
    assert item.text_edit.range == lsp.Range(file.place("target.ow\n", "ow"), place)
    assert (item.kind, item.detail) == (lsp.CompletionItemKind.Field, "desk.Person?")
    assert text[:offset].endswith("target.ow")


async def test_hover_with_the_theorems_once_they_are_known(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    assert await file.told() == []
    found = await client.text_document_hover_async(lsp.HoverParams(**file.at("let target", "target")))
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.contents.value == "```cwk\nlet target: desk.Ticket = @T-1\n```"
    await file.told()
    found = await client.text_document_hover_async(lsp.HoverParams(**file.at("task stale", "stale")))
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert "| consistent | executed |" in found.contents.value


async def test_signature_help(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    place = lsp.SignatureHelpParams(**file.at("(ticket_id: target)", "ticket_id"))
    found = await client.text_document_signature_help_async(place)
    assert found is not None
    assert found.signatures[0].label == "desk.get_ticket(ticket_id: desk.Ticket)"
    assert found.active_parameter == 0


# ---------------------------------------------------------------------------- names


async def test_definition(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    found = await client.text_document_definition_async(lsp.DefinitionParams(**file.at("== closed", "closed")))
    start = file.place("open, closed", "closed")
    assert found == lsp.Location(file.uri, lsp.Range(start, lsp.Position(start.line, start.character + len("closed"))))


async def test_definition_in_a_standard_service(client: LanguageClient) -> None:
    file = Open(client, "cwk 1\nuse helpdesk\n")
    found = await client.text_document_definition_async(lsp.DefinitionParams(**file.at("helpdesk")))
    assert isinstance(found, lsp.Location)
    assert found.uri.endswith("/stdlib/helpdesk.cwk")


async def test_references(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    for declared in (True, False):
        context = lsp.ReferenceContext(include_declaration=declared)
        found = await client.text_document_references_async(
            lsp.ReferenceParams(context, **file.at("let owner", "owner"))
        )
        assert len(found or ()) == declared


async def test_rename(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    place = file.at("let target", "target")
    prepared = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**place))
    assert isinstance(prepared, lsp.PrepareRenamePlaceholder)
    assert prepared.placeholder == "target"
    edit = await client.text_document_rename_async(lsp.RenameParams(new_name="goal", **place))
    assert edit is not None
    assert edit.changes is not None
    assert [each.new_text for each in edit.changes[file.uri]] == ["goal"] * WHOLE.count("target")


async def test_a_rename_that_is_not_safe_says_why(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    with pytest.raises(JsonRpcException, match="with `owner`, the truth `owner` is there twice"):
        await client.text_document_rename_async(lsp.RenameParams(new_name="owner", **file.at("let target", "target")))


# ---------------------------------------------------------------------------- shape


async def test_document_symbols(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    found = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(file.document))
    assert found is not None
    assert [each.name for each in found] == ["desk", "stale"]
    task = found[1]
    assert isinstance(task, lsp.DocumentSymbol)
    assert [each.name for each in task.children or ()][-3:] == ["reads it", "closes it", "touches others"]
    assert task.selection_range.start == file.place("task stale", "stale")


async def test_folding(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    found = await client.text_document_folding_range_async(lsp.FoldingRangeParams(file.document))
    lines = [(each.start_line, each.end_line) for each in found or ()]
    assert (line_of(WHOLE, "task stale"), line_of(WHOLE, "allow W403")) in lines


async def test_semantic_tokens(client: LanguageClient) -> None:
    file = Open(client, WIDE)
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(file.document))
    assert found is not None
    line = column = 0
    places = []
    for first in range(0, len(found.data), 5):
        down, across, length, _, _ = found.data[first : first + 5]
        line, column = line + down, across if down else column + across
        places.append((line, column, length))
    row = file.place("owner: @P-1", "@P-1")
    assert (row.line, row.character, len("@P-1")) in places
    comment = file.place("# 🗂漢 given")
    assert (comment.line, comment.character, len("# 🗂漢 given") + 1) in places


async def test_formatting(client: LanguageClient) -> None:
    file = Open(client, WIDE.replace("  given 2d", "      given   2d"))
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    found = await client.text_document_formatting_async(lsp.DocumentFormattingParams(file.document, options))
    (edit,) = found or ()
    assert "\n  given 2d\n" in edit.new_text
    file.change(edit.new_text)
    assert not await client.text_document_formatting_async(lsp.DocumentFormattingParams(file.document, options))


# ---------------------------------------------------------------------------- help


async def test_code_actions(client: LanguageClient) -> None:
    file = Open(client, WHOLE.replace("target.status == closed", "target.statu == closed"))
    place = file.place("target.statu", "statu")
    context = lsp.CodeActionContext(diagnostics=[])
    found = await client.text_document_code_action_async(
        lsp.CodeActionParams(file.document, lsp.Range(place, place), context)
    )
    assert found is not None
    (action,) = found
    assert isinstance(action, lsp.CodeAction)
    assert action.title == "Replace `statu` with `status`"
    assert action.edit is not None
    assert action.edit.changes is not None
    assert [each.new_text for each in action.edit.changes[file.uri]] == ["status"]


async def test_code_lenses_and_their_commands(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    found = await client.text_document_code_lens_async(lsp.CodeLensParams(file.document))
    commands = [each.command for each in found or () if each.command]
    assert [command.title for command in commands] == ["Prove", "Rehearse", "Play"]
    answers = []
    for command in commands:
        params = lsp.ExecuteCommandParams(command.command, command.arguments)
        answers.append(await client.workspace_execute_command_async(params))
    proved, rehearsed, played = answers
    assert ["consistent", "executed"] in proved["theorems"]
    assert ["sharp", "not checked"] in proved["theorems"]
    assert ["sharp", "executed"] in rehearsed["theorems"]
    assert played.endswith("stale --agent human")
    assert [each.message.partition(":")[0] for each in client.messages[-2:]] == [
        "`stale` is proved",
        "`stale` is rehearsed",
    ]


async def test_inlay_hints(client: LanguageClient) -> None:
    file = Open(client, WHOLE)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))
    found = await client.text_document_inlay_hint_async(lsp.InlayHintParams(file.document, whole))
    assert [each.label for each in found or ()] == ["= @T-1", "= @P-1", "Σ 0.25", "Σ 1"]


async def test_what_is_closed_is_forgotten(client: LanguageClient) -> None:
    file = Open(client, WHOLE.replace("check 0.75", "check 0.75 0.75"))
    assert await file.told() != []
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(file.document))
    while client.diagnostics[file.uri]:  # what was found before may be told once more
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    with pytest.raises(JsonRpcException, match="is not open"):
        await client.text_document_hover_async(lsp.HoverParams(**file.at("task stale")))
