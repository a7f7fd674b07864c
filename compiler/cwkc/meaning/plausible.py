"""Other plausible values for the fields of a record that is copied: the next number, another person's address, another
value of the vocabulary that speaks of the field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from random import Random
from typing import Any

from cwkc.meaning import typed
from cwkc.meaning.types import EMAIL, TEXT, required
from cwkc.meaning.vocabularies import Picks
from cwkc.syntax import tree

_NAMED = {
    "crm.Customer.name": "company",
    "payments.Payee.name": "company",
    "inventory.Product.name": "product",
    "helpdesk.Ticket.title": "ticket_title",
    "contacts.Contact.name": "person",
    "contacts.Contact.title": "job_title",
    "contact_person": "person",
    "sales_rep": "person",
    "subject": "mail_subject",
}
"""The vocabulary of a field, by its record or by its name; a field called like a vocabulary needs no entry."""

_TAGS = "department"
"""The vocabulary of short words, for fields that none speaks of."""


def otherwise(
    record: str, field: typed.FieldDef, value: Any, place: str, elsewhere: Collection[Any], picks: Picks
) -> Any:
    """Another value for a field of a record, where one can be told; else the same. `elsewhere` are those of other
    records."""
    kind = required(field.type)
    if not value or kind not in (TEXT, EMAIL):
        return value
    if kind == EMAIL:
        return _address(value, f"{place} {field.name}", picks)
    vocabulary = _vocabulary(record, field.name, picks)
    if vocabulary is not None:
        return picks.take(vocabulary, f"{place} {field.name}").value
    return _next(value, elsewhere) if re.fullmatch(r"\S*\d\S*", value) else value


def some_words(record: str, name: str, count: int, random: Random, picks: Picks) -> list[str]:
    """Some values of the vocabulary that speaks of a field; where there is none, words as they stand in tags."""
    vocabulary = _vocabulary(record, name, picks)
    tags = picks.find(_TAGS) if vocabulary is None else None
    values = [value.value for value in vocabulary.values] if vocabulary is not None else []
    values += [value.value.lower() for value in tags.values] if tags is not None else []
    return random.sample(values, min(count, len(values)))


def _vocabulary(record: str, name: str, picks: Picks) -> tree.Vocabulary | None:
    return picks.find(_NAMED.get(f"{record}.{name}") or _NAMED.get(name) or name)


def _address(value: str, place: str, picks: Picks) -> str:
    """Somebody else's address in the same house."""
    people = picks.find("person")
    if people is None:
        return value
    person = picks.take(people, place).value
    plain = unicodedata.normalize("NFKD", person.casefold()).encode("ascii", "ignore").decode()
    return ".".join(re.findall(r"[a-z]+", plain)) + "@" + value.rpartition("@")[2]


def _next(value: str, elsewhere: Collection[Any]) -> str:
    """A number, with whatever is around it, that no other record has: `2026-0412` is followed by `2026-0413`."""
    *_, last = re.finditer(r"\d+", value)
    number = int(last[0])
    while value in elsewhere:
        number += 1
        value = f"{value[: last.start()]}{number:0{len(last[0])}}{value[last.end() :]}"
        *_, last = re.finditer(r"\d+", value)
    return value
