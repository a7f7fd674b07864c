"""Files that can be read, and those that cannot."""

from pathlib import Path

import pytest

from cwkc.syntax.reader import LIMIT, read


def codes(path: Path) -> list[str]:
    source, diagnostics = read(path, "file.cwk")
    assert (source is None) == bool(diagnostics)
    return [each.code for each in diagnostics]


def test_a_file_is_read_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.cwk"
    path.write_bytes(b"\xef\xbb\xbfcwk 1\r\n")
    source, diagnostics = read(path, "shown.cwk")
    assert not diagnostics
    assert source is not None
    assert (source.name, source.text) == ("shown.cwk", "cwk 1\r\n")


def test_no_file(tmp_path: Path) -> None:
    assert codes(tmp_path / "none.cwk") == ["E001"]


def test_a_folder(tmp_path: Path) -> None:
    assert codes(tmp_path) == ["E002"]


@pytest.mark.parametrize("name", ["a\0b", "a.cwk/b", "x" * 5000])
def test_a_path_that_cannot_be_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.cwk").write_text("cwk 1")
    assert codes(tmp_path / name) == ["E003"]


@pytest.mark.parametrize(("size", "found"), [(LIMIT, []), (LIMIT + 1, ["E004"])])
def test_the_largest_file(size: int, found: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.cwk"
    path.write_bytes(b"c" * size)
    assert codes(path) == found


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf_8(mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.cwk"
    path.write_bytes(mark + "cwk 1\n# gr\u00fcn ".encode() + b"\xfcber\n")
    _, (found,) = read(path, "a.cwk")
    assert (found.code, found.message) == ("E005", "line 2 is not UTF-8: byte 9 of the line is 0xFC")
    assert (found.span.line, found.span.column) == (2, 8)


def test_a_null_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.cwk"
    path.write_bytes(b"cwk 1\n\0")
    _, (found,) = read(path, "a.cwk")
    assert (found.code, found.span.line, found.span.column) == ("E006", 2, 1)


@pytest.mark.parametrize("text", ["", "\n \t\r\n", "# only\n# comments"])
def test_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cwk"
    path.write_text(text)
    assert codes(path) == ["E007"]
