"""The lexer for Pygments: every file of the repository, and the words that colour depends on."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from lark.lexer import PatternStr
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, String

from cwkc.highlight.groups import CONSTANTS, DECLARING, OPERATORS, SPECIAL, TYPES, groups
from cwkc.highlight.pygments import CwkLexer
from cwkc.meaning.types import SCALARS
from cwkc.syntax.grammar import grammar

ROOT = Path(__file__).parents[3]
FOLDERS = ("examples", "stdlib", "tests/corpus/good", "tests/corpus/defects")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cwk"))


def tokens(text: str) -> list[tuple[object, str]]:
    return list(CwkLexer(stripnl=False, ensurenl=False).get_tokens(text))


def kinds(text: str) -> dict[str, object]:
    return {word: kind for kind, word in tokens(text)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_is_read_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    found = tokens(text)
    assert [word for kind, word in found if kind is Error] == []
    assert "".join(word for _, word in found) == text


def test_the_words_are_those_of_the_grammar() -> None:
    written = {each.pattern.value for each in grammar().terminals if isinstance(each.pattern, PatternStr)}
    listed = [word for words in groups().values() for word in words]
    assert sorted(listed) == sorted(word for word in written if word.isalpha())
    assert {*listed} >= DECLARING | OPERATORS | CONSTANTS | SPECIAL
    assert sorted(SCALARS) == sorted(TYPES)


def test_kinds() -> None:
    found = kinds('task a { let b = only t in x.y where t.z >= 48h and 2026-03-14 in @TK-1 # no\n "s\\n" email }')
    assert found["task"] is Keyword.Declaration
    assert found["only"] is Keyword
    assert found["and"] is Operator.Word
    assert found["48h"] is Number
    assert found["2026-03-14"] is Literal.Date
    assert found["@TK-1"] is Name.Label
    assert found["# no"] is Comment.Single
    assert found["\\n"] is String.Escape
    assert found["email"] is Keyword.Type


def test_a_keyword_is_a_name_before_a_colon_and_after_a_dot() -> None:
    assert kinds("data: text")["data"] is Name.Attribute
    assert kinds("x.check")["check"] is Name.Attribute
    assert kinds("null: x")["null"] is Keyword.Constant


def test_names_in_braces_stand_out_of_a_text() -> None:
    assert kinds('$"a {b.c} {{d}}"')["{b.c}"] is String.Interpol
    assert kinds('$"""\n{b}\n"""')["{b}"] is String.Interpol


def test_the_entry_point_leads_to_it() -> None:
    point = EntryPoint(name="cwk", value="cwkc.highlight.pygments:CwkLexer", group="pygments.lexers")
    assert point.load() is CwkLexer
    assert f'cwk = "{point.value}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
