"""How soon after a key the editor knows what is wrong, through a real client and a real server.

    python benchmarks/language_server.py

A file of about 300 lines, made of examples, is typed into at several places, a character a time: from each change to
the diagnostics for it, in the time that passes, which other work on the machine makes longer, and in the server's CPU
time, which it does not. And beside it what the analysis alone takes in this process, in CPU time. Linux only.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from statistics import median, quantiles
from time import clock_gettime, perf_counter, process_time

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from cwkc.editor import Project

EXAMPLES = Path(__file__).parent.parent / "examples"
PARTS = ("operations/outage_postmortem", "office/onboarding")
URI = "file:///bench/typed.cwk"
KEYS = "  # a word of explanation, typed a key at a time\n"


def joined() -> str:
    """The examples as one file: every `use` once, then the tasks."""
    texts = [(EXAMPLES / f"{name}.cwk").read_text(encoding="utf-8") for name in PARTS]
    used = dict.fromkeys(
        name for text in texts for name in re.findall(r"^use (.*)$", text, re.M) for name in name.split(", ")
    )
    bodies = [re.sub(r"^(cwk 1|use .*)$", "", text, flags=re.M).strip() for text in texts]
    return "\n\n".join(["cwk 1", f"use {', '.join(used)}", *bodies]) + "\n"


def typed(text: str) -> list[str]:
    """The text after each key, at its beginning, in the middle and at its end."""
    versions = []
    starts = [match.start() for match in re.finditer(r"^  let ", text, re.M)]
    for start in (starts[0], starts[len(starts) // 2], starts[-1]):
        for count in range(1, len(KEYS) + 1):
            versions.append(text[:start] + KEYS[:count] + text[start:])
    return versions


class Client(LanguageClient):
    def __init__(self) -> None:
        super().__init__("benchmark", "1")
        self.told: dict[int, asyncio.Future[float]] = {}

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            waiting = self.told.pop(params.version or 0, None)
            if waiting is not None:
                waiting.set_result(perf_counter())

    @property
    def spent(self) -> float:
        """The server's CPU seconds until now, without those of the process that proves for it."""
        assert self._server is not None, "it was started"
        return clock_gettime(~self._server.pid << 3 | 2)  # how Linux numbers the CPU clock of another process

    async def after(self, version: int) -> float:
        """When the diagnostics of a version came."""
        self.told[version] = asyncio.get_running_loop().create_future()
        return await self.told[version]


async def through_client(text: str) -> tuple[list[float], list[float]]:
    """The seconds that passed with each key, and the server's CPU seconds."""
    client = Client()
    await client.start_io(sys.executable, "-m", "cwkc", "lsp")
    await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "cwk", 1, text)))
    for _ in ("syntax and types", "proofs"):  # who opens a file reads before the first key
        await client.after(1)
    times, costs = [], []
    for version, changed in enumerate(typed(text), start=2):
        identifier = lsp.VersionedTextDocumentIdentifier(version=version, uri=URI)
        change = lsp.TextDocumentContentChangeWholeDocument(changed)
        start, spent = perf_counter(), client.spent
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))
        times.append(await client.after(version) - start)
        costs.append(client.spent - spent)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return times, costs


def alone(text: str) -> list[float]:
    project = Project({})
    times = []
    for changed in typed(text):
        start = process_time()
        project.analyse("/bench/typed.cwk", changed)
        times.append(process_time() - start)
    return times


def main() -> None:
    text = joined()
    passed, spent = asyncio.run(through_client(text))
    print(f"{text.count(chr(10))} lines, {len(typed(text))} keys; milliseconds")
    rows = {"through a client": passed, "the server's CPU": spent, "the analysis alone, CPU": alone(text)}
    for name, times in rows.items():
        late = quantiles(times, n=20)[-1]
        print(f"{name:24} median {median(times) * 1000:6.0f}   95th percentile {late * 1000:6.0f}")


if __name__ == "__main__":
    main()
