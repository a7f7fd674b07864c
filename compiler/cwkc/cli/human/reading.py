"""A call's arguments as a person types them: `argument=value` words, or one JSON object."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecoder
from typing import Any, NamedTuple, NoReturn

from cwkc.meaning.near import did_you_mean

Schema = Mapping[str, Any]
"""The JSON Schema of one argument."""

_NAME = re.compile(r"\s*([^\s=\"'{\[]+)=")
_BARE = re.compile(r"\S*")


class Unreadable(ValueError):
    """What was typed is no call; the message says why, and how to mend it."""


class _Word(NamedTuple):
    """A value as it was typed, without its quotes."""

    text: str
    quoted: bool


def read_arguments(text: str, parameters: Mapping[str, Schema]) -> dict[str, Any]:
    """The arguments, each of the kind that its schema says; a JSON object is taken as it is. Raises Unreadable."""
    if text.startswith("{"):
        return _object(text)
    arguments: dict[str, Any] = {}
    for name, word in _words(text):
        if name not in parameters:
            help = did_you_mean(name, parameters, "" if parameters else "it takes none")
            raise Unreadable(f"`{name}` is no argument of this tool; {help}")
        if name in arguments:
            raise Unreadable(f"`{name}` is given twice")
        arguments[name] = _converted(name, word, parameters[name])
    return arguments


def read_text(text: str) -> str:
    """Words to be said: as they are, or the text of a JSON string, which may have several lines."""
    try:
        said = _json(text)
    except (ValueError, RecursionError):
        return text
    return said if isinstance(said, str) else text


def kinds(schema: Schema) -> tuple[str, bool]:
    """The kind of value that a schema asks for, a text where it says none, and whether null is one too."""
    said = schema.get("type", "string")
    named = said if isinstance(said, list) else [said]
    return next(kind for kind in named if kind != "null"), "null" in named or None in schema.get("enum", ())


# ---------------------------------------------------------------------------- words


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no JSON")


_DECODER = JSONDecoder(strict=False, parse_constant=_refuse_constant)


def _json(text: str) -> Any:
    return _DECODER.decode(text)


def _object(text: str) -> dict[str, Any]:
    try:
        arguments: dict[str, Any] = _json(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"what begins with `{{` must be a JSON object: {error}") from None
    return arguments


def _words(text: str) -> Iterator[tuple[str, _Word]]:
    place = 0
    end = len(text.rstrip())
    while place < end:
        found = _NAME.match(text, place)
        if not found:
            raise Unreadable(f"`{text[place:].split()[0]}` is not `argument=value`; quote a text that has spaces")
        word, place = _word(text, found.end())
        if place < end and not text[place].isspace():
            raise Unreadable(f"a space is missing before `{text[place:].split()[0]}`")
        yield found[1], word


def _word(text: str, place: int) -> tuple[_Word, int]:
    """The value that begins there, and where it ends."""
    begins = text[place : place + 1]
    if begins == "'":
        return _single_quoted(text, place)
    if begins in ('"', "["):
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            if begins == '"':
                raise Unreadable(f'`{text[place:]}` is no quoted text: it needs a closing `"`') from None
        else:
            return (_Word(value, True) if begins == '"' else _Word(text[place:end], False)), end
    found = _BARE.match(text, place)
    return (_Word(found[0], False), found.end()) if found else (_Word("", False), place)


def _single_quoted(text: str, place: int) -> tuple[_Word, int]:
    end = text.find("'", place + 1)
    if end < 0:
        raise Unreadable(f"`{text[place:]}` is no quoted text: it needs a closing `'`")
    return _Word(text[place + 1 : end], True), end + 1


# ---------------------------------------------------------------------------- values


def _converted(name: str, word: _Word, schema: Schema) -> Any:
    kind, may_be_null = kinds(schema)
    if may_be_null and word == _Word("null", False):
        return None
    read, expectation = _READERS[kind]
    try:
        return read(word.text, schema)
    except (ValueError, RecursionError):
        raise Unreadable(f"`{name}` takes {expectation}; got `{word.text}`") from None


def _text(text: str, schema: Schema) -> str:
    return text


def _number(text: str, schema: Schema) -> int | float:
    value = _json(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("not a number")
    return value


def _boolean(text: str, schema: Schema) -> bool:
    if text not in ("true", "false"):
        raise ValueError("not a boolean")
    return text == "true"


def _array(text: str, schema: Schema) -> list[Any]:
    if text.startswith("["):
        items: list[Any] = _json(text)
        return items
    if not text.strip():
        return []
    kind, _ = kinds(schema["items"])
    return [_READERS[kind][0](item.strip(), schema["items"]) for item in text.split(",")]


_READERS: Mapping[str, tuple[Callable[[str, Schema], Any], str]] = {
    "string": (_text, "a text"),
    "integer": (_number, "a whole number"),
    "number": (_number, "a number"),
    "boolean": (_boolean, "`true` or `false`"),
    "array": (_array, "values with commas between them, or a JSON array"),
}
