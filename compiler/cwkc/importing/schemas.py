"""From JSON Schema to the language's types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import define, field, frozen

from cwkc.importing.documents import Node
from cwkc.importing.skeleton import Slot
from cwkc.importing.values import literal
from cwkc.importing.wording import NAME, NO_VALUES, Names, Todo, one_line, pascal, singular, snake
from cwkc.meaning.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    EMAIL,
    INT,
    TEXT,
    URL,
    EnumType,
    ListOf,
    Reference,
    Type,
    optional,
)

SCALARS: Mapping[str, Type] = {"string": TEXT, "integer": INT, "number": DECIMAL, "boolean": BOOL}
FORMATS: Mapping[str, Type] = {
    "date": DATE,
    "date-time": DATETIME,
    "email": EMAIL,
    "idn-email": EMAIL,
    "uri": URL,
    "url": URL,
}


@frozen
class Property:
    """A property of an object: its schema, whether it must be there, and where it is named."""

    schema: Node
    required: bool


@define
class Schemas:
    """Reads the schemas of one document. `references` gives, for the name of a shared schema, the record that it stands
    for where there is a store of such records."""

    root: Node
    types: Names = field(factory=Names)
    enums: list[EnumType] = field(factory=list)
    references: dict[str, str] = field(factory=dict)
    todos: list[Todo] = field(factory=list)

    def resolve(self, node: Node) -> Node:
        """What a `$ref` within the document leads to; the node itself where it leads nowhere."""
        seen: set[str] = set()
        while node.said("$ref") and node.said("$ref") not in seen:
            target = node.said("$ref")
            seen.add(target)
            found = self.root.at(*map(_unescaped, target.removeprefix("#/").split("/"))) if target[:2] == "#/" else None
            if found is None:
                self._leave(node, target, "it leads to nothing in this document", "write what it stands for")
                break
            node = found
        return node

    def properties(self, node: Node, within: frozenset[int] = frozenset()) -> dict[str, Property]:
        """The properties of an object and of all that it is made of (`allOf`); none when it is no object."""
        node = self.resolve(node)
        if id(node) in within:
            return {}
        found: dict[str, Property] = {}
        for part in node.listed("allOf"):
            found |= self.properties(part, within | {id(node)})
        needed = {each.text for each in node.listed("required")}
        found |= {name: Property(each, False) for name, each in node.mapped("properties").items()}
        return {name: Property(each.schema, each.required or name in needed) for name, each in found.items()}

    def slots(self, properties: Mapping[str, Property], taken: Names) -> Iterator[Slot]:
        """A field or a parameter for each property."""
        for name, each in properties.items():
            yield self.slot(name, each.schema, each.required, taken)

    def slot(self, name: str, schema: Node, is_required: bool, taken: Names) -> Slot:
        wanted = name if NAME.fullmatch(name) else snake(name)
        own = taken.fresh(wanted, "unnamed")
        if own != name:
            self._leave(schema, name, f"it is called `{own}` here", "give it a name of letters, digits and `_`")
        type, nullable = self.type_of(schema, name)
        default = self._default(schema, type)
        open_ended = not default and (nullable or not is_required)
        doc = one_line(schema.said("description") or self.resolve(schema).said("description"))
        return Slot(own, optional(type) if open_ended else type, default, doc)

    def type_of(self, node: Node, name: str, within: frozenset[int] = frozenset()) -> tuple[Type, bool]:
        """The type for a schema, and whether it takes null; `name` is what its enum would be called."""
        shared = self.references.get(node.said("$ref"))
        if shared is not None:
            return Reference(shared), False
        node = self.resolve(node)
        if id(node) in within:
            return self._text(node, name, "it contains itself"), False
        within |= {id(node)}
        nullable = node.holds("nullable")
        choices = [*node.listed("oneOf"), *node.listed("anyOf")]
        if choices:
            type, null = self._one_of(node, choices, name, within)
            return type, nullable or null
        if len(node.listed("allOf")) == 1 and not node.mapped("properties"):
            return self.type_of(node.listed("allOf")[0], name, within)
        kinds = [each.text for each in node.listed("type")] or [node.said("type")]
        nullable = nullable or "null" in kinds
        kinds = [kind for kind in kinds if kind not in ("null", "")]
        return self._single(node, kinds, name, within), nullable

    def _single(self, node: Node, kinds: list[str], name: str, within: frozenset[int]) -> Type:
        if node.at("enum") is not None and kinds in ([], ["string"]):
            return self._enum(node, name)
        if kinds == ["string"]:
            return FORMATS.get(node.said("format"), TEXT)
        if len(kinds) == 1 and kinds[0] in SCALARS:
            return SCALARS[kinds[0]]
        if set(kinds) == {"integer", "number"}:
            return DECIMAL
        if kinds == ["array"]:
            items = node.at("items")
            if items is None:
                return ListOf(self._text(node, name, "its items have no type"))
            return ListOf(self._item(items, name, within))
        if not kinds and not node.mapped("properties") and not node.listed("allOf"):
            return self._text(node, name, "it has no type")
        return self._text(node, name, "it is an object within another" if len(kinds) < 2 else "it has several types")

    def _item(self, items: Node, name: str, within: frozenset[int]) -> Type:
        type, _ = self.type_of(items, singular(name), within)
        return self._text(items, name, "it is a list of lists") if isinstance(type, ListOf) else type

    def _one_of(self, node: Node, choices: list[Node], name: str, within: frozenset[int]) -> tuple[Type, bool]:
        real = [each for each in choices if self.resolve(each).said("type") != "null"]
        if len(real) == 1:
            type, nullable = self.type_of(real[0], name, within)
            return type, nullable or len(real) < len(choices)
        return self._text(node, name, "it may be one of several things"), len(real) < len(choices)

    def _enum(self, node: Node, name: str) -> Type:
        values = tuple(dict.fromkeys(each.text for each in node.listed("enum") if each.scalar is not None))
        if not values or any(not NAME.fullmatch(value) or value in NO_VALUES for value in values):
            return self._text(node, name, "some of its values are no names" if values else "it has no values")
        known = next((enum for enum in self.enums if enum.values == values), None)
        if known is None:
            known = EnumType(self.types.fresh(pascal(name), "Choice"), values)
            self.enums.append(known)
        return known

    def _text(self, node: Node, name: str, reason: str) -> Type:
        self._leave(node, name, f"{reason}, and is a text here", "give it fields or a type that says it")
        return TEXT

    def _default(self, schema: Node, type: Type) -> str:
        default = schema.at("default") or self.resolve(schema).at("default")
        if default is None or isinstance(type, Reference):
            return ""
        return literal(default, type) or ""

    def _leave(self, node: Node, subject: str, reason: str, help: str) -> None:
        todo = Todo(node.span, subject, reason, help)
        if not any(each.span.start == todo.span.start and each.reason == reason for each in self.todos):
            self.todos.append(todo)


def _unescaped(part: str) -> str:
    """A part of a JSON pointer in a URI's fragment."""
    part = re.sub(r"%([0-9a-fA-F]{2})", lambda code: chr(int(code[1], 16)), part)
    return part.replace("~1", "/").replace("~0", "~")
