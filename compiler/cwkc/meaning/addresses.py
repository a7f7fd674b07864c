"""One person, one address: records of different stores that name the same person agree on the address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cwkc.diagnostics import Diagnostic, Label, report
from cwkc.meaning.typed import RecordDef, RowDef, StoreDef
from cwkc.meaning.types import EMAIL, TEXT, required


def check_addresses(
    rows: Iterable[RowDef], records: Mapping[str, RecordDef], stores: Mapping[str, StoreDef]
) -> Iterator[Diagnostic]:
    """Two stores that know a person of one name under no common address.

    Several people of one name in one store are a task's own business; only when another store knows that name
    under none of their addresses do the two disagree.
    """
    known: dict[str, dict[str, list[RowDef]]] = {}
    for row in rows:
        fields = records[stores[row.store].record].fields
        if "name" not in fields or "email" not in fields:
            continue
        if fields["name"].type == TEXT and required(fields["email"].type) == EMAIL and row.fields["email"]:
            homes = known.setdefault(str(row.fields["name"]).casefold(), {})
            homes.setdefault(row.store, []).append(row)
    for homes in known.values():
        yield from _clashes(list(homes.values()))


def _clashes(homes: list[list[RowDef]]) -> Iterator[Diagnostic]:
    first, *others = homes
    addresses = {str(row.fields["email"]).casefold() for row in first}
    for rows in others:
        if addresses.isdisjoint(str(row.fields["email"]).casefold() for row in rows):
            row, other = rows[0], first[0]
            related = (Label(other.spans.get("email", other.span), f"here it is `{other.fields['email']}`"),)
            words: dict[str, Any] = {
                "name": row.fields["name"],
                "email": row.fields["email"],
                "other": other.fields["email"],
            }
            yield report("E247", row.spans.get("email", row.span), related=related, **words)
