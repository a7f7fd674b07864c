"""Families: the files that all members share, and a row for each member."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from coworkdsl.families import HOLE
from coworkdsl.tagged import to_tagged
from coworkdsl.values import to_stored
from cwkc.emit.forms import GRADING, REQUEST, Form, Spot
from cwkc.emit.literals import Hole
from cwkc.emit.pack import FORMAT, FamilyFiles, emit_shared, entry, json_text
from cwkc.meaning.families import Family, Member


@frozen(eq=False)
class BuiltFamily:
    """A family whose members were checked: their form, and by id the row of each. `sampled`: whether there are more
    members than these, which `seed` chose."""

    family: Family
    form: Form
    rows: Mapping[str, str]
    seed: int

    @property
    def first_values(self) -> dict[str, Any]:
        """The values of the first member wherever some member differs from it, as rows have them."""
        return _parts(self.form.holes())

    @property
    def sampled(self) -> bool:
        return len(self.rows) < self.family.size


def member_row(member: Member, differences: Mapping[Spot, Any]) -> str:
    """The row of a member, as one line of JSON: its id, its parameters, and the values that are not the first's."""
    row = {"id": member.id, "parameters": {name: to_stored(value) for name, value in member.parameters.items()}}
    return _line({**row, **_parts(differences)})


def with_witness(row: str, steps: Sequence[Mapping[str, Any]]) -> str:
    """The row of a member whose witness is another one than the first's."""
    return _line({**json.loads(row), "witness": list(steps)})


def emit_family(built: BuiltFamily, proof: Mapping[str, Any] | None = None) -> FamilyFiles:
    """The files of a family; without a proof, all but proof.json."""
    folder = f"families/{built.family.name}"
    holed = built.form.holed()
    request = {HOLE: holed.request.name} if isinstance(holed.request, Hole) else holed.request
    files = emit_shared(evolve(holed, name=built.family.name), folder, request, "family")
    files[f"{folder}/family.json"] = json_text(_document(built))
    files[f"{folder}/members.jsonl"] = "".join(built.rows.values())
    if proof is not None:
        files[f"{folder}/proof.json"] = json_text(proof)
    return FamilyFiles(built.form.first, _entry(built), files)


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parts(values: Mapping[Spot, Any]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for (part, name), value in values.items():
        if part == REQUEST:
            parts[REQUEST] = value
        else:
            written = to_tagged(value) if part == GRADING else to_stored(value)
            parts.setdefault(part, {})[name] = written
    return parts


def _document(built: BuiltFamily) -> dict[str, Any]:
    family = built.family
    return {
        "format": FORMAT,
        "id": family.name,
        "title": built.form.first.title,
        "parameters": [
            {"name": each.name, "type": str(each.type), "values": len(each.values)} for each in family.dimensions
        ],
        "size": family.size,
        "members": len(built.rows),
        "seed": built.seed if built.sampled else None,
        "first": built.first_values,
    }


def _entry(built: BuiltFamily) -> dict[str, Any]:
    counts = {"members": len(built.rows), "size": built.family.size}
    return {**entry(built.form.first), "id": built.family.name, **counts}
