"""Close names, for help texts."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from cwkc.diagnostics import Suggestion


def near(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that the author probably meant, if one is close."""
    folded = {candidate.casefold(): candidate for candidate in candidates}
    matches = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """A help sentence that offers the close name, or else lists the candidates when they are few."""
    known = list(dict.fromkeys(candidates))
    if (match := near(word, known)) is not None:
        return Suggestion(f"did you mean `{match}`?", match)
    if otherwise:
        return otherwise
    if not known:
        return ""
    shown = ", ".join(f"`{name}`" for name in known[:8])
    return f"there is {shown}" + (f" and {len(known) - 8} more" if len(known) > 8 else "")
