"""Which files a command line stands for."""

from pathlib import Path

import click
import pytest

from cwkc.cli.files import sources


def tree(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_folders_are_searched_in_order_and_hidden_ones_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, "d/b.cwk", "d/a.cwk", "d/a.txt", "d/sub/c.cwk", "d/.git/x.cwk", "d/.hidden.cwk")
    monkeypatch.chdir(tmp_path)
    assert sources([Path("d")]) == [Path("d/a.cwk"), Path("d/b.cwk"), Path("d/sub/c.cwk")]


def test_a_file_is_named_once_by_the_path_that_was_given_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "d/a.cwk", "d/b.cwk")
    monkeypatch.chdir(tmp_path)
    assert sources([Path("d/b.cwk"), Path("d"), tmp_path / "d"]) == [Path("d/b.cwk"), Path("d/a.cwk")]


def test_a_named_file_needs_no_suffix(tmp_path: Path) -> None:
    tree(tmp_path, "task.txt")
    assert sources([tmp_path / "task.txt"]) == [tmp_path / "task.txt"]


def test_nothing_to_do_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match=r"no \.cwk file in"):
        sources([tmp_path])


def test_a_link_that_leads_nowhere_is_left_to_the_reader(tmp_path: Path) -> None:
    (tmp_path / "loop.cwk").symlink_to("loop.cwk")
    assert sources([tmp_path]) == [tmp_path / "loop.cwk"]
