"""What the README and the documentation show is true: their files build, their links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Pack
from cwkc import driver
from cwkc.cli import COMMANDS
from cwkc.diagnostics.terminal import Page, render
from cwkc.folder import write_pack

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "grammar" / "SYNTAX.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
FILES = [
    pytest.param(text, id=f"{page.stem}-{index}")
    for page in PAGES
    for index, text in enumerate(re.findall(r"^```cwk\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S))
]


def readme_task() -> str:
    """The task that the README begins with."""
    (task,) = re.findall(r"^```cwk\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    return str(task)


@pytest.mark.parametrize("text", FILES)
def test_files_shown_are_clean(text: str, tmp_path: Path) -> None:
    path = tmp_path / "shown.cwk"
    path.write_text(text, encoding="utf-8")
    found = driver.build([path]).diagnostics
    assert not found, render(found, Page())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_lists_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`cwkc {name}" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines after `$ ` are commands, lines after `> ` are typed to the last of them."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(os.path.abspath, sys.path)))
    (tmp_path / "task.cwk").write_text(readme_task(), encoding="utf-8")
    for shown in re.findall(r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
        commands = re.findall(r"^\$ (.*)$", shown, re.M)
        typed = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", shown, re.M))
        script = "\n".join(commands).replace("cwkc", f"{sys.executable} -m cwkc")
        run = subprocess.run(script, shell=True, cwd=tmp_path, input=typed, capture_output=True, text=True, check=False)
        expected = [line for line in shown.splitlines() if not line.startswith("$ ")]
        assert run.stdout.splitlines() == expected, run.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_shown_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("task.cwk").write_text(readme_task(), encoding="utf-8")
    files = driver.build([Path("task.cwk")]).files
    assert files is not None
    write_pack(files, Path("dist"))
    names: dict[str, Any] = {}
    for program in re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
        exec(program, names)
    if "careful" in names:
        env = Pack.open("dist").env("raise_stale")
        names["careful"](env)
        assert env.score().completion > 0
