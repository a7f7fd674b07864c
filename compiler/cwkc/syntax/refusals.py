"""Named refusals: what people bring along from Python, YAML, JSON and C, answered with what to write here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

from lark import Token

from cwkc.diagnostics import Diagnostic, Label, Suggestion
from cwkc.syntax.literals import literal
from cwkc.syntax.mistakes import Mistake, Word
from cwkc.syntax.reading import Reading
from cwkc.syntax.vocabulary import STATEMENTS

LOGIC = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}
CURLY_QUOTES = frozenset("“”„‟‘’‚«»")
TEXT_PREFIXES = frozenset({"f", "r", "b", "u", "rb", "br", "fr", "rf"})
DEFINITIONS = {
    "import": "other files and services come in with `use name`",
    "from": "other files and services come in with `use name`",
    "def": 'a tool is written `tool name "what it does" (parameter: type) -> type { … }`',
    "function": 'a tool is written `tool name "what it does" (parameter: type) -> type { … }`',
    "class": "a record is written `record Name { field: type }`",
    "struct": "a record is written `record Name { field: type }`",
    "for": "there are no loops: `all x in S where C` gives a list, `every x in S: C` tests each",
    "while": "there are no loops: `all x in S where C` gives a list, `every x in S: C` tests each",
    "const": "a value is named with `let name = …`",
    "var": "a value is named with `let name = …`",
}
Refusal = Callable[[Mistake], Diagnostic | None]

_PATH = re.compile(r"@?[\w-]+(\.\w+)*\Z")
_NAMES = re.compile(r"[\w\s,]*\w[\w\s,]*(?=\})")


def refusal(mistake: Mistake, refusals: tuple[Refusal, ...]) -> Diagnostic | None:
    """That of the first refusal that knows the mistake."""
    return next((known for refuse in refusals if (known := refuse(mistake))), None)


# ---------------------------------------------------------------------------- signs


def _unclosed_text(mistake: Mistake) -> Diagnostic | None:
    text = mistake.found.text.removeprefix("$")
    if mistake.found.kind != "FOREIGN" or not text.startswith('"'):
        return None
    quotes = '"""' if text.startswith('"""') else '"'
    start = mistake.found.start
    opening = Word("FOREIGN", mistake.found.text[: len(mistake.found.text) - len(text) + len(quotes)], start)
    return mistake.report("E110", mistake.span(opening, opening), closing=quotes)


def _assignment(mistake: Mistake) -> Diagnostic | None:
    if mistake.found.text != "=":
        return None
    if "==" in mistake.expected:
        return mistake.report("E130")
    return mistake.report("E150", name=mistake.previous.text) if ":" in mistake.expected else None


def _logic(mistake: Mistake) -> Diagnostic | None:
    right = LOGIC.get(mistake.found.text)
    return mistake.report("E131", found=mistake.found.text, right=right) if right else None


def _single_quotes(mistake: Mistake) -> Diagnostic | None:
    start = mistake.found.start
    if mistake.found.text != "'":
        return None
    line_end = mistake.source.text.find("\n", start)
    closing = mistake.source.text.find("'", start + 1, line_end if line_end >= 0 else None)
    shown = mistake.source.text[start : closing + 1] if closing > 0 else "'"
    quoted = Word("FOREIGN", shown, start)
    return mistake.report("E134", mistake.span(quoted, quoted), found=shown, right='"' + shown.strip("'") + '"')


def _foreign_comment(mistake: Mistake) -> Diagnostic | None:
    return mistake.report("E135", found=mistake.found.text) if mistake.found.text in ("//", "/*") else None


def _semicolon(mistake: Mistake) -> Diagnostic | None:
    return mistake.report("E143") if mistake.found.text == ";" else None


def _foreign_arrow(mistake: Mistake) -> Diagnostic | None:
    return mistake.report("E144", found="=>") if mistake.found.text == "=>" else None


def _arrow(mistake: Mistake) -> Diagnostic | None:
    return mistake.report("E144", found="->") if mistake.found.text == "->" else None


def _comma(mistake: Mistake) -> Diagnostic | None:
    is_first = not mistake.previous.text or mistake.previous.text in "([{,"
    return mistake.report("E145") if mistake.found.text == "," and not is_first else None


def _curly_quotes(mistake: Mistake) -> Diagnostic | None:
    """From the one quote to the other, where that stands in the line."""
    opening = mistake.found
    if opening.text not in CURLY_QUOTES:
        return None
    line, *_ = mistake.source.text[opening.end :].split("\n", 1)
    length = next((index for index, character in enumerate(line) if character in CURLY_QUOTES), -1)
    quoted = Word("FOREIGN", mistake.source.text[opening.start : opening.end + length + 1], opening.start)
    return mistake.report("E146", mistake.span(quoted, quoted), found=opening.text, right=f'"{quoted.text[1:-1]}"')


def _strange_character(mistake: Mistake) -> Diagnostic | None:
    if mistake.found.kind != "FOREIGN":
        return None
    character = next((each for each in mistake.found.text if not each.isascii()), mistake.found.text[0])
    blank = " " if character.isspace() or unicodedata.category(character) == "Cf" else None
    shown = f"`{character}`" if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"
    remedy = "names are made of the letters `a` to `z`, digits and `_`; other letters stand in texts"
    if not character.isalnum():
        remedy = f"remove it ({unicodedata.name(character, 'a control character').lower()}), or put it into a text"
    return mistake.report("E112", shown=shown, help=remedy if blank is None else Suggestion(remedy, blank))


def _malformed_literal(mistake: Mistake) -> Diagnostic | None:
    """`limit 20turns`: the literal is wrong, and what stops the parser only follows from it."""
    for word in (*mistake.before, mistake.found):
        if word.kind == "LITERAL":
            reading = Reading(mistake.source)
            literal(reading, Token("LITERAL", word.text, word.start))
            if reading.diagnostics:
                return reading.diagnostics[0]
    return None


def _quote_in_text(mistake: Mistake) -> Diagnostic | None:
    """A word right behind a text: the text was to go on, or one before it was not closed."""
    text = mistake.previous
    if mistake.found.kind != "WORD" or text.kind not in ("STRING", "INTERPOLATED") or text.end != mistake.found.start:
        return None
    begins = Label(mistake.span(text, text), "the text that ends here")
    return mistake.report("E151", related=(begins,), found=mistake.found.text)


# ---------------------------------------------------------------------------- colons


def _colon(mistake: Mistake) -> Diagnostic | None:
    """A colon after a keyword: where it stands, or earlier in the line when the parser went on after it."""
    line = (*mistake.line, mistake.found, mistake.next)
    for word, following in pairwise(line):
        if following.text != ":" or word.kind != "WORD":
            continue
        colon = mistake.span(following, following)
        if word.text == "else":
            return mistake.report("E137", colon)
        if word is line[0] and word.text in STATEMENTS:
            return mistake.report("E132", colon, word=word.text)
    if mistake.found.text == ":" and any(word.text == "if" for word in mistake.line):
        return mistake.report("E138")
    if mistake.found.text == ":" and mistake.previous.text in STATEMENTS:
        return mistake.report("E132", word=mistake.previous.text)
    return None


# ---------------------------------------------------------------------------- words


def _else_if(mistake: Mistake) -> Diagnostic | None:
    if mistake.found.text == "elif":
        return mistake.report("E136")
    if mistake.found.text == "if" and mistake.previous.text == "else":
        return mistake.report("E148")
    return None


def _dash(mistake: Mistake) -> Diagnostic | None:
    """A list as YAML writes it: a dash at the head of the line."""
    first = mistake.line[0] if mistake.line else mistake.found
    return mistake.report("E139", mistake.span(first, first)) if first.text == "-" else None


def _quoted_key(mistake: Mistake) -> Diagnostic | None:
    if mistake.found.kind == "STRING" and mistake.next.text == ":" and "NAME" in mistake.expected:
        return mistake.report("E140", found=mistake.found.text, right=mistake.found.text.strip('"'))
    return None


def _text_prefix(mistake: Mistake) -> Diagnostic | None:
    for prefix, text in ((mistake.found, mistake.next), (mistake.previous, mistake.found)):
        if prefix.text.lower() in TEXT_PREFIXES and text.text.startswith('"') and prefix.end == text.start:
            right = "$" if "f" in prefix.text.lower() else ""
            return mistake.report("E141", mistake.span(prefix, prefix), prefix=prefix.text, right=right)
    return None


def _definition(mistake: Mistake) -> Diagnostic | None:
    for word in (mistake.found, mistake.previous):
        if word.kind == "WORD" and word.text in DEFINITIONS and mistake.found.kind in ("WORD", "LITERAL"):
            return mistake.report("E142", mistake.span(word, word), found=word.text, remedy=DEFINITIONS[word.text])
    return None


def _negated_word(mistake: Mistake) -> Diagnostic | None:
    if mistake.found.text != "not":
        return None
    if mistake.previous.text == "is":
        help = Suggestion("write `x != null`", "!=")
        return mistake.report("E147", mistake.span(mistake.previous), found="is not", help=help)
    if mistake.next.text in ("in", "contains", "matches", "mentions", "lists"):
        word = mistake.next.text
        return mistake.report("E147", mistake.span(None, mistake.next), found=f"not {word}", right=f"not x {word} y")
    return None


def _hyphen(mistake: Mistake) -> Diagnostic | None:
    before, after = mistake.previous, mistake.next
    is_inside = before.end == mistake.found.start and mistake.found.end == after.start
    if mistake.found.text == "-" and is_inside and before.kind == after.kind == "WORD":
        joined = mistake.span(before, after)
        return mistake.report("E149", joined, found=joined.text, right=joined.text.replace("-", "_"))
    return None


def _fields_in_braces(mistake: Mistake) -> Diagnostic | None:
    """Fields in braces behind a record, as a view and the tools of a service are written."""
    text = mistake.source.text
    record = _PATH.search(text, mistake.line[0].start, mistake.found.start) if mistake.line else None
    names = _NAMES.match(text, mistake.found.end)
    if mistake.found.text != ".{" or record is None or names is None:
        return None
    fields = ", ".join(f"{record[0]}.{name}" for name in re.findall(r"\w+", names[0]))
    return mistake.report("E152", record=record[0], fields=fields)


# What the words alone show.
SURE: tuple[Refusal, ...] = (
    _unclosed_text,
    _single_quotes,
    _curly_quotes,
    _foreign_comment,
    _logic,
    _semicolon,
    _foreign_arrow,
    _strange_character,
    _malformed_literal,
    _quote_in_text,
    _text_prefix,
    _quoted_key,
    _else_if,
    _negated_word,
    _colon,
    _assignment,
    _fields_in_braces,
)

# What may as well follow from a bracket that is not closed.
LIKELY: tuple[Refusal, ...] = (
    _definition,
    _dash,
    _hyphen,
    _arrow,
    _comma,
)
