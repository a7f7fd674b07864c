"""From a plan's file to the slots that are to be filled, with what their tasks may use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import field, fields, frozen

from coworkdsl.values import to_wire
from cwkc import driver
from cwkc.cache import digest_of
from cwkc.diagnostics import Diagnostic, has_errors
from cwkc.meaning import typed
from cwkc.meaning.check import Program

SUMMARY = "summary"
"""The name of the file about all slots."""


class PlanError(Exception):
    """A plan cannot be filled; the message says why, and how to mend it."""


@frozen
class Slot:
    """`uses`: the lines at the head of its task's file. `signatures`: its services, as Markdown. `digest`: of all of
    it."""

    plan: str
    wanted: typed.SlotDef
    uses: tuple[str, ...]
    signatures: str = field(repr=False)

    @property
    def name(self) -> str:
        return self.wanted.name

    @property
    def words(self) -> Mapping[str, Any]:
        """What the plan says of it, as JSON."""
        names = (each.name for each in fields(type(self.wanted)) if each.name != "span")
        said = ((name, to_wire(getattr(self.wanted, name))) for name in names)
        return {name: value for name, value in said if value not in (None, [])}

    @property
    def tells_freely(self) -> bool:
        """Whether its scenario is a text, and no word of the planning."""
        return not (self.wanted.scenario or "").isidentifier()

    @property
    def digest(self) -> str:
        return digest_of(self.plan, self.words, self.uses, self.signatures)


@frozen(eq=False)
class Plan:
    """`files`: by absolute path, the texts that a task may `use`."""

    slots: tuple[Slot, ...]
    files: Mapping[str, str]


def read_plan(path: Path, folder: Path) -> tuple[Plan | None, tuple[Diagnostic, ...]]:
    """The slots of a plan's file, whose tasks are to lie in the folder; None, and the reason, where it has errors.

    Raises PlanError where it has no slots, two of one name, or one that names no services.
    """
    program, found = driver.understand([path])
    if has_errors(found):
        return None, found
    files = {os.path.abspath(unit.key): unit.source.text for unit in program.units if not unit.key.startswith("std:")}
    named = [(plan.name, slot) for plan in program.plans for slot in plan.slots]
    if not named:
        raise PlanError(f"`{path}` has no slots: a plan is written `plan NAME {{ slot ID {{ … }} }}`")
    _refuse_same_names(path, [slot.name for _, slot in named])
    services = program.scopes[path.as_posix()].services
    return Plan(tuple(_slot(plan, slot, services, program, folder) for plan, slot in named), files), found


def _refuse_same_names(path: Path, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.lower() == SUMMARY:
            raise PlanError(f"`{path}` has a slot called `{name}`, a name that is kept for what became of the slots")
        if name.lower() in seen:
            raise PlanError(f"`{path}` has two slots called `{name}`: each becomes a file of that name")
        seen.add(name.lower())


def _slot(
    plan: str,
    wanted: typed.SlotDef,
    services: Mapping[str, typed.ServiceDef],
    program: Program,
    folder: Path,
) -> Slot:
    if not wanted.services:
        raise PlanError(f"the slot `{wanted.name}` names no `services`, so there are no tools to write its task with")
    by_name = {service.name: service for service in services.values()}
    homes = {name: by_name[name].span.source.name for name in wanted.services}
    own = tuple(dict.fromkeys(home for home in homes.values() if not home.startswith("stdlib/")))
    standard = [name for name, home in homes.items() if home not in own]
    uses = [f"use {', '.join(standard)}"] if standard else []
    uses += [f'use "{_relative(home, folder)}"' for home in own]
    pages = [driver.standard_reference(name)[0] for name in standard]
    pages += [driver.reference(Path(home))[0] for home in own]
    return Slot(plan, wanted, tuple(uses), "\n\n".join(pages))


def _relative(home: str, folder: Path) -> str:
    return Path(os.path.relpath(home, folder)).as_posix()
