"""YAML and JSON with places: every value knows where it stands in its file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.source import Source, Span
from cwkc.syntax.reader import read

if TYPE_CHECKING:
    import yaml

Scalar = None | bool | int | Decimal | str

BLANKS = re.compile(r"[ \t\r\n]*")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
LONGEST_EXPONENT = 40
DECODER = json.JSONDecoder()
CONSTANTS = {"true": True, "false": False, "null": None}


@frozen(eq=False)
class Node:
    """A value of a document. Of its three forms, scalar, list and mapping, only the one it has says something."""

    span: Span
    scalar: Scalar = None
    written: str = ""
    """A scalar as text: of a number or a date, the author's own characters."""
    items: tuple[Node, ...] | None = None
    entries: Mapping[str, Node] | None = None
    keys: Mapping[str, Span] = field(factory=dict)

    @property
    def is_scalar(self) -> bool:
        return self.items is None and self.entries is None

    @property
    def text(self) -> str:
        """What a text says; the empty text of anything that is none."""
        return self.written if self.is_scalar and self.scalar is not None else ""

    def at(self, *path: str) -> Node | None:
        """The value below these keys, when there is one."""
        node: Node | None = self
        for key in path:
            node = None if node is None or node.entries is None else node.entries.get(key)
        return node

    def said(self, *path: str) -> str:
        """The text below these keys; the empty text where there is none."""
        node = self.at(*path)
        return "" if node is None else node.text

    def holds(self, *path: str) -> bool:
        """Whether there is a `true` below these keys."""
        node = self.at(*path)
        return node is not None and node.scalar is True

    def listed(self, *path: str) -> tuple[Node, ...]:
        """The items of the list below these keys; none where there is no list."""
        node = self.at(*path)
        return () if node is None or node.items is None else node.items

    def mapped(self, *path: str) -> Mapping[str, Node]:
        """The entries of the mapping below these keys; none where there is no mapping."""
        node = self.at(*path)
        return {} if node is None or node.entries is None else node.entries

    def plain(self) -> Any:
        """The value as JSON has it, numbers as written."""
        if self.items is not None:
            return [each.plain() for each in self.items]
        if self.entries is not None:
            return {key: each.plain() for key, each in self.entries.items()}
        return float(self.scalar) if isinstance(self.scalar, Decimal) else self.scalar


def open_document(path: Path) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """The document that a file holds, JSON when its name says so and else YAML; None, and the reason, when it cannot be
    read."""
    source, found = read(path, path.as_posix())
    if source is None:
        return None, found
    format, parse = ("JSON", _json) if path.suffix == ".json" else ("YAML", _yaml)
    try:
        return parse(source), ()
    except _Unreadable as failure:
        reason, offset = str(failure), failure.offset
    except RecursionError:
        reason, offset = "it is nested too deeply", 0
    except ValueError:  # of Python's own limit, which JSON and YAML do not have
        reason, offset = "a whole number in it has too many digits", 0
    place = Span(source, min(offset, len(source.text)), min(offset + 1, len(source.text)))
    return None, (report("E601", place, name=source.name, format=format, reason=reason),)


class _Unreadable(Exception):
    """What is wrong with a text, and where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.offset = offset


# ---------------------------------------------------------------------------- JSON


def _json(source: Source) -> Node:
    """The standard reader says whether the text is JSON; what follows it only finds the places."""

    def refuse(constant: str) -> None:
        raise _Unreadable(f"`{constant}` is no JSON", source.text.find(constant))

    try:
        json.loads(source.text, parse_constant=refuse)
    except json.JSONDecodeError as failure:
        raise _Unreadable(failure.msg[:1].lower() + failure.msg[1:], failure.pos) from failure
    return _Places(source).value(0)[0]


@frozen
class _Places:
    """Reads a text that is known to be JSON. Each method takes an offset and gives a value and the offset behind it."""

    source: Source

    def value(self, start: int) -> tuple[Node, int]:
        start = self._skip(start)
        first = self.source.text[start]
        if first == "{":
            return self._mapping(start)
        if first == "[":
            return self._list(start)
        if first == '"':
            text, end = self._string(start)
            return Node(Span(self.source, start, end), text, text), end
        number = NUMBER.match(self.source.text, start)
        if number is None:
            word = next(each for each in CONSTANTS if self.source.text.startswith(each, start))
            return Node(Span(self.source, start, start + len(word)), CONSTANTS[word], word), start + len(word)
        exact = _exact(number[0]) if number[1] or number[2] else int(number[0])
        return Node(Span(self.source, start, number.end()), exact, number[0]), number.end()

    def _list(self, start: int) -> tuple[Node, int]:
        items: list[Node] = []

        def item(place: int) -> int:
            node, end = self.value(place)
            items.append(node)
            return end

        end = self._separated(start, "]", item)
        return Node(Span(self.source, start, end), items=tuple(items)), end

    def _mapping(self, start: int) -> tuple[Node, int]:
        entries: dict[str, Node] = {}
        keys: dict[str, Span] = {}

        def entry(place: int) -> int:
            key, end = self._string(place)
            keys[key] = Span(self.source, place, end)
            entries[key], end = self.value(self._skip(end) + 1)
            return end

        end = self._separated(start, "}", entry)
        return Node(Span(self.source, start, end), entries=entries, keys=keys), end

    def _separated(self, start: int, closing: str, part: Callable[[int], int]) -> int:
        """Past a bracket, what is in it, part by part, and the bracket that closes it."""
        place = self._skip(start + 1)
        while self.source.text[place] != closing:
            place = self._skip(part(place))
            if self.source.text[place] == ",":
                place = self._skip(place + 1)
        return place + 1

    def _string(self, start: int) -> tuple[str, int]:
        text, end = DECODER.raw_decode(self.source.text, start)
        return _whole(text), end

    def _skip(self, start: int) -> int:
        blanks = BLANKS.match(self.source.text, start)
        return blanks.end() if blanks else start


def _exact(written: str) -> Scalar:
    """A number with a fraction or an exponent; the text itself where it is none, or has no reasonable length."""
    try:
        number = Decimal(written.replace("_", ""))
    except InvalidOperation:
        return written
    return number if number.is_finite() and abs(number.adjusted()) <= LONGEST_EXPONENT else written


def _whole(text: str) -> str:
    """Half a surrogate pair is no character that a file could hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# ---------------------------------------------------------------------------- YAML


def _yaml(source: Source) -> Node:
    import yaml

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(source.text)
        try:
            root = loader.get_single_node()
        finally:
            loader.dispose()
        if root is None:
            return Node(Span(source, 0, 0))
        return _Composed(source, yaml.SafeLoader("")).node(root)
    except yaml.MarkedYAMLError as failure:
        mark = failure.problem_mark or failure.context_mark
        raise _Unreadable(failure.problem or str(failure), mark.index if mark else 0) from failure
    except yaml.reader.ReaderError as failure:
        raise _Unreadable(str(failure.reason), failure.position) from failure


@frozen
class _Composed:
    """Gives the composed nodes of YAML the form that JSON's have. `constructor` knows how mappings are merged."""

    source: Source
    constructor: yaml.SafeLoader
    seen: dict[int, Node | None] = field(factory=dict)
    """What an anchor names, by identity; None while it is being made."""

    def node(self, node: yaml.Node) -> Node:
        span = Span(self.source, node.start_mark.index, node.end_mark.index)
        if id(node) in self.seen:
            known = self.seen[id(node)]
            if known is None:
                raise _Unreadable("an alias stands within what it names", span.start)
            return known
        self.seen[id(node)] = None
        made = self._made(node, span)
        self.seen[id(node)] = made
        return made

    def _made(self, node: yaml.Node, span: Span) -> Node:
        from yaml import MappingNode, ScalarNode, SequenceNode

        if isinstance(node, SequenceNode):
            return Node(span, items=tuple(self.node(each) for each in node.value))
        if isinstance(node, MappingNode):
            self.constructor.flatten_mapping(node)
            pairs = [(_whole(str(key.value)), key, value) for key, value in node.value if isinstance(key, ScalarNode)]
            keys = {name: Span(self.source, key.start_mark.index, key.end_mark.index) for name, key, _ in pairs}
            return Node(span, entries={name: self.node(value) for name, _, value in pairs}, keys=keys)
        assert isinstance(node, ScalarNode)
        written = _whole(node.value)
        return Node(span, self._scalar(node, written), written)

    def _scalar(self, node: yaml.ScalarNode, written: str) -> Scalar:
        """Dates, and what YAML has besides, stay the texts that they are."""
        kind = node.tag.rpartition(":")[2]
        if kind == "null":
            return None
        if kind == "bool":
            return written.lower() in ("true", "yes", "on")
        if kind == "int" and re.fullmatch(r"[-+]?\d[\d_]*", written):
            return int(written.replace("_", ""))
        return _exact(written) if kind == "float" else written
