"""Files with mistakes: one diagnostic for each broken item, and the others are kept."""

from pathlib import Path

import pytest

from cwkc.diagnostics import CATALOGUE
from cwkc.diagnostics.catalogue.files import ENTRIES as FILE_ENTRIES
from cwkc.diagnostics.catalogue.syntax import ENTRIES
from cwkc.syntax import tree
from cwkc.syntax.parser import parse
from cwkc.syntax.reader import read as read_file

from .support import ROOT, diagnosed, read

BAD = {folder.name.split("-")[0]: folder for folder in (ROOT / "tests/corpus/bad").iterdir()}


@pytest.mark.parametrize("code", [entry.code for entry in ENTRIES])
def test_each_mistake_is_known_by_its_code(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = BAD[code] / "input.cwk"
    if not path.exists():
        monkeypatch.chdir(tmp_path)
        exec((BAD[code] / "make.py").read_text(encoding="utf-8"), {})
        path = tmp_path / "input.cwk"
    source, _ = read_file(path, "input.cwk")
    assert source is not None
    found = [each.code for each in parse(source)[1]]
    assert found.count(code) == 1
    assert len(found) == 1 or code == "E109"


def test_the_codes_are_in_order_and_each_is_there_once() -> None:
    codes = [entry.code for entry in (*FILE_ENTRIES, *ENTRIES)]
    assert codes == sorted(set(codes))
    assert set(codes) <= CATALOGUE.keys()


def names(module: tree.Module) -> list[str]:
    return [item.name.text for item in module.items]


GOOD = "enum Good { a }\n"


@pytest.mark.parametrize(
    "broken",
    [
        "task t { x }\n",
        "task t {\n",
        "task t { data a { }\n",
        "task t { let a = (1 }\n",
        "task t { let a = [1\n let b = 2\n}\n",
        'task t { request "abc\n}\n',
        "task\n",
        "task t\n",
        "task t { } }\n",
        "tsk t { data a.b { } }\n",
        "service s { enum E { a } record R { a text } }\n",
        "use a b\n",
        "use 1\n",
        "grade g { check }\n",
        "}\n",
        "nothing of the language\n",
        "task t { let a = 'x' }\n",
    ],
)
def test_one_diagnostic_for_a_broken_item_and_the_others_are_kept(broken: str) -> None:
    module, codes = read(f"cwk 1\n{GOOD}{broken}enum Better {{ a }}\n")
    assert len(codes) == 1
    assert names(module)[0] == "Good"
    assert names(module)[-1] == "Better"


def test_every_broken_item_has_its_diagnostic() -> None:
    module, codes = read("cwk 1 task a { x } task b { given 1 } world c { y z } task d { given } task e { given 2 }")
    assert codes == ["E101", "E101", "E101"]
    assert names(module) == ["b", "e"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("task t {\n  given 1\n\nenum E { a }\n", 2, 8),
        ("task t {\n  data a.b {\n    @X { c: 1 }\n  given 1\n}\nenum E { a }\n", 3, 12),
        ("task t {\n  data a.b {\n    @X { c: 1\n  }\n  given 1\n}\nenum E { a }\n", 4, 8),
        ("task t {\n  given (a + b\n  given 1\n}\nenum E { a }\n", 3, 9),
        ("task t {\n  given f([a, b)\n}\nenum E { a }\n", 3, 11),
        ("service s {\n  tool t() {\n    return 1\n\n  tool u() { return 2 }\n}\nplan E { }\n", 3, 12),
        ("task t { given [1, 2 }\nenum E { a }\n", 2, 16),
    ],
)
def test_a_bracket_that_was_not_closed_is_found(text: str, line: int, column: int) -> None:
    module, diagnostics = read(f"cwk 1\n{text}")[0], diagnosed(f"cwk 1\n{text}")
    assert [(each.code, each.span.line, each.span.column) for each in diagnostics] == [("E103", line, column)]
    assert names(module) == ["E"]


def test_an_item_that_a_bracket_ended_too_early_is_not_kept() -> None:
    module, codes = read("cwk 1\ntask t {\n  given 1 }\n  given 2\n}\nenum E { a }\n")
    assert codes == ["E104"]
    assert names(module) == ["E"]


def test_brackets_in_texts_and_comments_do_not_count() -> None:
    module, codes = read('cwk 1 task a { x } # {\nenum E { a } # }\ntask b { request "{" request """ } """ }')
    assert codes == ["E101"]
    assert names(module) == ["E", "b"]


def test_words_that_begin_items_may_be_names() -> None:
    module, codes = read("cwk 1 use task, plan as world\ntask record in service { a: 1 } task t { x }")
    assert codes == ["E101"]
    assert names(module) == ["record"]


def test_a_statement_that_is_misspelled_is_the_one_to_blame() -> None:
    (found,) = diagnosed('cwk 1 task t { chek 0.5 "a" b }')
    assert (found.span.text, found.help) == ("chek", "perhaps `check` is meant")


def test_an_operator_that_is_misspelled_is_the_one_to_blame() -> None:
    (found,) = diagnosed('cwk 1 task t { let a = b contain "c" }')
    assert (found.span.text, found.help) == ("contain", "perhaps `contains` is meant")


def test_after_a_word_of_the_language_the_message_names_it() -> None:
    (found,) = diagnosed("cwk 1 task t { given a == no }")
    assert found.help == "`no` is a word of the language, after which may stand a name"


@pytest.mark.parametrize(
    ("statement", "code", "place"),
    [
        ("tools:\n    - crm\n    - gmail", "E132", ":"),
        ("tools: crm, gmail", "E132", ":"),
        ("limit: 20 turns", "E132", ":"),
        ('check: 0.5 "a" b', "E132", ":"),
        ('require "a" b else: cap 0.5', "E137", ":"),
        ("limit 20turns", "E113", "20turns"),
        ("given a | b", "E131", "|"),
        ("given a not in b", "E147", "not in"),
        ("given a is not null", "E147", "is not"),
        ("given called a.b(c = 1)", "E150", "="),
        ("given a\u00a0+ b", "E112", "\u00a0"),
        ("for x in y", "E142", "for"),
        ("check 0.5 'a' b", "E134", "'a'"),
        ("given a /* b */", "E135", "/*"),
        ('request """abc', "E110", '"""'),
        ('given $"abc', "E110", '$"'),
        ("- a", "E139", "-"),
        ("given 1,\n  given 2", "E145", ","),
        ("given a -> b", "E144", "->"),
    ],
)
def test_refusals(statement: str, code: str, place: str) -> None:
    found = diagnosed(f"cwk 1\n\ntask t {{\n  {statement}\n}}\n")
    assert [(each.code, each.span.text) for each in found] == [(code, place)]


def test_a_word_behind_a_text_is_shown_with_the_text() -> None:
    (found,) = diagnosed('cwk 1 task t { request "he said "hi" to me" }')
    assert (found.code, found.span.text, found.related[0].span.text) == ("E151", "hi", '"he said "')


@pytest.mark.parametrize(
    "garbage",
    ["a b c ", "{}", "{ } ", "{", "}", '" ', '"""', "task x ", "é☃", "task t { b }\n", "\\", "- ", "enum E { a "],
)
def test_a_heap_of_garbage_is_a_few_diagnostics(garbage: str) -> None:
    assert 1 <= len(diagnosed(garbage * 20_000)) <= 22
