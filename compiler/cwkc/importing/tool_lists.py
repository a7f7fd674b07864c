"""From a list of tools with JSON Schemas, as MCP has them, to a service: their names tell what they do.

`list_issues`, `get_issue` and `create_issue` are about one store, of issues, when one of them names an issue by one
required argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from cwkc.diagnostics import Diagnostic, report
from cwkc.importing.bodies import Call, shadowing, tool_of
from cwkc.importing.documents import Node, open_document
from cwkc.importing.files import Imported, service_file
from cwkc.importing.schemas import Schemas
from cwkc.importing.skeleton import Record, Service, Slot, Store
from cwkc.importing.wording import Names, lies_ahead, one_line, pascal, singular, snake
from cwkc.meaning.types import DATE, DATETIME, INT, TEXT, EnumType, optional, required
from cwkc.source import Span

VERBS: Mapping[str, str] = {
    **dict.fromkeys(("list", "search", "find", "query"), "list"),
    **dict.fromkeys(("get", "read", "fetch", "show", "describe"), "get"),
    **dict.fromkeys(("create", "add", "new", "insert"), "create"),
    **dict.fromkeys(("update", "edit", "modify", "change", "set"), "update"),
    **dict.fromkeys(("delete", "remove"), "delete"),
}
OF_ONE = ("get", "update", "delete")


@frozen
class Listed:
    """A tool of a list: its name without the service's, its schemas, and where it stands."""

    name: str
    doc: str
    schema: Node | None
    answer: Node | None
    span: Span

    @property
    def shape(self) -> str:
        """What its verb, at the beginning or the end of its name, says that it does."""
        words = self.name.split("_")
        return VERBS.get(words[0]) or VERBS.get(words[-1], "")

    @property
    def noun(self) -> str:
        """What it does that with, in the singular; empty when it has no verb."""
        words = self.name.split("_")
        if words[0] in VERBS:
            return singular("_".join(words[1:]))
        return singular("_".join(words[:-1])) if words[-1] in VERBS else ""


def import_mcp(path: Path) -> tuple[Imported | None, tuple[Diagnostic, ...]]:
    """A file with a service of the tools that an MCP server lists; None, and the reason, when it lists none."""
    root, found = open_document(path)
    if root is None:
        return None, found
    tools = root.listed("tools") or root.listed("result", "tools") or root.items or ()
    for tool in tools:
        if not tool.said("name"):
            return None, (report("E602", tool.span, what="this", wanted="a tool with a `name`"),)
    if not tools:
        wanted = "a list of tools, as MCP's `tools/list` gives it"
        return None, (report("E602", root.span, what="this", wanted=wanted),)
    names = [snake(tool.said("name")) for tool in tools]
    prefix = _common_prefix(names) or snake(path.stem) or "service"
    listed = [_listed(tool, name, prefix) for tool, name in zip(tools, names, strict=True)]
    return service_file(service_of(prefix, root, listed)), ()


def _common_prefix(names: Sequence[str]) -> str:
    """The first word of all names, when there are several and it says what service they are of."""
    words = {name.partition("_")[0] for name in names}
    (word, *others) = words
    whole = all("_" in name for name in names)
    return word if len(names) > 1 and not others and whole and word not in VERBS else ""


def _listed(tool: Node, name: str, prefix: str) -> Listed:
    doc = one_line(tool.said("description") or tool.said("title"))
    return Listed(name.removeprefix(f"{prefix}_"), doc, tool.at("inputSchema"), tool.at("outputSchema"), tool.span)


def service_of(
    name: str, root: Node, tools: Sequence[Listed], stores: Sequence[Store] = (), enums: Sequence[EnumType] = ()
) -> Service:
    """A service of tools. `stores`, and the `enums` of their fields, are those already known; without any, the tools'
    names and arguments tell them."""
    reading = _Reading(Schemas(root, enums=[*enums]), {singular(store.name): store for store in stores})
    reading.schemas.types.taken |= {enum.name for enum in enums}
    reading.schemas.types.taken |= {store.record.name for store in stores}
    reading.names.taken |= {store.name for store in stores}
    if not stores:
        reading.find_stores(tools)
    calls = [reading.call(tool) for tool in tools]
    own = tuple({store.name: store for store in reading.stores.values()}.values())
    shadowed = shadowing(name, own, reading.schemas)
    written = [tool_of(evolve(call, shadowed=shadowed)) for call in calls]
    return Service(name, "", reading.schemas.enums, own, written, tuple(reading.schemas.todos))


@frozen
class _Reading:
    """The tools' schemas, and the stores that they are about, by what one record is called."""

    schemas: Schemas
    stores: dict[str, Store]
    names: Names = field(factory=Names)
    slots: dict[int, tuple[Slot, ...]] = field(factory=dict)
    """Of each tool, so that each schema is read once."""

    def find_stores(self, tools: Sequence[Listed]) -> None:
        groups: dict[str, list[Listed]] = {}
        for tool in tools:
            if tool.noun:
                groups.setdefault(tool.noun, []).append(tool)
        for noun, group in groups.items():
            key = next(filter(None, map(self._key, group)), "")
            fields = self._fields(group, key)
            if key and fields and any(tool.shape in ("create", "list") for tool in group):
                record = Record(self.schemas.types.fresh(pascal(noun), "Record"), fields)
                store = self.names.fresh(f"{noun}s", "records")
                wire = key if key != "id" else f"{noun}_id"
                self.stores[noun] = Store(store, record, wire)

    def _key(self, tool: Listed) -> str:
        """The one argument that a tool about one record cannot do without."""
        needed = [each for each in self._parameters(tool) if not each.may_be_left_out and each.type in (TEXT, INT)]
        return needed[0].name if tool.shape in ("get", "delete") and len(needed) == 1 else ""

    def _fields(self, group: Sequence[Listed], key: str) -> dict[str, Slot]:
        """The fields of a record: what is said when one is made or changed, and what reading one gives."""
        fields: dict[str, Slot] = {}
        makes = [tool for tool in group if tool.shape == "create"]
        always = [{each.name for each in self._parameters(tool) if not each.may_be_left_out} for tool in makes]
        for tool in (*makes, *(tool for tool in group if tool.shape == "update")):
            for each in self._parameters(tool):
                if each.name not in (key, "id", *fields):
                    needed = bool(always) and all(each.name in names for names in always)
                    fields[each.name] = _field(each, needed)
        for tool in group:
            if tool.shape == "get" and tool.answer is not None:
                read = self.schemas.properties(tool.answer)
                left = {name: each for name, each in read.items() if name not in (key, "id", *fields)}
                taken = Names({key, "id", *fields})
                fields |= {each.name: _field(each, False) for each in self.schemas.slots(left, taken)}
        return fields

    def _parameters(self, tool: Listed) -> tuple[Slot, ...]:
        if id(tool) not in self.slots:
            properties = {} if tool.schema is None else self.schemas.properties(tool.schema)
            self.slots[id(tool)] = tuple(self.schemas.slots(properties, Names()))
        return self.slots[id(tool)]

    def call(self, tool: Listed) -> Call:
        parameters = self._parameters(tool)
        store = self._store(tool)
        key = self._named(parameters, store) if store and tool.shape in OF_ONE else ""
        shape = "" if tool.shape in OF_ONE and not key else tool.shape
        name = self.names.fresh(tool.name, "unnamed")
        return Call(name, tool.doc, tool.span, parameters, shape, store, key)

    def _store(self, tool: Listed) -> Store | None:
        """The store that a tool's noun names; where it has only a verb, the only store."""
        if tool.noun:
            return self.stores.get(tool.noun)
        return next(iter(self.stores.values())) if len(self.stores) == 1 else None

    def _named(self, parameters: Sequence[Slot], store: Store) -> str:
        """The parameter that names a record: called as the ids are, or the only one that must be said."""
        names = {each.name for each in parameters}
        if store.key in names:
            return store.key
        if "id" in names:
            return "id"
        needed = [each.name for each in parameters if not each.may_be_left_out]
        return needed[0] if len(needed) == 1 and needed[0] not in store.record.fields else ""


def _field(slot: Slot, needed: bool) -> Slot:
    dated = required(slot.type) in (DATE, DATETIME)
    type = slot.type if needed or slot.default else optional(slot.type)
    return evolve(slot, type=type, scheduled=dated and lies_ahead(slot.name))
