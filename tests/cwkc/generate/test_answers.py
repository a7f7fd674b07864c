"""What is read from a model's answer."""

from __future__ import annotations

import pytest

from cwkc.generate.answers import Attempt, read_attempt, read_file
from cwkc.generate.faults import Fault
from cwkc.generate.owners import Owner
from cwkc.models import Completion

FILE = "cwk 1\n\nenum Colour { red, green }\n"


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        f"```cwk\n{FILE}```",
        f"Here it is:\n\n```\n{FILE}```\n\nI hope it helps.",
        f"```python\nprint()\n```\nand\n```cwk\n{FILE}\n```",
        f"```cwk\n{FILE}",
        f"Sure.\n{FILE}",
        "```cwk\ncwk 1 # mine\n\nenum Colour {red,green} # two\n```",
        f"```cwk\ncwk 1\nenum Draft {{ a }}\n```\nBetter:\n```cwk\n{FILE}```",
    ],
)
def test_a_file_is_found_and_laid_out(text: str) -> None:
    assert read_file(Completion(text), Owner.WRITER) == FILE


@pytest.mark.parametrize(
    ("completion", "name"),
    [
        (Completion(""), "no-file"),
        (Completion("I cannot."), "no-file"),
        (Completion("```cwk\ntask t {}\n```"), "no-file"),
        (Completion(FILE, refused=True), "refused"),
    ],
)
def test_what_is_no_file_is_its_owners_fault(completion: Completion, name: str) -> None:
    found = read_file(completion, Owner.VERIFIER)
    assert isinstance(found, Fault)
    assert (found.owner, found.name) == (Owner.VERIFIER, name)


def test_a_run_is_found_whatever_stands_around_it() -> None:
    calls = '[{"tool": "a", "arguments": {"x": 1}}, {"tool": "b"}, 3, {"tool": 4}]'
    text = f'```json\n{{"calls": {calls}, "answer": "Done"}}\n```'
    assert read_attempt(text) == Attempt((("a", {"x": 1}), ("b", {})), "Done")


@pytest.mark.parametrize("text", ["", "No.", "{", "[]", '{"calls": []}', '{"calls": {}, "answer": ""}', "{" * 10_000])
def test_what_is_no_run_is_none(text: str) -> None:
    assert read_attempt(text) is None
