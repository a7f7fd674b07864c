"""Texts that the exact grammar derives, at random."""

from functools import cache
from random import Random

from lark.lexer import PatternStr

from cwkc.grammars.places import exact
from cwkc.grammars.rules import FILE, Part, rules
from cwkc.grammars.tokens import Blank, Token

BLANKS = {Blank.MAY: ["", "", " ", "\n"], Blank.MUST: [" ", "\n\t", "# why\n"], Blank.BESIDE: ["", " ", "\t"]}
SAMPLES = {
    "NUMBER": ["3", "0.25", "1_000", "48h", "1.5d", "0.5m", "7s"],
    "MOMENT": ["2026-03-14", "2024-02-29", "2026-03-14T09:00:00Z", "2026-03-14T09:00+02:00"],
    "BARE_REF": ["@TK-301", "@a_b", "@-"],
    "QUOTED_REF": ['@"a b.c"', '@""'],
    "TEXT": ['""', '"a\\u00e9\\""', '"""\n  a "b" ""c\n"""', '"""x"""', '"é"'],
    "INTERPOLATION": ['$"a {b.c} {{d}}"', '$"""\n {x}\n"""', '$""'],
}


@cache
def words() -> list[str]:
    """The fixed words of the grammar, the likeliest names to go wrong, and some others."""
    fixed = [each.pattern.value for each in exact().terminals.values() if isinstance(each.pattern, PatternStr)]
    return [*sorted(each for each in fixed if each.isalpha()), "a", "x1", "_", "True", "None", "False", "T", "in_"]


def derive(random: Random) -> str:
    """A file, in no more than some thirty steps from top to bottom."""
    text: list[str] = []
    waiting: list[tuple[Part, int]] = [(FILE, random.choice([20, 26, 32, 38]))]
    while waiting:
        part, left = waiting.pop()
        if isinstance(part, Token):
            text.append(_written(part, random))
            continue
        bodies = list(rules()[part])
        body = random.choice([each for each in bodies if _height(each) <= left] or [min(bodies, key=_height)])
        waiting += [(each, left - 1) for each in reversed(body)]
    return "".join(text)


def _written(token: Token, random: Random) -> str:
    if token.terminal == "NAME":
        word = random.choice([each for each in words() if each not in token.keywords])
    else:
        word = random.choice(SAMPLES.get(token.terminal) or [str(exact().terminals[token.terminal].pattern.value)])
    return random.choice(BLANKS[token.blank]) + word


def _height(body: tuple[Part, ...]) -> int:
    return 1 + max((0 if isinstance(part, Token) else _heights()[part] for part in body), default=0)


@cache
def _heights() -> dict[str, int]:
    """For each symbol the fewest steps to a text of it."""
    found = dict.fromkeys(rules(), 10**6)
    _heights_of = {name: list(bodies) for name, bodies in rules().items()}
    for _ in range(60):
        for name, bodies in _heights_of.items():
            found[name] = min(
                1 + max((0 if isinstance(part, Token) else found[part] for part in body), default=0) for body in bodies
            )
    return found
