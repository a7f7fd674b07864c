"""What a word that is being typed may become."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cwkc.cli.human.reading import Schema, kinds

Ids = Callable[[str, str], Iterable[str]]
"""From a tool and an argument to the ids that were seen and that the argument may be."""

_ARGUMENT = re.compile(r"(?:^|\s)([^\s=]+)=(\S*)$")
_GIVEN = re.compile(r"(?:^|\s)([^\s=]+)=")


def completions(
    before: str, word: str, commands: Iterable[str], tools: Mapping[str, Mapping[str, Any]], ids: Ids
) -> list[str]:
    """Every way in which the word may go on: a command or a tool, then an argument's name, then its value."""
    first, _, rest = before.lstrip().partition(" ")
    if not first:
        found: Iterable[str] = (f"{name} " for name in (*tools, *commands))
    elif first == "help":
        found = tools
    elif first in tools and rest.count('"') % 2 == 0:
        parameters = tools[first]["parameters"]["properties"]
        found = _within_call(rest, parameters, lambda argument: ids(first, argument))
    else:
        found = ()
    return [each for each in found if each.startswith(word)]


def _within_call(before: str, parameters: Mapping[str, Schema], ids: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """A value after `argument=`, else the names of the arguments that are not yet given."""
    argument = _ARGUMENT.search(before)
    if argument is None:
        given = set(_GIVEN.findall(before))
        yield from (f"{name}=" for name in parameters if name not in given)
    elif argument[1] in parameters:
        schema = parameters[argument[1]]
        kind, _ = kinds(schema)
        ending = "" if kind == "array" else " "
        values = (*_choices(schema["items"] if kind == "array" else schema), *ids(argument[1]))
        yield from (f"{value}{ending}" for value in values)


def _choices(schema: Schema) -> list[str]:
    """The values of a schema that has few."""
    if kinds(schema)[0] == "boolean":
        return ["true", "false"]
    return [name for name in schema.get("enum", ()) if name is not None]
