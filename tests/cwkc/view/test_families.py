"""A family has one page, whatever the number of its members, and a row for each of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coworkdsl import Pack, export_run
from cwkc import driver
from cwkc.cli.agents import BUILT_IN
from cwkc.view import RecordedRun, write_report
from tests.cwkc.view.pages import read_page

FAMILY = """cwk 1

use helpdesk

family raise_it(word: text in ["<b>scanner</b>", "printer"], hours: int in 50 to 52) "Raise <i>it</i>" {
  category:     ops
  now:          2026-03-14T09:00:00Z
  capabilities: [temporal_reasoning]

  request $"The {word} ticket has waited for more than two days. Set its priority to critical."

  tools helpdesk.{list_tickets, get_ticket, update_ticket}

  asset "note.txt" { wanted: "critical" }

  data helpdesk.tickets { @TK-900 { title: $"The {word} does not work", created_at: now - hours * 1h } }

  let stale = only t in helpdesk.tickets where t.title contains word and now - t.created_at > 48h
  distract 4 helpdesk.tickets near stale

  check 1 "sets it to critical" stale.priority == critical
  only changes stale.priority
  given word
  given 2d
}
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on the family, and on a run of its last member."""
    root = tmp_path_factory.mktemp("families")
    (root / "family.cwk").write_text(FAMILY, encoding="utf-8")
    (root / "note.txt").write_text("critical", encoding="utf-8")
    built = driver.build([root / "family.cwk"])
    assert built.files is not None, [(each.code, each.message) for each in built.diagnostics]
    pack = Pack.from_files(built.files)
    env = pack.env([*pack.tasks][-1])
    BUILT_IN["witness"](env)
    runs = [RecordedRun("run.json", export_run(env))]
    write_report(pack, runs, root / "report", "families", BUILT_IN["witness"], lambda doing: None)
    return root / "report"


def written(path: Path, name: str) -> list[list[object]]:
    text = path.read_text(encoding="utf-8")
    rows: list[list[object]] = json.loads(text.removeprefix(f"const {name} = ").removesuffix(";\n"))
    return rows


def test_one_page_for_all_members(folder: Path) -> None:
    pages = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))
    assert pages == ["families/raise_it.html", "index.html", "runs/1.html"]


def test_a_row_for_each_member(folder: Path) -> None:
    rows = written(folder / "families" / "raise_it.js", "MEMBERS")
    assert [row[1:] for row in rows] == [
        [word, hours] for word in ("<b>scanner</b>", "printer") for hours in ("50", "51", "52")
    ]


def test_the_first_member_stands_for_all(folder: Path) -> None:
    page = read_page(folder / "families" / "raise_it.html")
    heads = [[each.text for each in table.all("thead")[0].all("th")] for table in page.all("table")]
    assert heads[0] == ["Member", "word", "hours"]
    assert page.having("request")[0].text.startswith("The <b>scanner</b> ticket has waited")
    assert page.all("figcaption")[0].text == "note.txt, text/plain, 8 bytes"
    assert len(page.having("distractor")) == 4
    assert not page.all("b", "i")


def test_members_are_counted_in_the_index(folder: Path) -> None:
    (row,) = written(folder / "tasks.js", "TASKS")
    page = read_page(folder / "index.html")
    cell = page.having("matrix")[0].all("tbody")[0].all("td")[0]
    assert row[:3] == ["families/raise_it.html", 6, "raise_it"]
    assert cell.text == "6"


@pytest.mark.parametrize("name", ["index.html", "runs/1.html"])
def test_runs_of_members_lead_to_the_page_of_the_family(folder: Path, name: str) -> None:
    targets = [each.attributes["href"] for each in read_page(folder / name).all("a")]
    leads = [target for target in targets if "raise_it" in target]
    assert leads
    assert all(((folder / name).parent / target).is_file() for target in leads)
