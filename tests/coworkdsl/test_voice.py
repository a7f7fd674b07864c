"""A voice words what the user says, and can neither give away what is not told yet nor make anything up."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coworkdsl.voice import ATTEMPTS, Line, voiced

LINE = Line("The limit is 450 euros.", "Terse.", "en", ())
SECRETS = ("The code of the safe is 7741.", "Ask for Marguerite at the desk.")
KNOWN = ("Book a room for the summer party.",)


def saying(*replies: str) -> Callable[[Line], str]:
    rest = list(replies)
    return lambda line: rest.pop(0) if len(rest) > 1 else rest[0]


@pytest.mark.parametrize(
    "reply",
    ["Sure: the limit is 450 euros, please.", "450 euros is our limit for the party!", "the LIMIT is 450 Euros"],
)
def test_other_words_for_the_same_are_said(reply: str) -> None:
    assert voiced(saying(reply), LINE, SECRETS, KNOWN) == reply


@pytest.mark.parametrize(
    "reply",
    [
        "The limit is 450 euros, and the code is 7741.",
        "The limit is 450 euros. Marguerite knows more.",
        "The limit is 500 euros.",
        "The limit is 450 euros, for 30 people.",
        "I would rather not say.",
        "",
    ],
)
def test_what_leaks_invents_or_leaves_out_is_asked_for_again_and_then_not_said(reply: str) -> None:
    lines: list[Line] = []

    def voice(line: Line) -> str:
        lines.append(line)
        return reply

    assert voiced(voice, LINE, SECRETS, KNOWN) == LINE.words
    assert [bool(line.refused) for line in lines] == [False, *[True] * (ATTEMPTS - 1)]


def test_a_better_second_try_is_said() -> None:
    good = "Our limit: 450 euros."
    assert voiced(saying("It is 7741.", good), LINE, SECRETS, KNOWN) == good


def test_what_was_told_already_is_no_secret() -> None:
    reply = "The limit is 450 euros; the code is 7741, as I said."
    assert voiced(saying(reply), LINE, SECRETS, (*KNOWN, SECRETS[0])) == reply


@given(st.text(max_size=60), st.text(min_size=1, max_size=40))
def test_nothing_that_tells_of_a_secret_is_ever_said(noise: str, words: str) -> None:
    said = voiced(lambda line: f"{noise} {words} 7741", LINE._replace(words=words), SECRETS, KNOWN)
    assert "7741" not in said or "7741" in words
