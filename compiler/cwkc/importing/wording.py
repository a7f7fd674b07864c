"""Names, texts and comments as `.cwk` has them, made of those of other formats."""

from __future__ import annotations

import re
import textwrap
import unicodedata

from attrs import define, field, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Span
from cwkc.syntax.vocabulary import LEADING

NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")

NO_VALUES = LEADING | {"not", "true", "false", "null", "answer", "said", "now"}
"""Words that do not stand for a parameter or an enum's value where an expression may begin."""

AHEAD = re.compile(
    r"due|end|ends|expir\w*|deadline|next|scheduled|until|start|starts|eta|restock|delivery|renewal|planned"
)
"""Words in the names of dates that may lie in the future."""

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
LONGEST_COMMENT = 300


@frozen
class Todo:
    """Something of the source that is left to whoever goes on: what it is, why, and where it stands there."""

    span: Span
    subject: str
    reason: str
    help: str

    @property
    def diagnostic(self) -> Diagnostic:
        return report("W601", self.span, subject=self.subject, reason=self.reason, advice=self.help)

    @property
    def comment(self) -> str:
        """The line that stands in the file."""
        name = self.span.source.name.rpartition("/")[2]
        place = f"{name}:{self.span.line}"
        return comment(f"TODO {place}: `{self.subject}` is left to do, as {self.reason}; {self.help}")


def comment(text: str) -> str:
    """A comment of one line, whatever the text holds."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "# " + (line if len(line) <= LONGEST_COMMENT else line[: LONGEST_COMMENT - 1] + "…")


def one_line(text: str) -> str:
    """A description as the one line that an agent is shown."""
    return " ".join(text.split())


def snake(text: str) -> str:
    """`listPets`, `List pets` and `list-pets` as `list_pets`; empty when there is no letter that a name may have."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain)
    words = re.sub(r"[^a-zA-Z0-9]+", "_", plain).strip("_").lower()
    return f"n{words}" if words[:1].isdigit() else words


def pascal(text: str) -> str:
    """`list-pets` as `ListPets`."""
    return "".join(word[:1].upper() + word[1:] for word in snake(text).split("_"))


def lies_ahead(name: str) -> bool:
    """Whether a date of this name may lie in the future."""
    return any(AHEAD.fullmatch(word) for word in snake(name).split("_"))


def singular(word: str) -> str:
    """`companies` as `company`, `tickets` as `ticket`."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(ss|sh|ch|x|z)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@define
class Names:
    """Gives names that are not yet taken."""

    taken: set[str] = field(factory=set)

    def fresh(self, wanted: str, otherwise: str) -> str:
        """The name wanted, or `otherwise` when there is none, numbered when it is taken."""
        name, n = wanted or otherwise, 1
        while name in self.taken:
            n += 1
            name = f"{wanted or otherwise}_{n}"
        self.taken.add(name)
        return name


def quoted(text: str) -> str:
    """A text literal: in the long form where that shows the lines and changes nothing."""
    if "\n" in text and _shows_well(text):
        lines = (line if line == "" else f"  {_escaped(line)}" for line in text.split("\n"))
        return '"""\n' + "\n".join(lines).replace('"""', '\\"\\"\\"') + '\n"""'
    return '"' + "".join(ESCAPES.get(c) or _escaped(c) for c in text) + '"'


def _shows_well(text: str) -> bool:
    lines = text.split("\n")
    return (
        textwrap.dedent(text) == text
        and all(line.strip() or line == "" for line in lines)
        and bool(lines[0])
        and bool(lines[-1])
        and lines[-1].rstrip() == lines[-1]
    )


def _escaped(text: str) -> str:
    """Without what no line can hold."""
    return "".join(c if c == "\t" or (c != "\\" and (c.isprintable() or c > "\uffff")) else _code(c) for c in text)


def _code(character: str) -> str:
    return "\\\\" if character == "\\" else f"\\u{ord(character):04x}"


def record_id(text: str) -> str | None:
    """`@TK-301`, quoted where it must be; None when nothing can be called so."""
    if PLAIN_ID.fullmatch(text):
        return f"@{text}"
    return f'@"{text}"' if text and text.isprintable() and '"' not in text else None
