"""Lines as they are typed: at a terminal with a prompt, a history and completion, or out of a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from types import ModuleType

PROMPT = "> "
COLUMNS = 120
"""The width where there is no terminal to ask."""

Completions = Callable[[str, str], list[str]]
"""From what stands before a word, and what there is of it, to the words that it may become."""


def columns() -> int:
    """How wide a line may be."""
    return get_terminal_size().columns if sys.stdout.isatty() else COLUMNS


@contextmanager
def typed_lines(completions: Completions) -> Iterator[Iterator[str]]:
    """The lines until the input ends."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        yield _piped()
        return
    readline = _with_completion(completions)
    try:
        yield _asked_for()
    finally:
        if readline is not None:
            readline.set_completer(None)


def _piped() -> Iterator[str]:
    """Each line is shown as if it were typed, so that the output is a transcript."""
    for line in sys.stdin:
        line = line.rstrip("\r\n")
        print(f"{PROMPT}{line}", flush=True)
        yield line


def _asked_for() -> Iterator[str]:
    while True:
        try:
            line = input(PROMPT)
        except EOFError:
            print()
            return
        yield line


def _with_completion(completions: Completions) -> ModuleType | None:
    """The module `readline`, told what to complete; None on systems that have none."""
    try:
        import readline
    except ImportError:
        return None

    def complete(word: str, number: int) -> str | None:
        found = completions(readline.get_line_buffer()[: readline.get_begidx()], word)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t=,")
    # Some systems offer another library under the same name, which has commands of its own.
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    return readline
