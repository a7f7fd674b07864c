"""The rows of a data set, read back, rendered, and proved to be what is trained on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from attrs import frozen

from cwktrain.curation.conversations import has_exchange, has_readable_calls
from cwktrain.curation.dataset import ROWS
from cwktrain.rendering import Rendered, RenderingError, render, template_messages
from cwktrain.split import refuse_family

_SHOWN = 40


class RowError(Exception):
    """A data set cannot be trained on; the message says where and why."""


@frozen(eq=False)
class Row:
    """`place`: the file and the line, for messages. `messages` are those of `template_messages`."""

    place: str
    family: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]


def read_rows(data: Path) -> list[Row]:
    """The rows of the data set in a folder. Raises RowError."""
    path = data / ROWS
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise RowError(f"`{data}` holds no data set: {error}") from error
    if not lines:
        raise RowError(f"`{path}` has no rows: there is nothing to train on")
    return [_row(line, f"`{path}`, line {number}") for number, line in enumerate(lines, 1)]


def _row(line: str, place: str) -> Row:
    try:
        document = json.loads(line)
        messages, tools = document["messages"], json.loads(document["tools"])
        if not (has_exchange(messages) and has_readable_calls(messages) and isinstance(tools, list)):
            raise ValueError("a user and an assistant take part, arguments are JSON objects, and tools are a list")
        return Row(place, str(document["family"]), template_messages(messages), tools)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RowError(f"{place} is no row as `cwkc curate` writes them: {type(error).__name__}: {error}") from error


def refuse_rows(rows: Iterable[Row], share: float) -> None:
    """Raises HeldOutTask where a row is of a family that is held out."""
    for row in rows:
        refuse_family(row.family, share, row.place)


def rendered(tokenizer: Any, row: Row) -> Rendered:
    """Raises RowError where the chat template cannot be relied on."""
    try:
        return render(tokenizer, row.messages, row.tools)
    except RenderingError as error:
        raise RowError(f"{row.place}: {error}") from error


def prove(tokenizer: Any, taken: Sequence[tuple[Row, Rendered]], prepared: Any) -> None:
    """Sees that what a trainer made of the rows is what they say, token by token: nothing lost on the way, and nothing
    added, such as the arguments of other tools as nulls.

    `prepared`: the trainer's data set, with `input_ids` and `labels`. Raises RowError, with the first difference.
    """
    if len(prepared) != len(taken):
        raise RowError(f"{len(taken)} rows were read, and {len(prepared)} would be trained on")
    for (row, text), found in zip(taken, prepared, strict=True):
        if list(found["input_ids"]) != text.ids:
            raise RowError(f"{row.place}: {_difference(text.text, tokenizer.decode(found['input_ids']))}")
        if list(found["labels"]) != [token if bit else -100 for token, bit in zip(text.ids, text.mask, strict=True)]:
            raise RowError(f"{row.place}: the trainer would learn other tokens than the assistant's")


def _difference(wanted: str, found: str) -> str:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wanted, found, strict=False)))
    said, would = wanted[same : same + _SHOWN], found[same : same + _SHOWN]
    return f"the conversation says `{said}` at character {same}, and what would be trained on says `{would}`"
