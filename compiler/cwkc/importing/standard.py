"""The standard services, as an import needs to know them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from cwkc.meaning.check import check_program
from cwkc.meaning.program import Library
from cwkc.meaning.typed import RecordDef, ServiceDef
from cwkc.resources import standard_service, standard_services, standard_words
from cwkc.source import Source
from cwkc.syntax.parser import parse


@frozen(eq=False)
class Standard:
    """A service, the records in its reach by qualified name, and the services that it uses."""

    service: ServiceDef
    records: Mapping[str, RecordDef]
    uses: tuple[str, ...]

    def offers(self, tool: str) -> bool:
        return tool in self.service.tools


@cache
def standard(name: str) -> Standard | None:
    """A standard service; None when there is none of this name."""
    text = standard_service(name)
    if text is None:
        return None
    source = Source(f"stdlib/{name}.cwk", text)
    library = Library(parse, standard_service, standard_services(), standard_words, lambda path: None)
    program, _ = check_program([source], library)
    scope = program.scopes[source.name]
    services = scope.services
    return Standard(services[name], scope.records, tuple(each for each in services if each != name))
