"""The tutorial and the how-tos, done step by step from an empty folder."""

from pathlib import Path

import pytest

from tests import walkthrough

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [DOCS / "tutorial.md", *sorted((DOCS / "howto").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_shown_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    walkthrough.play(page.read_text(encoding="utf-8"), tmp_path)
