"""What the README and the documentation show is true: their files build, their links lead somewhere."""

import re
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Pack
from cwkc import driver
from cwkc.cli import COMMANDS
from cwkc.diagnostics.terminal import Page, render
from cwkc.editor.builtins import BUILTINS
from cwkc.folder import write_pack
from cwkc.highlight.groups import groups
from cwkc.source import Source
from cwkc.syntax.parser import concrete
from tests import walkthrough

ROOT = Path(__file__).resolve().parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "grammar" / "SYNTAX.md", *DOCS]
FROM_NOTHING = {ROOT / "docs" / "tutorial.md", *(ROOT / "docs" / "howto").glob("*.md")}
"""Pages that begin in an empty folder: `test_tutorial` takes their steps."""

LANGUAGE = ROOT / "docs" / "language.md"


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def shown(page: Path) -> list[walkthrough.Block]:
    return list(walkthrough.blocks(page.read_text(encoding="utf-8")))


def readme_task() -> str:
    """The task that the README begins with."""
    (task,) = (block.text for block in shown(ROOT / "README.md") if block.language == "cwk")
    return task


@pytest.mark.parametrize("page", [page for page in PAGES if page not in FROM_NOTHING], ids=name)
def test_files_shown_are_clean(page: Path, tmp_path: Path) -> None:
    files = []
    for number, block in enumerate(shown(page)):
        path = tmp_path / (block.file or f"shown_{number}.cwk")
        if block.file or block.language == "cwk":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        if block.language == "cwk":
            files.append(path)
    for path in files:
        found = driver.build([path]).diagnostics
        assert not found, render(found, Page())


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_headings_lead_to_one(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        text = (page.parent / target if target else page).read_text(encoding="utf-8")
        anchors = {
            re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.M)
        }
        assert heading in anchors


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_lines_of_prose_have_at_most_120_columns(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert [line for line in prose.splitlines() if len(line) > 120 and not line.startswith("|")] == []


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {index.parent / target for target in re.findall(r"\]\(([^)#:]+)", index.read_text(encoding="utf-8"))}
    assert [page.name for page in DOCS if page not in {index, *linked}] == []


def test_the_readme_lists_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`cwkc {name}" not in text] == []


def test_every_word_of_the_grammar_stands_in_an_example() -> None:
    words = {word for group in groups().values() for word in group}
    examples = [block.text for page in DOCS for block in shown(page) if block.language == "cwk"]
    used = {token.value for text in examples for token in tokens(text) if token.type != "NAME"}
    assert words - used == set()


def tokens(text: str) -> list[Any]:
    tree = concrete(Source("shown.cwk", text))
    return [] if tree is None else list(tree.scan_values(lambda value: True))


def test_the_reference_has_every_function() -> None:
    text = LANGUAGE.read_text(encoding="utf-8")
    assert [name for name in BUILTINS if f"`{name}(" not in text] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page not in FROM_NOTHING], ids=name)
def test_what_is_shown_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside `task.cwk`, the README's, and `dist`, its pack."""
    monkeypatch.chdir(tmp_path)
    Path("task.cwk").write_text(readme_task(), encoding="utf-8")
    files = driver.build([Path("task.cwk")]).files
    assert files is not None
    write_pack(files, Path("dist"))
    names = walkthrough.play(page.read_text(encoding="utf-8"), tmp_path)
    if "careful" in names:
        env = Pack.open("dist").env("raise_stale")
        names["careful"](env)
        assert env.score().completion > 0
