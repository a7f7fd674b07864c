"""The plan that the documentation shows over the examples is what comes out."""

from __future__ import annotations

import re
from pathlib import Path

from cwkc import driver
from cwkc.emit.pack import emit_pack
from cwkc.folder import write_pack
from cwkc.planning import Tally, document, lines, plan_slots, read_requirements, tasks_of
from cwkc.stages import first_members

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_shown_over_the_examples_comes_out(tmp_path: Path) -> None:
    program, found = driver.understand(sorted((ROOT / "examples").rglob("*.cwk")))
    assert found == ()
    # What is counted is known without proofs; a family counts as one of its members.
    write_pack(emit_pack([*program.tasks, *first_members(program.families)], {}), tmp_path / "pack")
    wanted, before = read_requirements(), Tally.of(tasks_of(tmp_path / "pack"))
    numbers = document(wanted, before, plan_slots(wanted, before, 200, seed=0), seed=0)
    page = (ROOT / "docs" / "planning.md").read_text(encoding="utf-8")
    assert "\n".join(lines(numbers)) + "\n" in re.findall(r"^```text\n(.*?)^```$", page, re.M | re.S)
