"""The text tests."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl import text

texts = st.text(max_size=20)
words = st.text(st.sampled_from("abcÄß é1"), min_size=1, max_size=4).map(str.strip).filter(bool)


@given(texts)
def test_normalising_twice_changes_nothing(value: str) -> None:
    assert text.normalise(text.normalise(value)) == text.normalise(value)


@given(texts, texts, texts)
def test_contains_reads_case_and_width_alike(before: str, needle: str, after: str) -> None:
    whole = f"{before} {needle} {after}"
    assert text.contains(whole, needle)
    assert text.contains(whole, needle.strip()) == text.contains(text.normalise(whole), text.normalise(needle))


@given(texts, texts)
def test_contains_is_a_preorder(a: str, b: str) -> None:
    assert text.contains(a, a)
    if text.contains(a, b) and text.contains(b, a):
        assert text.normalise(a) == text.normalise(b)


@given(st.lists(words, max_size=4), st.lists(words, max_size=3))
def test_mentions(said: list[str], wanted: list[str]) -> None:
    subject = ", ".join(said)
    each = [text.mentions_any(subject, (word,)) for word in wanted]
    assert text.mentions_any(subject, wanted) == any(each)
    assert text.mentions_all(subject, wanted) == all(each)
    assert all(text.contains(subject, word) for word, found in zip(wanted, each, strict=True) if found)
    assert text.mentions_all(subject, said)


@given(st.lists(words, unique_by=text.normalise, max_size=4), st.data())
def test_listing_implies_mentioning(items: list[str], data: st.DataObject) -> None:
    subject = "; ".join(data.draw(st.permutations(items)))
    if text.lists(subject, items):
        assert text.mentions_all(subject, items)


@given(st.lists(texts, max_size=3).map(tuple), texts)
def test_of_several_texts_one_is_enough(said: tuple[str, ...], needle: str) -> None:
    assert text.contains(said, needle) == any(text.contains(one, needle) for one in said)


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_a_written_number_is_stated(whole: int, cents: int) -> None:
    number = whole + Fraction(cents, 100)
    for written in (
        f"{whole}.{cents:02}",
        f"{whole:,}.{cents:02}",
        f"${whole:,}.{cents:02}",
        f"{whole}.{cents:02} EUR",
    ):
        assert text.states(f"The total is {written}.", number)
        assert text.states(f"It fell by -{written}, we think", -number)
        assert not text.states(f"The total is {written}.", number + 1, Fraction(1, 2))


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("TK-301 is 48h old", [48]),
        ("on 2026-03-14 at 09:30", []),
        ("version 1.2.3, v2, 3f2a", []),
        ("3 - 5 or 3-5", [3, 5]),
        ("down -12.5%, up .5", [Fraction(-25, 2), Fraction(1, 2)]),
        ("−$1,240.50 and $-3", [Fraction(-2481, 2), -3]),
        ("1,2 and 1,2345", []),
        ("1 240.50", [1, Fraction(481, 2)]),
        ("４２", [42]),
        ("- 5 apples", [5]),
        ("(7), 8; 9.", [7, 8, 9]),
        ("9" * 5000, []),
    ],
)
def test_numbers(written: str, numbers: list[Any]) -> None:
    assert list(text.numbers_in(written)) == numbers


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (text.contains("Der  PREIS\nist ＨＯＣＨ", "preis IST hoch"), True),
        (text.contains(None, "a"), False),
        (text.contains("a", None), False),
        (text.mentions_any("The cut-off, please", ["cutoff", "cut-off"]), True),
        (text.mentions_any("msg_10", ["msg_1"]), False),
        (text.mentions_any("TK-3012", ["TK-301"]), False),
        (text.mentions_any("use C++!", ["c++"]), True),
        (text.mentions_any("请开发票", ["发票"]), True),
        (text.mentions_any("a", [""]), False),
        (text.mentions_any("a", []), False),
        (text.mentions_all("a", []), True),
        (text.mentions_all(None, []), False),
        (text.mentions_any("a", None), False),
        (text.matches("Order AB-12", r"ab-\d+$"), True),
        (text.matches(("x", "AB"), "^ab$"), True),
        (text.matches("(", "("), False),
        (text.lists("first TK-2, then TK-1", ["TK-2", "TK-1"]), True),
        (text.lists("first TK-2, then TK-1", ["TK-1", "TK-2"]), False),
        (text.lists("a a", ["a", "a"]), False),
        (text.lists("a", None), False),
        (text.states("about 100", 98, 2), True),
        (text.states("about 100", None), False),
    ],
)
def test_results(held: bool, expected: bool) -> None:
    assert held is expected
