"""`cwkc import`: what it writes, and what it leaves alone."""

import json
import os
from pathlib import Path

import pytest

from tests.cwkc.cli.conftest import Command

TOOLS = json.dumps([{"name": "ping", "inputSchema": {"type": "object"}}])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("probe.json").write_text(TOOLS, encoding="utf-8")


def test_the_file_is_called_after_what_is_imported(cwkc: Command) -> None:
    shown = cwkc("import", "mcp", "probe.json")
    assert (shown.status, shown.out) == (0, "wrote probe.cwk\n")
    assert "warning[W601]: `ping` is left to do" in shown.err
    assert "--> probe.json:1:2" in shown.err
    assert cwkc("check", "probe.cwk").status == 0
    assert cwkc("fmt", "--check", "probe.cwk").status == 0


def test_a_file_that_is_there_is_replaced_only_by_force(cwkc: Command) -> None:
    Path("mine.cwk").write_text("cwk 1", encoding="utf-8")
    refused = cwkc("import", "mcp", "probe.json", "-o", "mine.cwk")
    assert (refused.status, Path("mine.cwk").read_text()) == (2, "cwk 1")
    assert "--force replaces it" in refused.err
    assert cwkc("import", "mcp", "probe.json", "-o", "mine.cwk", "--force").status == 0
    assert "service probe" in Path("mine.cwk").read_text()


def test_what_cannot_be_imported_writes_nothing(cwkc: Command) -> None:
    Path("broken.json").write_text('{"tools": ', encoding="utf-8")
    shown = cwkc("import", "mcp", "broken.json")
    assert (shown.status, shown.out) == (1, "")
    assert "error[E601]: `broken.json` is no JSON" in shown.err
    assert sorted(os.listdir()) == ["broken.json", "probe.json"]


def test_a_file_that_cannot_be_written_is_told(cwkc: Command) -> None:
    shown = cwkc("import", "mcp", "probe.json", "-o", "gone/probe.cwk")
    assert (shown.status, sorted(os.listdir())) == (2, ["probe.json"])
    assert "cannot write `gone/probe.cwk`" in shown.err


def test_an_interruption_leaves_nothing_half_written(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert cwkc("import", "mcp", "probe.json").status == 130
    assert os.listdir() == ["probe.json"]


@pytest.mark.parametrize("kind", ["claw-eval", "openapi", "mcp"])
def test_a_source_that_is_not_there_is_wrong_use(kind: str, cwkc: Command) -> None:
    assert cwkc("import", kind, "nothing").status == 2
