"""Writing a pack: whole or not at all, and nothing is left lying about."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cwkc.folder import write_pack

OLD = {"pack.json": '{"format": 1, "tasks": []}', "tasks/a/task.json": "old"}
NEW = {"pack.json": '{"format": 1, "tasks": [1]}', "services/desk.py": "TOOLS = {}\n"}
STOPPED = """
import os, signal, sys
from pathlib import Path
from cwkc.folder import write_pack

class Files(dict):
    def items(self):
        yield "pack.json", "{}"
        os.kill(os.getpid(), signal.SIGTERM)
        yield "tasks/a/task.json", "new"

write_pack(Files(), Path(sys.argv[1]))
"""


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


class Interrupted(dict[str, str]):
    """Files whose second is never reached."""

    def items(self) -> Iterator[tuple[str, str]]:  # type: ignore[override]  # an iterator is all that is asked for
        yield "pack.json", "{}"
        raise KeyboardInterrupt


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    write_pack(OLD, tmp_path / "deep" / "pack")
    return tmp_path / "deep" / "pack"


def test_a_pack_replaces_the_one_before(pack: Path) -> None:
    assert contents(pack) == OLD
    write_pack(NEW, pack)
    assert contents(pack) == NEW
    assert list(pack.parent.iterdir()) == [pack]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    write_pack(NEW, tmp_path)
    assert contents(tmp_path) == NEW


@pytest.mark.parametrize("other", [{"thesis.txt": "mine"}, {"pack.json": '{"name": "textures"}'}, {"pack.json": "["}])
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path, other: Mapping[str, str]) -> None:
    for path, text in other.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    with pytest.raises(FileExistsError, match="not a pack"):
        write_pack(NEW, tmp_path)
    assert contents(tmp_path) == other


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    place = tmp_path / "pack"
    place.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="a file has this name"):
        write_pack(NEW, place)
    assert place.read_text(encoding="utf-8") == "mine"


def test_an_interruption_leaves_what_was_there(pack: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_pack(Interrupted(), pack)
    assert contents(pack) == OLD
    assert list(pack.parent.iterdir()) == [pack]


def test_a_failure_to_swap_puts_the_old_pack_back(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if target == pack and not self.name.endswith(".old"):
            raise OSError("no room")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="no room"):
        write_pack(NEW, pack)
    assert contents(pack) == OLD
    assert list(pack.parent.iterdir()) == [pack]


def test_a_signal_to_stop_is_obeyed_once_all_is_tidy(pack: Path) -> None:
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPED, str(pack)], env={"PYTHONPATH": ":".join(sys.path)}, check=False
    )
    assert stopped.returncode == -signal.SIGTERM
    assert contents(pack) == OLD
    assert list(pack.parent.iterdir()) == [pack]
