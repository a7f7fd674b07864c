"""Names in emitted code: the author's, unless Python or another name stands in the way."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

PYTHON = frozenset({"_", *keyword.kwlist, *(name for name in dir(builtins) if name.islower())})


class Names:
    """Hands out the names of one scope, each once; what is asked for first keeps its name."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = PYTHON.union(taken)

    def take(self, wanted: str) -> str:
        """The wanted name, or the nearest free one: `from` is `from_`, a second `item` is `item_2`."""
        name = f"{wanted}_" if wanted in PYTHON else wanted
        number = 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken |= {name}
        return name

    def inner(self) -> Names:
        """Of a scope inside this one: its names hide none of those handed out so far."""
        return Names(self._taken)


def slug(label: str, longest: int = 48) -> str:
    """A label as part of a name: its words of ASCII letters and digits, joined by `_`; may be empty."""
    words = re.findall(r"[a-z0-9]+", label.lower())
    while words and len("_".join(words)) > longest:
        words.pop()
    return "_".join(words)
