"""What is delivered, written otherwise: with mistakes, and in another layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from coworkdsl.contracts import Contract, written
from cwkc.meaning.calendar import moved
from cwkc.rehearse.readings import DELIVERS, Reading


def contracts_in(text: str, found: Sequence[Reading]) -> Iterator[Contract]:
    """The contracts that a text is read as, where it has what the compiler writes for them."""
    contracts = (reading.operands[0] for reading in found if reading.test == DELIVERS and reading.operands)
    return (contract for contract in dict.fromkeys(contracts) if written(contract) in text)


def misdelivered(text: str, contract: Contract) -> Iterator[tuple[str, str]]:
    """The text with one field wrong, in the first row and in the last; without a row, and with one too many."""
    for number in sorted({0, len(contract.rows) - 1}):
        row = contract.rows[number]
        for place, (name, _) in enumerate(contract.columns):
            other = (*row[:place], _other(row[place]), *row[place + 1 :])
            rows = (*contract.rows[:number], other, *contract.rows[number + 1 :])
            yield f"with another `{name}`", _with_rows(text, contract, rows)
    if contract.key is not None:
        one_more = tuple(map(_other, contract.rows[-1]))
        yield "without its last row", _with_rows(text, contract, contract.rows[:-1])
        yield "with a row too many", _with_rows(text, contract, (*contract.rows, one_more))


def _with_rows(text: str, contract: Contract, rows: tuple[tuple[Any, ...], ...]) -> str:
    return text.replace(written(contract), written(replace(contract, rows=rows)))


def _other(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | Fraction():
            return value + 1
        case timedelta():
            return value + timedelta(days=1)
        case date():
            day = moved(value, timedelta(days=1))
            return day if day != value else moved(value, timedelta(days=-1))
    return f"other {value}"


def laid_out_otherwise(text: str, contract: Contract) -> str:
    """The text with its rows and fields in reverse; of plain text, as a list with words around it."""
    first = int(contract.key is not None)
    columns = (*contract.columns[:first], *reversed(contract.columns[first:]))
    rows = tuple((*row[:first], *reversed(row[first:])) for row in reversed(contract.rows))
    other = written(replace(contract, columns=columns, rows=rows))
    if contract.format == "text":
        other = "\n".join(("Here it is.", *(f"- {line}" for line in other.splitlines()), "That is all."))
    return text.replace(written(contract), other)
