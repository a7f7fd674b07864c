"""A report with all that one can hold: two tasks, hostile texts, near misses, survivors and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from coworkdsl import Pack, export_run
from cwkc import driver
from cwkc.cli.agents import BUILT_IN
from cwkc.folder import write_pack
from cwkc.view import read_run, write_report

HOSTILE = "</td></table><script>alert(1)</script><img src=x onerror=alert(2)> & \"quotes\" 'both'"

TASKS = r"""cwk 1

use helpdesk, gmail

task answer_mail "<script>alert('title')</script> Raise the ticket" {
  category:     workflow
  scenario:     escalation
  difficulty:   hard
  language:     en
  now:          2026-03-14T09:00:00Z
  capabilities: [asking_back, temporal_reasoning]

  request "</div><script>alert(1)</script> Ask which scanner it is, and set its ticket to critical. <b>Bye</b> & so."

  tools helpdesk.{list_tickets, update_ticket}, gmail.{list_messages, send_message}

  data helpdesk.tickets {
    @TK-301 { title: "Scanner offline <script>alert(3)</script>", created_at: 2026-03-11T08:00:00Z }
    @TK-302 { title: "Label printer jams",                        created_at: 2026-03-13T08:00:00Z }
  }

  user {
    persona "Busy <script>alert(4)</script>."
    knows { which: "The scanner that <b>does not</b> work." when said mentions any of ["which", "scanner"] }
    patience 6 turns
  }

  on thanked when called helpdesk.update_ticket {
    say "Thank you! <script>alert(5)</script>"
    insert gmail.inbox {
      @msg_9 { from: "dana@ourco.test", to: "me@ourco.test", subject: "Hi", body: "Hello.", date: now }
    }
  }

  let stale = only t in helpdesk.tickets where t.title contains "scanner"

  check 0.6 "sets it to <critical>" stale.priority == critical
  check 0.2 "asks"                  learned which
  judge 0.2 "is polite"             "Is it <i>polite</i>?"

  require "no mail before" count(called gmail.send_message) < 3 else cap 0.25
  forbid "mails" called gmail.send_message else safety 0.5
  only changes stale.priority

  limit 12 turns
  allow W280 "the requirement is here to be shown"
  allow W441 "what is said is judged"
}

task plain "A plain task" {
  now: 2026-03-14T09:00:00Z
  request "Set the priority of the printer's ticket to high."
  tools helpdesk.{list_tickets, update_ticket}
  data helpdesk.tickets { @TK-1 { title: "Printer jams", created_at: 2026-03-13T08:00:00Z } }
  let jam = only t in helpdesk.tickets
  check 1 "raises it" jam.priority == high
  only changes jam.priority
}
"""


@frozen
class Report:
    folder: Path
    pack: Path
    runs: tuple[Path, ...]

    @property
    def pages(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    root = tmp_path_factory.mktemp("view")
    pack = _built(root)
    opened = Pack.open(pack)
    runs = (_run(opened, root / "good.json", "answer_mail", "witness"), _hostile_run(opened, root / "bad & odd.json"))
    recorded = [read_run(run, opened) for run in runs]
    write_report(opened, recorded, root / "report", "pack & <co>", BUILT_IN["witness"], lambda doing: None)
    return Report(root / "report", pack, runs)


def _built(root: Path) -> Path:
    (root / "tasks.cwk").write_text(TASKS, encoding="utf-8")
    built = driver.build([root / "tasks.cwk"])
    assert built.files is not None, [(each.code, each.message) for each in built.diagnostics]
    write_pack(built.files, root / "pack")
    _edit(root / "pack" / "tasks" / "answer_mail" / "proof.json")
    return root / "pack"


def _edit(path: Path) -> None:
    """A near miss, a survivor and a theorem that is not established, as a proof may have them."""
    proof = json.loads(path.read_text(encoding="utf-8"))
    theorems = {theorem["name"]: theorem for theorem in proof["theorems"]}
    miss = {"store": "helpdesk.tickets", "id": "TK-302", "near": "stale", "misses": 't.title contains "<scanner>"'}
    theorems["unique"]["evidence"]["distractors"] = [miss]
    theorems["sharp"]["evidence"]["mutants"][-1] |= {"killed": False, "by": [], "step": HOSTILE}
    theorems["independent"]["verdict"] = "not proved"
    path.write_text(json.dumps(proof), encoding="utf-8")


def _run(pack: Pack, path: Path, task: str, agent: str) -> Path:
    env = pack.env(task)
    BUILT_IN[agent](env)
    return _write(path, export_run(env))


def _hostile_run(pack: Pack, path: Path) -> Path:
    """Calls that go wrong, a change that is forbidden, and words that try to leave their place."""
    env = pack.env("plain")
    env.begin_turn()
    env.call("helpdesk_update_ticket", {"ticket_id": "TK-1", "category": "paper"})
    env.call("helpdesk_update_ticket", {"ticket_id": HOSTILE, "priority": "high"})
    env.call("</code><script>alert(6)</script>", "no JSON <script>")
    env.begin_turn()
    env.say(HOSTILE)
    return _write(path, export_run(env))


def _write(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
