"""A model that words what the scripted user says. What is told, and when, stays the script's.

A voice is never shown a fact that was not told yet. What it writes is held against the script all the same: it must say
what the script says, make up no number, and give away no word by which an untold fact could be guessed. A reply that
does not is asked for again; in the end the script's own words are said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from coworkdsl.text import normalise

ATTEMPTS = 3
"""How often a voice is asked for one reply."""

SHORTEST_WORD = 5
"""Letters of a word that tells something."""

_WORD = re.compile(r"[^\W_]+(?:[-.:,/@][^\W_]+)*")
_COMMON_WORDS = """
about above after again against along already although always among another around because become before began behind
being below between beyond could doing during either enough every first found given going great hello later least leave
looks maybe might never nothing often other please quite rather really right seems shall should since something sorry
sounds still thank thanks their there these thing things think those though through today together toward under until
using wants where which while whole whose within without would write yours
andere bitte danke davon diese diesem diesen dieser dieses durch einen einer eines etwas gegen haben hatte heute immer
jetzt keine können machen meine müssen nicht nichts schon seine sollte unser unter werden wieder wollen würde
alors aussi autre avant avoir bonjour cette chose comme depuis encore entre faire leurs merci notre parce pouvez quand
quelque quels votre toujours toute
"""
_COMMON = frozenset(_COMMON_WORDS.split())


class Line(NamedTuple):
    """What a voice is to word: `words` are the script's, `refused` says what was wrong with the last try, if anything.

    `messages` is the run up to now in the form of chat templates.
    """

    words: str
    persona: str
    language: str
    messages: Sequence[dict[str, Any]]
    refused: str = ""


Voice = Callable[[Line], str]
"""Gives the words that the user says. Whatever it raises goes to whoever runs the environment."""


def voiced(voice: Voice, line: Line, untold: Iterable[str], known: Iterable[str]) -> str:
    """What the user says. `untold`: the facts that are not to be told yet; `known`: texts that the agent has read."""
    open_words = frozenset(word for text in (*known, line.words) for word in _words(text))
    secret = frozenset(word for fact in untold for word in _telling(fact)) - open_words
    for _ in range(ATTEMPTS):
        reply = voice(line).strip()
        fault = _fault(reply, line.words, secret, open_words)
        if fault is None:
            return reply
        line = line._replace(refused=fault)
    return line.words


def _fault(reply: str, script: str, secret: frozenset[str], known: frozenset[str]) -> str | None:
    """What is wrong with a reply; None when nothing is."""
    words = _words(reply)
    leaked = sorted(secret & words)
    if leaked:
        return f"it says `{leaked[0]}`, which is not to be told yet"
    invented = sorted(word for word in words - known if _has_digit(word))
    if invented:
        return f"it says `{invented[0]}`, which nobody has said"
    wanted = _telling(script)
    missing = sorted(wanted - words)
    if any(_has_digit(word) for word in missing) or 2 * len(missing) > len(wanted):
        return f"it leaves out `{missing[0]}`"
    return None


def _words(text: str) -> frozenset[str]:
    """The words of a text, joined ones whole and in parts."""
    found = _WORD.findall(normalise(text))
    return frozenset((*found, *(part for word in found for part in re.split(r"[-.:,/@]", word))))


def _telling(text: str) -> frozenset[str]:
    """The words by which a text could be guessed: numbers, names, and whatever is no common word."""
    return frozenset(
        word for word in _words(text) if _has_digit(word) or (len(word) >= SHORTEST_WORD and word not in _COMMON)
    )


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
