"""Mutants and variants of what is delivered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from coworkdsl.contracts import Contract, delivered_share, delivers, written
from cwkc.emit import emit_pack
from cwkc.rehearse import rehearse
from cwkc.rehearse.deliveries import laid_out_otherwise, misdelivered

from ..generators import task_of
from .support import killed, says, theorem

COLUMNS = (("id", "text"), ("pieces", "int"), ("open", "bool"))
ROWS = (("A-1", 10, True), ("A-2", 25, False), ("A-3", 3, True))
TASK = """cwk 1

use helpdesk

task desk "Look at the tickets" {
  now: 2026-03-14T09:00:00Z
  request "Say of each ticket what it is."
  tools helpdesk.{list_tickets, get_ticket}
  data helpdesk.tickets {
    @TK-301 { title: "Scanner offline", created_at: now - 70h, category: "depot" }
    @TK-302 { title: "Label printer jams", created_at: now - 20h, category: "shop" }
  }
  deliver places answer rows t in helpdesk.tickets key t.id { place: text = t.category }
  check 1 "says where" delivered places
}
"""


@pytest.mark.parametrize("format", ["json", "csv", "xlsx", "text"])
@pytest.mark.parametrize("key", ["id", None])
def test_mistakes_cost_and_another_layout_does_not(format: str, key: str | None) -> None:
    contract = Contract(format, COLUMNS, ROWS if key else ROWS[:1], key)
    text = written(contract)
    wrong = dict(misdelivered(text, contract))
    assert list(wrong)[:3] == ["with another `id`", "with another `pieces`", "with another `open`"]
    assert ("with a row too many" in wrong) == (key is not None)
    assert all(delivered_share(other, contract) < 1 for other in wrong.values())
    other = laid_out_otherwise(text, contract)
    assert other != text
    assert delivers(other, contract)


def test_they_are_rehearsed() -> None:
    task = task_of(TASK)
    rehearsal = rehearse(task, emit_pack((task,), {}), (says("id: TK-301; place: depot\nid: TK-302; place: shop"),), {})
    mutants = killed(rehearsal, "changed argument")
    assert {"an answer with another `place`", "an answer with a row too many"} <= set(mutants)
    variants: Mapping[str, Any] = theorem(rehearsal, "tolerant")
    assert "that lays out what it delivers otherwise" in [row["variant"] for row in variants["variants"]]
    assert "with words around its texts" not in [row["variant"] for row in variants["variants"]]
