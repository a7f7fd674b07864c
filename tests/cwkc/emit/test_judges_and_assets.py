"""What a pack holds of judges and of assets, and on whose side."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest
from attrs import evolve

from coworkdsl import JudgeRequest, Pack, Verdict
from coworkdsl.files import Content
from cwkc.emit import emit_pack
from cwkc.folder import write_pack
from cwkc.meaning.check import check_program
from cwkc.source import Source

from ..meaning.support import library

PICTURE = bytes(range(256))
TASK = """cwk 1

use gmail, files

task reply "Answer" {
  now: 2026-04-02T08:30:00Z
  request "Say what the receipt comes to, and note it."
  asset "receipt.png" { total: 43.70 payer: "Marissa" }
  asset "scan.cwkscan" {}
  tools gmail.send_message, files
  data gmail.inbox {
    @M-1 { from: "ana@client.test", to: "me@ourco.test", subject: "Late", body: "Where is it?", date: now - 3h }
  }
  let mail = only m in gmail.inbox
  deliver note "note.txt" text { total: decimal = total }
  deliver told answer { total: decimal = total }
  check 0.5 "notes it" delivered note
  check 0.2 "tells it" answer states total within 0
  judge 0.3 "is kind" $"Full marks when {payer} is thanked in the mail to {mail.from}, as \\"\\"\\"Marissa\\"\\"\\"."
}
"""


@pytest.fixture(scope="module")
def files() -> dict[str, Content]:
    contents = {"receipt.png": PICTURE, "scan.cwkscan": b""}
    program, diagnostics = check_program([Source("reply.cwk", TASK)], evolve(library({}), read_file=contents.get))
    assert diagnostics == ()
    return dict(emit_pack(program.tasks, {}))


def test_a_rubric_and_the_facts_are_on_the_graders_side_alone(files: dict[str, Content]) -> None:
    for secret in ("Marissa", "437", "43.7", "Full marks"):
        holders = {path for path, text in files.items() if isinstance(text, str) and secret in text}
        assert holders <= {"tasks/reply/grader.py"}
    assert "Marissa" in str(files["tasks/reply/grader.py"])


def test_the_agent_is_told_what_is_attached(files: dict[str, Content]) -> None:
    document = json.loads(files["tasks/reply/task.json"])
    assert document["assets"] == [
        {"name": "receipt.png", "media_type": "image/png", "sha256": sha256(PICTURE).hexdigest()},
        {"name": "scan.cwkscan", "media_type": "application/octet-stream", "sha256": sha256(b"").hexdigest()},
    ]
    env = Pack.from_files(files).env("reply")
    assert "Attached: receipt.png\nAttached: scan.cwkscan" in env.messages[0]["content"]
    assert [(each.name, each.data) for each in env.attachments] == [("receipt.png", PICTURE), ("scan.cwkscan", b"")]


def test_a_judge_is_shown_the_rubric_and_what_was_delivered(files: dict[str, Content]) -> None:
    asked: list[JudgeRequest] = []

    def judge(request: JudgeRequest) -> Verdict:
        asked.append(request)
        return Verdict(Fraction(1, 2), "half")

    env = Pack.from_files(files).env("reply")
    env.call("files_write_file", {"path": "note.txt", "text": "total: 43.70"})
    env.say("It comes to 43.70.")
    assert env.score(judge).exact.completion == Fraction(17, 20)
    (request,) = asked
    assert request.rubric == 'Full marks when Marissa is thanked in the mail to ana@client.test, as """Marissa""".'
    assert request.evidence.deliverables == {"note": "total: 43.70", "told": "It comes to 43.70."}
    assert request.evidence.records == {
        "files.files": [{"path": "note.txt", "text": "total: 43.70", "description": ""}]
    }


def test_bytes_are_written_as_they_are(files: dict[str, Content], tmp_path: Path) -> None:
    write_pack(files, tmp_path / "pack")
    assert (tmp_path / "pack/tasks/reply/assets/receipt.png").read_bytes() == PICTURE
    assert Pack.open(tmp_path / "pack").env("reply").attachments[0].data == PICTURE
