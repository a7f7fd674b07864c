"""The extension for Visual Studio Code: what scripts write for it is up to date, its grammar works in the engine."""

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from cwkc.cli import COMMANDS
from cwkc.editor.lenses import ACTIONS
from cwkc.source import Source
from cwkc.syntax.parser import parse
from scripts.editors import FOLDER, GRAMMAR, ICON, grammar_text, icon


def loaded(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def test_what_is_written_by_a_script_is_up_to_date() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == grammar_text(), "run `python -m scripts.editors`"
    assert ICON.read_bytes() == icon(), "run `python -m scripts.editors`"


def test_what_the_package_names_is_there() -> None:
    contributed = loaded("package.json")["contributes"]
    named = [contributed[kind][0][key] for kind, key in (("grammars", "path"), ("snippets", "path"))]
    assert all((FOLDER / path).is_file() for path in (*named, contributed["languages"][0]["configuration"]))
    command = contributed["configuration"]["properties"]["cwk.server.command"]["default"]
    assert command[0] == "cwkc"
    assert command[1] in COMMANDS


def test_the_extension_plays_what_the_server_offers() -> None:
    text = (FOLDER / "src" / "extension.js").read_text(encoding="utf-8")
    assert '"cwk.play"' in text
    assert "play" in ACTIONS


@pytest.mark.parametrize("name", ["A task", "A service", "A world"])
def test_snippets_of_items_can_be_read(name: str) -> None:
    body = "\n".join(loaded("snippets/cwk.json")[name]["body"])
    _, found = parse(Source("snippet.cwk", f"cwk 1\n{_filled(body)}"))
    assert found == ()


def _filled(body: str) -> str:
    """A snippet as it stands when every place keeps what is proposed for it."""
    proposed = dict(re.findall(r"\$\{(\d+)[:|]([^}|,]*)", body))
    text = re.sub(r"\$\{(\d+)[:|]([^}]*?)\|?\}", lambda place: place[2].split(",")[0], body)
    return re.sub(r"\$\{?(\d+)\}?", lambda place: proposed.get(place[1], ""), text)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="needs `npm ci` in editors/vscode")
def test_the_grammar_in_the_engine_that_editors_use() -> None:
    run = subprocess.run(["node", "--test", "test/"], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
