"""From an OpenAPI document (3.0 or 3.1) to a service: records of its schemas, tools of its operations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.importing.bodies import Call, shadowing, tool_of
from cwkc.importing.documents import Node, open_document
from cwkc.importing.files import Imported, service_file
from cwkc.importing.schemas import Property, Schemas
from cwkc.importing.skeleton import Record, Service, Slot, Store
from cwkc.importing.wording import NAME, Names, lies_ahead, one_line, pascal, singular, snake
from cwkc.meaning.types import DATE, DATETIME, Optional, Reference, optional, required

METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
SHAPES = {"get": "get", "put": "update", "patch": "update", "delete": "delete"}
"""What is done to one record, by method."""


@frozen
class Operation:
    """One method of one path. `parameters` are those of the path and of the query."""

    path: str
    method: str
    node: Node
    parameters: tuple[Node, ...]

    @property
    def collection(self) -> str:
        """The path without the parameter at its end."""
        return self.path.rpartition("/")[0] if self.is_of_one else self.path

    @property
    def is_of_one(self) -> bool:
        return bool(re.fullmatch(r".*/[^/{}]+/\{[^/{}]+\}", self.path))

    @property
    def key(self) -> str:
        """The parameter at the path's end."""
        return self.path.rpartition("/")[2].strip("{}") if self.is_of_one else ""


@frozen
class Resource:
    """A collection of records: what a record's schema is, the parameter that names one, and what that schema is called
    where it is shared."""

    path: str
    schema: Node
    key: str
    shared: str

    @property
    def word(self) -> str:
        return singular(snake(self.path.rpartition("/")[2])) or "record"


def import_openapi(path: Path) -> tuple[Imported | None, tuple[Diagnostic, ...]]:
    """A file with the service that a document describes; None, and the reason, when it describes none."""
    root, found = open_document(path)
    if root is None:
        return None, found
    if root.entries is None or not root.said("openapi").startswith("3."):
        version = root.at("openapi") or root.at("swagger") or root
        what = f"`{version.text}`" if version.text else "this"
        return None, (report("E602", version.span, what=what, wanted="an OpenAPI document of version 3"),)
    operations = tuple(_operations(root, Schemas(root)))
    if not operations:
        place = root.at("paths") or root
        return None, (report("E602", place.span, what="this", wanted="an OpenAPI document with operations"),)
    return service_file(_Reading.of(root, operations).service(path)), ()


def _operations(root: Node, schemas: Schemas) -> Iterator[Operation]:
    for path, item in root.mapped("paths").items():
        item = schemas.resolve(item)
        for method in METHODS:
            node = item.at(method)
            if node is not None and node.entries is not None:
                yield Operation(path.rstrip("/"), method, node, tuple(_parameters(item, node, schemas)))


def _parameters(item: Node, operation: Node, schemas: Schemas) -> Iterator[Node]:
    """An operation's own parameters take the place of those of the same name that its path has."""
    both = map(schemas.resolve, (*item.listed("parameters"), *operation.listed("parameters")))
    named = {(each.said("in"), each.said("name")): each for each in both}
    yield from (each for (place, name), each in named.items() if place in ("path", "query") and name)


# ---------------------------------------------------------------------------- answers and bodies


def _content(node: Node, schemas: Schemas) -> Node | None:
    """The schema of a body or an answer: of JSON, or else of whatever stands first."""
    contents = schemas.resolve(node).mapped("content")
    if not contents:
        return None
    kind = next((each for each in contents if "json" in each), next(iter(contents)))
    return contents[kind].at("schema")


def _answer(operation: Operation, schemas: Schemas) -> Node | None:
    """The schema of what a success gives."""
    for status, response in operation.node.mapped("responses").items():
        if status.startswith("2"):
            schema = _content(response, schemas)
            if schema is not None:
                return schema
    return None


def _sent(operation: Operation, schemas: Schemas) -> Node | None:
    """The schema of the body."""
    body = operation.node.at("requestBody")
    return None if body is None else _content(body, schemas)


def _items(schema: Node | None, schemas: Schemas) -> Node | None:
    """The schema of a list's items: of the list itself, or of the one that an object holds."""
    if schema is None:
        return None
    items = schemas.resolve(schema).at("items")
    if items is not None:
        return items
    inner = [_items_of(each, schemas) for each in schemas.properties(schema).values()]
    lists = [each for each in inner if each is not None and schemas.properties(each)]
    return lists[0] if len(lists) == 1 else None


def _items_of(each: Property, schemas: Schemas) -> Node | None:
    return schemas.resolve(each.schema).at("items")


# ---------------------------------------------------------------------------- the whole


@frozen
class _Reading:
    """A document, its operations, and the stores that its paths tell of, by path."""

    root: Node
    operations: tuple[Operation, ...]
    schemas: Schemas
    stores: dict[str, Store] = field(factory=dict)
    names: Names = field(factory=Names)
    """Of stores and tools."""

    @classmethod
    def of(cls, root: Node, operations: tuple[Operation, ...]) -> _Reading:
        reading = cls(root, operations, Schemas(root))
        resources = [*reading._resources()]
        for resource in resources:
            if resource.shared and resource.shared not in reading.schemas.references:
                reading.schemas.references[resource.shared] = reading.schemas.types.fresh(
                    pascal(resource.shared.rpartition("/")[2]), "Record"
                )
        for resource in resources:
            reading._add(resource)
        return reading

    def service(self, path: Path) -> Service:
        """The whole service; its name is the document's title."""
        title = self.root.said("info", "title")
        name = snake(title) or snake(path.stem) or "service"
        stores = tuple({each.name: each for each in self.stores.values()}.values())
        calls = [self._call(each) for each in self.operations]
        shadowed = shadowing(name, stores, self.schemas)
        tools = [tool_of(evolve(each, shadowed=shadowed)) for each in calls]
        doc = one_line(self.root.said("info", "description") or title)
        return Service(name, doc, self.schemas.enums, stores, tools, tuple(self.schemas.todos))

    # ------------------------------------------------------------------------ records

    def _resources(self) -> Iterator[Resource]:
        """The collections: each path whose records have a known schema, and that are listed or named one by one."""
        by_path: dict[str, list[Operation]] = {}
        for operation in self.operations:
            by_path.setdefault(operation.collection, []).append(operation)
        for path, group in by_path.items():
            of_one = [each for each in group if each.is_of_one]
            listed = any(self._shape(each) == "list" for each in group)
            schema = self._record_schema(group) if of_one or listed else None
            if schema is not None and snake(path.rpartition("/")[2]):
                yield Resource(path, schema, of_one[0].key if of_one else "", schema.said("$ref"))

    def _record_schema(self, group: Sequence[Operation]) -> Node | None:
        """What one of these records is: as it is read, listed, answered when made, or sent."""
        asked = [each for each in group if each.method == "get"]
        candidates = [_answer(each, self.schemas) for each in asked if each.is_of_one]
        candidates += [_items(_answer(each, self.schemas), self.schemas) for each in asked if not each.is_of_one]
        candidates += [_answer(each, self.schemas) for each in group if each.method in ("post", "put", "patch")]
        candidates += [_sent(each, self.schemas) for each in group if each.method in ("post", "put", "patch")]
        return next((each for each in candidates if each is not None and self.schemas.properties(each)), None)

    def _add(self, resource: Resource) -> None:
        name = self.schemas.references.get(resource.shared)
        known = next((each for each in self.stores.values() if each.record.name == name), None)
        if known is not None:
            self.stores[resource.path] = known
            return
        properties = self.schemas.properties(resource.schema)
        key = self._key(resource, properties)
        taken = Names({key, "id"})  # `id` is every record's own id
        fields = [
            self._field(slot, resource)
            for slot in self.schemas.slots({n: p for n, p in properties.items() if n not in (key, "id")}, taken)
        ]
        doc = one_line(self.schemas.resolve(resource.schema).said("description"))
        name = name or self.schemas.types.fresh(pascal(resource.word), "Record")
        record = Record(name, {each.name: each for each in fields}, doc)
        store = self.names.fresh(snake(resource.path.rpartition("/")[2]), "records")
        self.stores[resource.path] = Store(store, record, key)

    def _key(self, resource: Resource, properties: Mapping[str, Property]) -> str:
        """What an id is called: as in the path, if the records have it there, and else after the record."""
        own = f"{resource.word}_id"
        if resource.key in properties and resource.key != "id" and NAME.fullmatch(resource.key):
            return resource.key
        return next((each for each in properties if snake(each) == own and NAME.fullmatch(each)), own)

    def _field(self, slot: Slot, resource: Resource) -> Slot:
        """A field may be null unless every call that makes a record says it."""
        dated = required(slot.type) in (DATE, DATETIME)
        made = [each for each in self.operations if each.path == resource.path and each.method == "post"]
        always = all(slot.name in self._sent_always(each) for each in made)
        loose = slot.type if slot.default or always else optional(slot.type)
        return evolve(slot, type=loose, scheduled=dated and lies_ahead(slot.name))

    def _sent_always(self, operation: Operation) -> set[str]:
        schema = _sent(operation, self.schemas)
        properties = {} if schema is None else self.schemas.properties(schema)
        return {name for name, each in properties.items() if each.required}

    # ------------------------------------------------------------------------ tools

    def _call(self, operation: Operation) -> Call:
        words = operation.node.said("operationId") or f"{operation.method} {operation.path}"
        name = self.names.fresh(snake(words), operation.method)
        doc = one_line(operation.node.said("summary") or operation.node.said("description"))
        taken = Names()
        asked = {each.said("name"): self._parameter(each, operation, taken) for each in operation.parameters}
        key = asked[operation.key].name if operation.key in asked else ""
        slots = (*asked.values(), *self._body(operation, taken))
        shape = "" if operation.is_of_one and not key else self._shape(operation)
        store = self.stores.get(operation.collection)
        return Call(name, doc, operation.node.span, slots, shape, store, key)

    def _parameter(self, node: Node, operation: Operation, taken: Names) -> Slot:
        name = node.said("name")
        schema = node.at("schema") or _content(node, self.schemas) or node
        is_needed = node.holds("required") or node.said("in") == "path"
        slot = self.schemas.slot(name, schema, is_needed, taken)
        slot = evolve(slot, doc=one_line(node.said("description")) or slot.doc)
        store = self.stores.get(operation.path.partition(f"/{{{name}}}")[0]) if node.said("in") == "path" else None
        return evolve(slot, type=Reference(store.record.name), default="") if store else slot

    def _body(self, operation: Operation, taken: Names) -> Iterator[Slot]:
        """A parameter for each property of the body; of a change, none must be said."""
        schema = _sent(operation, self.schemas)
        if schema is None:
            return
        properties = self.schemas.properties(schema)
        if not properties:
            yield self.schemas.slot("body", schema, True, taken)
        store = self.stores.get(operation.collection)
        own = {operation.key, store.key if store else "", "id"}
        sent = {n: p for n, p in properties.items() if n not in own and not p.schema.holds("readOnly")}
        for slot in self.schemas.slots(sent, taken):
            partial = operation.method == "patch" and not isinstance(slot.type, Optional)
            yield evolve(slot, type=optional(slot.type), default="") if partial else slot

    def _shape(self, operation: Operation) -> str:
        if operation.is_of_one:
            return SHAPES.get(operation.method, "")
        if operation.method == "post":
            return "create"
        lists = operation.method == "get" and _items(_answer(operation, self.schemas), self.schemas) is not None
        return "list" if lists else ""
