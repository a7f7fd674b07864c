"""Attachments: the files that an agent is given, in memory and on disk."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Pack, PackError

from .test_schemas import validator

PICTURE = b"\x89PNG\r\n\x1a\n\x00\xff"
ENTRY = {"name": "receipt.png", "media_type": "image/png", "sha256": sha256(PICTURE).hexdigest()}
PLACE = "tasks/triage/assets/receipt.png"


def with_assets(files: dict[str, str], assets: Any) -> dict[str, str | bytes]:
    document = json.loads(files["tasks/triage/task.json"]) | {"assets": assets}
    return {**files, "tasks/triage/task.json": json.dumps(document), PLACE: PICTURE}


def test_an_agent_is_given_the_bytes(desk_files: dict[str, str], tmp_path: Path) -> None:
    files = with_assets(desk_files, [ENTRY])
    validator("task").validate(json.loads(files["tasks/triage/task.json"]))
    (attachment,) = Pack.from_files(files).env("triage").attachments
    assert attachment == ("receipt.png", "image/png", PICTURE, f"<pack>/{PLACE}")
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    (on_disk,) = Pack.open(tmp_path).env("triage").attachments
    assert on_disk.data == Path(on_disk.path).read_bytes() == PICTURE


def test_most_tasks_have_none(desk: Pack) -> None:
    assert desk.env("triage").attachments == ()


@pytest.mark.parametrize(
    ("assets", "problem"),
    [
        ({}, "`assets` must be an array"),
        (["receipt.png"], "each of `assets` must have the texts `name`, `media_type`, `sha256`"),
        ([{"name": "receipt.png"}], "each of `assets` must have the texts"),
        ([ENTRY | {"name": "../task.json"}], "`../task.json` is no name of an asset"),
        ([ENTRY | {"name": ".."}], "`..` is no name of an asset"),
        ([ENTRY | {"name": "other.png"}], "tasks/triage/assets/other.png: no such file"),
        ([ENTRY | {"sha256": "0" * 64}], "is not the file that was packed"),
    ],
)
def test_damage_is_told(desk_files: dict[str, str], assets: Any, problem: str) -> None:
    with pytest.raises(PackError) as damage:
        _ = Pack.from_files(with_assets(desk_files, assets)).env("triage").attachments
    assert problem in str(damage.value)


def test_a_text_that_is_none_is_told(desk_files: dict[str, str]) -> None:
    with pytest.raises(PackError, match=r"grader\.py: cannot be read"):
        Pack.from_files(desk_files | {"tasks/triage/grader.py": PICTURE}).env("triage").score()
