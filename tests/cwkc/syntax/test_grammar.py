"""The grammar: one file for the parser and for constrained decoding."""

from pathlib import Path
from random import Random

import llguidance
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark.lexer import PatternStr

from cwkc.resources import grammar_text
from cwkc.syntax import grammar as module
from cwkc.syntax import vocabulary
from cwkc.syntax.grammar import grammar

from .support import FILES, derive, read

# What the builder says of texts that the grammar derives.
OF_THE_BUILDER = {"E108", "E120", "E121", "E122", "E123", "E124", "E132", "E139", "E107", "E149"}


def llguidance_takes(text: str) -> bool:
    """Leading blanks and comments apart, which it does not skip."""
    tokenizer = llguidance.LLTokenizer("byte")
    matcher = llguidance.LLMatcher(tokenizer, llguidance.grammar_from("lark", grammar_text()))
    words = tokenizer.tokenize_bytes(text[text.index("cwk") :].rstrip().encode())
    return bool(matcher.try_consume_tokens(words) == len(words) and matcher.is_accepting())


def test_the_grammar_has_no_conflict() -> None:
    module.make()


def test_llguidance_takes_the_grammar() -> None:
    tokenizer = llguidance.LLTokenizer("byte")
    assert not llguidance.LLMatcher.validate_grammar(llguidance.grammar_from("lark", grammar_text()), tokenizer)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_llguidance_takes_every_file(path: Path) -> None:
    assert llguidance_takes(path.read_text(encoding="utf-8"))


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_the_grammar_derives_is_read_and_taken(random: Random) -> None:
    text = derive(random)
    assert set(read(text)[1]) <= OF_THE_BUILDER
    assert llguidance_takes(text)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_llguidance_takes_what_the_parser_takes(random: Random) -> None:
    text = random.choice(FILES).read_text(encoding="utf-8")
    lines = text.splitlines()
    start = random.randrange(3, len(lines))
    words = " ".join(lines[start : start + 3]).split(" ")
    for _ in range(random.randint(1, 3)):
        place = random.randint(0, len(words))
        words[place : place + random.randint(0, 2)] = random.sample(words, min(len(words), random.randint(0, 2)))
    changed = "\n".join([*lines[:start], " ".join(words), *lines[start + 3 :]])
    if not read(changed)[1]:
        assert llguidance_takes(changed)


def test_every_word_of_the_vocabulary_is_in_the_grammar() -> None:
    bundles = (
        vocabulary.STATEMENTS,
        vocabulary.VALUES,
        vocabulary.OPERATORS,
        vocabulary.SOME_VALUES,
        vocabulary.SOME_OPERATORS,
        vocabulary.ITEMS,
    )
    written = {each.pattern.value for each in grammar().terminals if isinstance(each.pattern, PatternStr)}
    assert {word for bundle in bundles for word in bundle} <= written | vocabulary.KINDS.keys()


def test_a_parser_that_was_kept_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = grammar.__wrapped__()
    kept = list(tmp_path.rglob("*.pickle"))
    assert len(kept) == 1
    assert len(grammar.__wrapped__().rules) == len(made.rules)


def test_a_spoilt_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = module.cache_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no parser")
    assert grammar.__wrapped__().rules


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cwkc").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert grammar.__wrapped__().rules
