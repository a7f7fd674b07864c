"""The exported grammars against the parser: neither takes what the other refuses."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random

import llguidance
import pytest
from lark import Lark

from benchmarks.constrained_decoding import is_beginning
from cwkc.grammars import FORMATS, export, rules, spelled
from cwkc.grammars.left import without_left_recursion
from cwkc.grammars.names import NAME, word_but
from cwkc.syntax.scanner import TOKEN
from tests.cwkc.grammars.deriving import derive
from tests.cwkc.syntax.support import FILES, ROOT, read

BAD = sorted(path for path in (ROOT / "tests/corpus/bad").rglob("*.cwk"))
TOKENIZER = llguidance.LLTokenizer("byte")


@cache
def matcher(format: str, comments: bool = True) -> llguidance.LLMatcher:
    text = export(format, comments)
    definition = json.loads(text)["definition"] if format == "openai" else text
    made = llguidance.LLMatcher(TOKENIZER, llguidance.grammar_from("lark", definition))
    assert not made.is_error(), made.get_error()
    return made


def takes(text: str, format: str, comments: bool = True) -> bool:
    reading = matcher(format, comments).deep_copy()
    words = TOKENIZER.tokenize_bytes(text.encode())
    return bool(reading.try_consume_tokens(words) == len(words) and reading.is_accepting())


def without_comments(text: str) -> str:
    """The file with a line break for each comment."""
    parts: list[str] = []
    end = 0
    for match in TOKEN.finditer(text):
        start = match.start(match.lastgroup) if match.lastgroup else len(text)
        parts += [re.sub(r"#[^\n]*", "", text[end:start]), text[start : match.end()]]
        end = match.end()
    return "".join(parts)


# ---------------------------------------------------------------------------- what is right is taken


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_is_taken(path: Path) -> None:
    assert takes(path.read_text(encoding="utf-8"), "llguidance")


def test_files_that_fail_after_parsing_are_taken() -> None:
    texts = [(path, path.read_bytes().decode(errors="replace")) for path in BAD]
    parsed = [(path, text) for path, text in texts if not read(text)[1]]
    assert len(parsed) > 50
    assert [path for path, text in parsed if not takes(text, "llguidance")] == []


@pytest.mark.parametrize("path", [ROOT / "stdlib/notes.cwk", *FILES[::9]], ids=lambda path: path.stem)
def test_files_without_comments_are_taken_where_there_are_none(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    bare = without_comments(text)
    assert takes(bare, "llguidance", comments=False)
    assert takes(bare, "openai", comments=False)
    assert takes(text, "llguidance", comments=False) == (bare == text)


@pytest.mark.parametrize("path", [ROOT / "stdlib/notes.cwk", *FILES[::9]], ids=lambda path: path.stem)
def test_openai_takes_files(path: Path) -> None:
    assert takes(path.read_text(encoding="utf-8"), "openai")


def test_lark_takes_files() -> None:
    parser = Lark(export("lark", comments=True), parser="earley")
    small = [path for path in FILES if path.stat().st_size < 1200]
    assert len(small) > 4
    for path in (ROOT / "stdlib/notes.cwk", *small):
        parser.parse(path.read_text(encoding="utf-8"))


# ---------------------------------------------------------------------------- what is generated is right


def test_what_is_derived_is_parsed() -> None:
    for seed in range(200):
        text = derive(Random(seed))
        assert read(text)[1] == [], text
        assert len(text) > 1500 or takes(text, "llguidance"), text


def test_what_is_generated_begins_a_file() -> None:
    for seed in range(40):
        random, reading, text = Random(seed), matcher("llguidance", False).deep_copy(), b""
        while len(text) < 120:
            mask = reading.compute_bitmask()
            allowed = [byte for byte in range(256) if mask[byte >> 3] >> (byte & 7) & 1]
            if not allowed:
                break
            within_text = len(allowed) > 120
            byte = ord('"') if within_text and ord('"') in allowed and random.random() < 0.4 else random.choice(allowed)
            reading.consume_token(byte)
            text += bytes([byte])
        assert is_beginning(text.decode(errors="ignore")), text


@pytest.mark.parametrize(
    "text",
    [
        "cwk 2",
        "cwk1",
        "cwk 1 taskx {}",
        "cwk 1 task t { given 5-3 }",
        "cwk 1 task t { given 5and x }",
        "cwk 1 task t { given a == b == c }",
        "cwk 1 task t { given a + not b }",
        "cwk 1 task t { given a states b }",
        "cwk 1 task t { given True }",
        "cwk 1 task t { now: 2026-02-30 }",
        "cwk 1 task t { limit 3 turns tools: x }",
        "cwk 1 task t { category:\n  - a }",
        'cwk 1 task t { request $"{a" }',
        'cwk 1 task t { request "\\ud800" }',
        'cwk 1 task t { user { persona "a" persona "b" } }',
        "cwk 1 task t { given request\n: x }",
    ],
)
def test_what_the_parser_refuses_is_not_generated(text: str) -> None:
    assert read(text)[1]
    assert not takes(text, "llguidance")
    assert not takes(text, "openai")


def test_a_keyword_is_a_name_where_it_is_none() -> None:
    """`share` is one behind a check's label alone."""
    text = "cwk 1 service s { tool t () { let share = 1 return share } }"
    assert read(text)[1] == []
    assert takes(text, "llguidance")


# ---------------------------------------------------------------------------- the forms


def test_gbnf_takes_files_and_what_is_derived() -> None:
    xgrammar = pytest.importorskip("xgrammar", reason="no reader of GBNF is installed")
    vocabulary = xgrammar.TokenizerInfo([*(bytes([byte]) for byte in range(256)), b"<end>"], stop_token_ids=[256])
    compiler = xgrammar.GrammarCompiler(vocabulary)
    compiled = compiler.compile_grammar(xgrammar.Grammar.from_ebnf(export("gbnf", comments=True)))
    files = [path.read_text(encoding="utf-8") for path in FILES]
    refused = ["cwk 1 task t { given 5-3 }", "cwk 1 task t { given True }", "cwk 1 taskx {}", "cwk 1 use a\nb"]
    for text in (*files, *(derive(Random(seed)) for seed in range(40)), *refused):
        reading = xgrammar.GrammarMatcher(compiled)
        is_taken = all(reading.accept_token(byte) for byte in text.encode()) and reading.accept_token(256)
        assert is_taken == (text not in refused), text


def test_gbnf_has_no_left_recursion() -> None:
    unrolled = without_left_recursion(rules.rules())
    first = {name: {body[0] for body in bodies} & unrolled.keys() for name, bodies in unrolled.items()}
    for name in unrolled:
        seen: set[str] = set()
        waiting = {name}
        while waiting:
            reached = first[waiting.pop()] - seen
            assert name not in reached
            seen |= reached
            waiting |= reached


def test_openai_is_the_format_of_a_custom_tool() -> None:
    from openai.types.shared.custom_tool_input_format import Grammar

    told = Grammar.model_validate(json.loads(export("openai")), strict=True)
    assert told.syntax == "lark"
    assert "(?" not in told.definition.replace("(?:", "")
    assert "&" not in told.definition


def test_exports_are_the_same_each_time() -> None:
    for format in FORMATS:
        before = export(format)
        rules.rules.cache_clear()
        spelled.spelled.cache_clear()
        assert export(format) == before


def test_a_pattern_of_all_words_but_some() -> None:
    some = ("in", "insert", "all", "a", "True")
    pattern = re.compile(word_but(some))
    others = ("i", "inn", "inser", "inserts", "al", "alls", "ab", "b", "In", "_", "in_", "a1", "T", "Trues", "tru")
    assert [word for word in (*some, *others, "1a", "") if pattern.fullmatch(word)] == list(others)
    assert word_but(()) == NAME
