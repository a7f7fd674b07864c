"""How fast files are parsed and tasks are checked, beside what plain Python needs for texts and data of that size.

    python benchmarks/compiler.py

Parsing: all examples and standard services, and beside it the standard library's tokenizer over the same text.
Checking: each example up to and including its proofs, and beside it Python's `compile()` of the code that is emitted
for it. CPU time, medians of passes that take turns in one process: ratios are what to compare.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import process_time

from coworkdsl.files import Content
from cwkc import driver
from cwkc.emit import emit_services, emit_task
from cwkc.meaning import typed
from cwkc.resources import standard_service, standard_services
from cwkc.source import Source
from cwkc.syntax.parser import parse

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").rglob("*.cwk"))
PASSES = 7


def in_turns(*works: Callable[[], object]) -> list[float]:
    """Median CPU seconds of each."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(PASSES):
        for work, kept in zip(works, times, strict=True):
            start = process_time()
            work()
            kept.append(process_time() - start)
    return [median(kept) for kept in times]


def texts() -> list[str]:
    services = [standard_service(name) or "" for name in standard_services()]
    return [path.read_text(encoding="utf-8") for path in EXAMPLES] + services


def tokenized(text: str) -> int:
    """As far as Python's tokenizer gets with lines that are not Python: each is read by itself."""
    count = 0
    for line in text.splitlines():
        try:
            count += sum(1 for _ in tokenize.generate_tokens(io.StringIO(line + "\n").readline))
        except (tokenize.TokenError, SyntaxError):
            count += 1
    return count


def compiled(files: Sequence[dict[str, Content]]) -> int:
    return sum(
        len(compile(text, path, "exec").co_code)
        for emitted in files
        for path, text in emitted.items()
        if isinstance(text, str) and path.endswith(".py")
    )


def emitted(tasks: Sequence[typed.Task]) -> list[dict[str, Content]]:
    return [{**emit_services((task,)), **emit_task(task, None)} for task in tasks]


def main() -> None:
    sources = texts()
    lines = sum(text.count("\n") for text in sources)
    parse(Source("warm", sources[0]))
    floor, ours = in_turns(
        lambda: [tokenized(text) for text in sources],
        lambda: [parse(Source("x", text)) for text in sources],
    )
    print(f"{'':12}{'floor':>18}{'cwkc':>18}{'ratio':>8}")
    print(f"{'parse':12}{lines / floor:12.0f} lines/s{lines / ours:10.0f} lines/s{ours / floor:8.1f}")
    files = emitted(driver.check(EXAMPLES).tasks)
    floor, ours = in_turns(lambda: compiled(files), lambda: driver.check(EXAMPLES))
    count = len(EXAMPLES)
    print(f"{'check':12}{count / floor:12.1f} tasks/s{count / ours:10.1f} tasks/s{ours / floor:8.1f}")


if __name__ == "__main__":
    main()
