"""Laws of the analysis: it never raises, and what it remembers from one text to the next changes nothing."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cwkc.diagnostics import Diagnostic
from cwkc.dump import dump
from cwkc.editor import Analysis, Project
from cwkc.editor.actions import actions
from cwkc.editor.colours import colours
from cwkc.editor.completion import completion
from cwkc.editor.folding import folds
from cwkc.editor.hints import hints
from cwkc.editor.hover import hover
from cwkc.editor.lenses import lenses
from cwkc.editor.lines import Length, Lines, utf8_length, utf16_length
from cwkc.editor.mending import mended
from cwkc.editor.navigation import definition
from cwkc.editor.outline import outline
from cwkc.editor.renaming import RefusedError, rename
from cwkc.editor.signatures import signature_at
from cwkc.source import Source
from tests.cwkc.editor.support import PATH, WHOLE

ROOT = Path(__file__).parents[3]
TEXTS = [WHOLE, *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.cwk"))[:4])]
SCRAPS = ["{", "}", "(", '"', '"""', "@", "@T-1", ".", ".{", ":", "#", "🗂", "\r", "\n", "only ", "task x {", "let a = "]
SCRAPS += ["service s {", "called desk.", "where ", '$"{', "0.5 ", "use ", "\0", "]", "== ", ", ", "漢"]

edits = st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(SCRAPS) | st.text(max_size=5))


def edited(text: str, changes: list[tuple[float, int, str]]) -> list[str]:
    """The text after each change: at a part of its length so many characters become others."""
    versions = []
    for part, removed, added in changes:
        start = int(part * len(text))
        text = text[:start] + added + text[start + removed :]
        versions.append(text)
    return versions


def ask_everything(analysis: Analysis, offset: int, project: Project) -> None:
    completion(analysis, offset)
    hover(analysis, offset, {})
    signature_at(analysis, offset)
    definition(analysis, offset)
    outline(analysis)
    folds(analysis)
    colours(analysis)
    lenses(analysis)
    hints(analysis, 0, offset)
    for _ in actions(analysis, offset, offset, project):
        pass


@settings(max_examples=30)
@given(text=st.sampled_from(TEXTS), changes=st.lists(edits, min_size=1, max_size=4), place=st.floats(0, 1))
def test_no_text_makes_it_raise(text: str, changes: list[tuple[float, int, str]], place: float) -> None:
    project = Project({})
    for version in edited(text, changes):
        analysis = project.analyse(PATH, version)
        assert len(mended(analysis.source).text) >= len(version)
        ask_everything(analysis, int(place * len(version)), project)


def shown(analysis: Analysis) -> tuple[str, list[tuple[str, int, int, str]], list[tuple[int, int, bool, str]]]:
    """The tree, the diagnostics with their places, and the occurrences with theirs."""
    return (
        dump(analysis.module),
        [_told(each) for each in analysis.diagnostics],
        [(each.span.start, each.span.end, each.declares, each.symbol.kind) for each in analysis.occurrences],
    )


def _told(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    return diagnostic.code, diagnostic.span.start, diagnostic.span.end, diagnostic.message


@settings(max_examples=20)
@given(text=st.sampled_from(TEXTS), changes=st.lists(edits, min_size=1, max_size=5))
def test_what_is_remembered_changes_nothing(text: str, changes: list[tuple[float, int, str]]) -> None:
    project = Project({})
    project.analyse(PATH, text)
    for version in edited(text, changes):
        assert shown(project.analyse(PATH, version)) == shown(Project({}).analyse(PATH, version))


@given(
    text=st.text(alphabet="ab\r\n漢🗂é"), place=st.floats(0, 1), length=st.sampled_from([utf16_length, utf8_length, len])
)
def test_places_and_offsets_are_one_another(text: str, place: float, length: Length) -> None:
    lines = Lines(text, length)
    offset = int(place * len(text))
    if text[offset - 1 : offset + 1] != "\r\n":
        assert lines.offset(*lines.place(offset)) == offset


@settings(max_examples=15)
@given(place=st.floats(0, 1), name=st.sampled_from(["goal", "t", "owner", "desk", "closed"]))
def test_a_renaming_that_is_not_refused_leaves_nothing_wrong(place: float, name: str) -> None:
    project = Project({})
    analysis = project.analyse(PATH, WHOLE)
    try:
        edits = rename(analysis, int(place * len(WHOLE)), name, project, [])
    except RefusedError:
        return
    assert all(edit.span.source is analysis.source for edit in edits)


def test_mending_keeps_every_place() -> None:
    text = WHOLE.replace("let owner = target.owner", "let owner = target.")
    result = mended(Source(PATH, text)).text
    assert len(result) == len(text)
    assert result.index("check 0.25") == text.index("check 0.25")
    assert "let owner" not in result
    assert "let target" in result
