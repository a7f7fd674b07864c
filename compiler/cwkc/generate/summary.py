"""What became of a plan: attempts, faults by owner, and acceptance, as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from cwkc.generate.running import Outcome
from cwkc.generate.spending import Price, Spent

FORMAT = 1
STATUSES = ("accepted", "set aside", "open")

_SHOWN = 3
"""How many kinds of faults a row of the table names."""


def summary(outcomes: Sequence[Outcome], spent: Spent, price: Price | None) -> dict[str, Any]:
    """Counts of outcomes, attempts and faults; `cost` is in dollars, and null where no price is given."""
    return {
        "format": FORMAT,
        **{status.replace(" ", "_"): _count(outcomes, status) for status in STATUSES},
        "acceptance": _acceptance(outcomes),
        "attempts": _added(each.attempts for each in outcomes),
        "faults": {owner: _added(each.faults.get(owner, {}) for each in outcomes) for owner in _owners(outcomes)},
        "completions": spent.completions,
        "tokens": {"read": spent.read, "of_which_cached": spent.cached, "written": spent.written},
        "completions_without_count": spent.unknown,
        "cost": None if price is None else float(spent.cost(price)),
        "slots": [each.to_json() for each in outcomes],
    }


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Lines for people: a row for each slot, and one for all."""
    owners = _owners(outcomes)
    heads = ["slot", "outcome", "writer asked", "verifier asked", *(f"faults of the {owner}" for owner in owners)]
    rows = [_row(each.slot, each.status, each.attempts, each.faults, owners) for each in outcomes]
    faults = {owner: _added(each.faults.get(owner, {}) for each in outcomes) for owner in owners}
    attempts = _added(each.attempts for each in outcomes)
    accepted = f"{_count(outcomes, 'accepted')} of {len(outcomes)} accepted"
    rows.append(_row("all", accepted, attempts, faults, owners))
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
    ]


def _row(
    name: str, status: str, attempts: dict[str, int], faults: dict[str, dict[str, int]], owners: list[str]
) -> list[str]:
    asked = [str(attempts.get(role, 0)) for role in ("writer", "verifier")]
    return [name, status, *asked, *(_kinds(faults.get(owner, {})) for owner in owners)]


def _kinds(counts: dict[str, int]) -> str:
    """The commonest faults, each with how often it was found."""
    commonest = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    rest = sum(count for _, count in commonest[_SHOWN:])
    shown = [f"{count} {name}" for name, count in commonest[:_SHOWN]] + ([f"{rest} more"] if rest else [])
    return ", ".join(shown) or "0"


def _owners(outcomes: Iterable[Outcome]) -> list[str]:
    """The writer, the verifier, and the compiler where it has defects."""
    found = {owner for each in outcomes for owner in each.faults}
    return [owner for owner in ("writer", "verifier", "compiler") if owner in found or owner != "compiler"]


def _count(outcomes: Iterable[Outcome], status: str) -> int:
    return sum(each.status == status for each in outcomes)


def _acceptance(outcomes: Sequence[Outcome]) -> float | None:
    """Of the slots that came to an end, the share that was accepted."""
    ended = [each for each in outcomes if each.status != "open"]
    return _count(ended, "accepted") / len(ended) if ended else None


def _added(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))
