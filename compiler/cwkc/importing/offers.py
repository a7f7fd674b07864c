"""The services that a task's tools belong to: standard ones where they agree, else own ones of the same names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from cwkc.importing.documents import Node
from cwkc.importing.standard import Standard, standard
from cwkc.importing.tool_lists import Listed
from cwkc.importing.wording import Todo, one_line, snake

ADDRESS = re.compile(r"\w+://[^/]*/([^/?#]+)")
"""An address, and the first part of its path."""


@frozen
class Offer:
    """A service of a task and the tools of it that the task names, by their names within the service; `standard` is
    None where it is a service of the task's own."""

    service: str
    tools: Mapping[str, Node]
    standard: Standard | None

    @property
    def listed(self) -> list[Listed]:
        """The tools as a list of their own."""
        return [
            Listed(name, one_line(node.said("description")), node.at("input_schema"), None, node.span)
            for name, node in self.tools.items()
        ]


def offers_of(root: Node) -> tuple[tuple[Offer, ...], tuple[Todo, ...]]:
    """The services of a task, and the tools that no service has."""
    places = {each.said("tool_name"): each.said("url") for each in root.listed("tool_endpoints")}
    groups: dict[str, dict[str, Node]] = {}
    todos: list[Todo] = []
    for tool in root.listed("tools"):
        name = tool.said("name")
        if name in places and snake(name):
            service, own = _home(snake(name), places[name])
            groups.setdefault(service, {})[own] = tool
        else:
            reason = "no endpoint serves it: the sandbox does"
            todos.append(Todo(tool.span, name, reason, "let the task do without it, or declare a service"))
    if not groups:
        reason = "no service has a tool of the task"
        todos.append(Todo(root.keys.get("tools", root.span), "tools", reason, "offer what the request needs"))
    offers = [*_settled(groups)]
    return tuple(offers), (*todos, *(todo for offer in offers for todo in _lacking(offer)))


def _home(name: str, url: str) -> tuple[str, str]:
    """A tool's service and its name there: `gmail_send_message` is `gmail`'s, and `send_notification` is that of the
    service in its address, if that has such a tool."""
    service, _, own = name.partition("_")
    address = ADDRESS.match(url)
    served = address[1] if address else ""
    other = standard(served) if standard(service) is None else None
    if other is not None and other.offers(f"{served}.{name}"):
        return served, name
    return service, own or service


def _settled(groups: Mapping[str, Mapping[str, Node]]) -> Iterator[Offer]:
    """A service that uses a standard one cannot stand beside another of that one's name."""
    found = {service: standard(service) for service in groups}
    kept = {
        service: each
        for service, each in found.items()
        if each is not None and all(each.offers(f"{service}.{tool}") for tool in groups[service])
    }
    own: set[str] = set()
    while own != groups.keys() - kept.keys():
        own = groups.keys() - kept.keys()
        kept = {service: each for service, each in kept.items() if own.isdisjoint(each.uses)}
    return (Offer(service, tools, kept.get(service)) for service, tools in groups.items())


def _lacking(offer: Offer) -> Iterator[Todo]:
    """The parameters that a task shows and the standard tool lacks."""
    for name, tool in offer.tools.items() if offer.standard else ():
        known = offer.standard.service.tools[f"{offer.service}.{name}"].parameters if offer.standard else {}
        for parameter, node in tool.mapped("input_schema", "properties").items():
            if parameter not in known:
                reason = f"the standard `{offer.service}.{name}` has no such parameter"
                yield Todo(node.span, parameter, reason, "see that the task can be done without it")


def qualified(offers: Sequence[Offer]) -> dict[str, str]:
    """What a tool is called in the language, by the name that the task has for it."""
    return {tool.said("name"): f"{offer.service}.{name}" for offer in offers for name, tool in offer.tools.items()}
