"""Near-duplicates, by the words of request and world."""

from __future__ import annotations

from pathlib import Path

import pytest

from coworkdsl import PackError
from cwkc import driver
from cwkc.folder import write_pack
from cwkc.generate.running import Options
from cwkc.generate.twins import Known, of_files, of_pack, twin_of
from tests.cwkc.generate.authors import ROOT

EXAMPLES = sorted((ROOT / "examples").rglob("*.cwk"))
STALE = ROOT / "examples/support/escalate_stale_enterprise.cwk"
FAMILY = ROOT / "examples/finance/pay_overdue.cwk"
LEAST = Options("m").likeness


def test_no_example_is_like_another() -> None:
    known = list(of_files(EXAMPLES))
    assert len(known) == len(EXAMPLES)
    for task in known:
        assert twin_of(task, [each for each in known if each is not task], LEAST) is None


def test_a_task_with_other_names_and_ids_is_a_twin(tmp_path: Path) -> None:
    text = STALE.read_text(encoding="utf-8")
    for old, new in {"TK-30": "TK-70", "CUS-20": "CUS-40", "Halden Freight": "Nordlicht", "ines@": "olga@"}.items():
        text = text.replace(old, new)
    (tmp_path / "other.cwk").write_text(text.replace("more than two days", "over two days"), encoding="utf-8")
    (other,), (task,) = of_files([tmp_path / "other.cwk"]), of_files([STALE])
    twin = twin_of(task, [Known("far", "Water the plants.", "fern"), other], LEAST)
    assert twin is not None
    assert f"`{other.name}`" in twin.document["message"]
    assert twin_of(task, [other], 100) is None


def test_a_pack_has_the_tasks_of_its_files(tmp_path: Path) -> None:
    files = driver.build([STALE, FAMILY]).files
    assert files is not None
    write_pack(files, tmp_path / "dist")
    assert sorted(of_pack(tmp_path / "dist")) == sorted(of_files([STALE, FAMILY]))
    (tmp_path / "dist" / "pack.json").write_text("{", encoding="utf-8")
    with pytest.raises(PackError):
        list(of_pack(tmp_path / "dist"))
