"""The journal: lines that count once they are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from cwkc.generate.journal import Journal, JournalError


def test_lines_are_there_again(tmp_path: Path) -> None:
    with Journal.opened(tmp_path / "new" / "journal") as journal:
        journal.add("completion", "a", text="é\ud800")
        journal.add("completion", "b", text="2")
        journal.add("completion", "a", text="3")
    again = Journal.read(tmp_path / "new" / "journal")
    assert [line["text"] for line in again.all("completion")] == ["3", "2"]
    assert again.find("completion", "c") is None
    with pytest.raises(JournalError, match="for reading alone"):
        again.add("completion", "c")


@pytest.mark.parametrize("torn", [b"{", b'{"kind": "completion", "key": "b"}', b"\xff\x00"])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal"
    with Journal.opened(path) as journal:
        journal.add("completion", "a")
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert Journal.read(path).find("completion", "b") is None
    with Journal.opened(path) as journal:
        journal.add("completion", "c")
    assert path.read_bytes().startswith(whole)
    assert [line["key"] for line in Journal.read(path).all("completion")] == ["a", "c"]


@pytest.mark.parametrize("content", [b"mine\n", b"{}\n", b'{"kind": "format", "key": "", "number": 99}\n'])
def test_what_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="line 1"):
        Journal.opened(path)
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_told_with_its_line(tmp_path: Path) -> None:
    with Journal.opened(tmp_path / "journal") as journal:
        journal.add("completion", "a")
    with (tmp_path / "journal").open("ab") as file:
        file.write(b"garbage\n{}\n")
    with pytest.raises(JournalError, match="line 3"):
        Journal.read(tmp_path / "journal")


def test_one_at_a_time_has_it_open(tmp_path: Path) -> None:
    with Journal.opened(tmp_path / "journal"), pytest.raises(JournalError, match="in use"):
        Journal.opened(tmp_path / "journal")
    with Journal.opened(tmp_path / "journal"):
        pass


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be used"):
        Journal.opened(tmp_path / "file" / "journal")
