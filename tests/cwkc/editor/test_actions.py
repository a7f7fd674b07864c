"""Quick fixes: offered where one word mends it, and only when it does."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from cwkc.diagnostics import Diagnostic
from cwkc.editor import Project
from cwkc.editor.actions import actions
from cwkc.editor.renaming import applied
from tests.cwkc.editor.support import PATH, WHOLE

CORPUS = Path(__file__).parents[2] / "corpus" / "bad"


def fixes(text: str) -> list[tuple[str, str]]:
    """The title of each fix, and the text with it."""
    project = Project({})
    analysis = project.analyse(PATH, text)
    return [(each.title, applied(text, [each.edit])) for each in actions(analysis, 0, len(text), project)]


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("target.status == closed", "target.statu == closed", "Replace `statu` with `status`"),
        ("target.status == closed", "target.status == closd", "Replace `closd` with `closed`"),
        ("target.status == closed", 'target.status == "closed"', 'Replace `"closed"` with `closed`'),
        ("target.status == closed", "target.status = closed", "Replace `=` with `==`"),
        ("owner: @P-1", 'owner: "P-1"', 'Replace `"P-1"` with `@P-1`'),
        ("owner: @P-1", "owner: @P-11", "Replace `@P-11` with `@P-1`"),
        ("desk.get_ticket(", "desk.gt_ticket(", "Replace `gt_ticket` with `get_ticket`"),
        ("given 2d", "given: 2d", "Remove `:`"),
        ("difficulty: easy", "difficult: easy", "Replace `difficult` with `difficulty`"),
        ("now - t.opened > 48h", "now - t.opened > 48h && true", "Replace `&&` with `and`"),
    ],
)
def test_fixes(right: str, wrong: str, title: str) -> None:
    text = WHOLE.replace(right, wrong)
    titles = dict(fixes(text))
    assert title in titles
    assert titles[title] == (WHOLE if "&&" not in wrong else text.replace("&&", "and"))


def test_a_fix_that_would_not_help_is_not_offered() -> None:
    """The close id is one that stands in quotes."""
    text = 'cwk 1\nuse files\ntask x {\n  data files.files { @"orders.csv" { text: "a" } }\n  given @"order.csv"\n}\n'
    assert fixes(text) == []


@pytest.mark.parametrize("folder", sorted(CORPUS.iterdir()), ids=lambda folder: folder.name)
def test_fixes_of_the_corpus_mend_what_they_say(folder: Path) -> None:
    path = folder / "input.cwk"
    if not path.is_file():
        return
    text = path.read_bytes().decode(errors="replace")
    project = Project({})
    analysis = project.analyse(path.as_posix(), text)
    for each in actions(analysis, 0, len(text), project):
        after = project.analyse(path.as_posix(), applied(text, [each.edit])).diagnostics
        assert _count(each.diagnostic.code, after) < _count(each.diagnostic.code, analysis.diagnostics)


def _count(code: str, diagnostics: Iterable[Diagnostic]) -> int:
    return sum(each.code == code for each in diagnostics)
