"""Everything that can be read: each tool that only reads, called for whatever it can be asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

from cwkc.meaning import typed
from cwkc.meaning.types import DATE, EMAIL, TEXT, Reference
from cwkc.prove.run import CallStep
from cwkc.rehearse.samples import Samples

MOST_OF_ONE = 100
"""So many calls of one tool are made."""


def reads(task: typed.Task, samples: Samples) -> Iterator[CallStep]:
    """Calls that only read. A tool that takes a record, an address or a day is called for each; a search finds
    everything."""
    for tool in task.tools:
        if tool.reads_only:
            yield from reads_of(tool, samples)


def reads_of(tool: typed.ToolDef, samples: Samples) -> Iterator[CallStep]:
    choices: dict[str, Sequence[Any]] = {}
    for name, parameter in tool.parameters.items():
        if parameter.required and parameter.type == TEXT:
            choices[name] = ("",)
        elif parameter.required and parameter.type == DATE:
            choices[name] = samples.days
        elif parameter.required and (isinstance(parameter.type, Reference) or parameter.type == EMAIL):
            choices[name] = samples.values(parameter.type)
    for values in islice(product(*choices.values()), MOST_OF_ONE):
        call = samples.call(tool, **dict(zip(choices, values, strict=True)))
        if call is not None:
            yield call


def words_of(result: Any) -> Iterator[str]:
    """Every value in a tool's result, as it stands in JSON."""
    if isinstance(result, dict):
        for value in result.values():
            yield from words_of(value)
    elif isinstance(result, list):
        for value in result:
            yield from words_of(value)
    elif result is not None and not isinstance(result, bool):
        yield str(result)
