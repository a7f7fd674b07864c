"""What is put into a store comes back as it was, or not at all."""

import os
import pickle
import zlib
from datetime import date
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from cwkc.cache import Store, fingerprint
from cwkc.source import Source

KEY = "ab" * 32
LEAVES = some.none() | some.booleans() | some.integers() | some.text() | some.binary() | some.dates() | some.fractions()
VALUES = some.recursive(
    LEAVES, lambda inner: some.lists(inner) | some.lists(inner).map(tuple) | some.dictionaries(some.text(), inner)
)


def file_of(folder: Path) -> Path:
    """The file of the only value that is in the store of that folder."""
    (path,) = (path for path in folder.rglob("*") if path.is_file())
    return path


@given(VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    with TemporaryDirectory() as folder:
        Store(Path(folder)).put(KEY, value)
        assert Store(Path(folder)).get(KEY) == value


@given(some.data())
def test_a_damaged_value_does_not_come_back(data: some.DataObject) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(folder)
        store.put(KEY, ("a value", Fraction(1, 3), date(2026, 3, 14)))
        content = bytearray(file_of(folder).read_bytes())
        place = data.draw(some.integers(0, len(content) - 1))
        if data.draw(some.booleans()):
            del content[place:]
        else:
            content[place] ^= data.draw(some.integers(1, 255))
        file_of(folder).write_bytes(content)
        assert store.get(KEY) is None
        store.put(KEY, "another")
        assert store.get(KEY) == "another"


class Harm:
    """What runs code when it is read back."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_a_value_of_an_unknown_type_is_not_made(tmp_path: Path) -> None:
    store, made = Store(tmp_path / "store"), tmp_path / "made"
    store.put(KEY, "a value")
    content = zlib.compress(pickle.dumps(Harm(made)))
    file_of(tmp_path).write_bytes(sha256(content).digest() + content)
    assert store.get(KEY) is None
    assert not made.exists()


def test_values_that_belong_together_stay_together(tmp_path: Path) -> None:
    source = Source("a.cwk", "cwk 1\n")
    Store(tmp_path).put(KEY, (source, source))
    first, second = Store(tmp_path).get(KEY)
    assert first is second
    assert (first.name, first.text) == ("a.cwk", "cwk 1\n")


def test_a_folder_that_cannot_be_written_to_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "entries").write_text("a file where the folder should be")
    store = Store(tmp_path)
    store.put(KEY, "a value")
    store.trim(0)
    assert store.get(KEY) is None
    assert [path.name for path in tmp_path.iterdir()] == ["entries"]


def test_what_was_used_last_is_kept(tmp_path: Path) -> None:
    store, keys = Store(tmp_path), [f"{number:064x}" for number in range(3)]
    for key in keys:
        store.put(key, bytes(1000))
    sizes = {path.name: path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()}
    for age, key in enumerate(keys):
        path = tmp_path / "entries" / key[:2] / key
        os.utime(path, (1000 - age, 1000 - age))
    assert store.get(keys[2]) is not None
    store.trim(sizes[keys[2]] + sizes[keys[0]])
    assert [store.get(key) is not None for key in keys] == [True, False, True]


def test_another_compiler_has_another_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = tmp_path / "module.py"
    code.write_text("answer = 1\n")
    monkeypatch.setattr("cwkc.cache.versions._folders", lambda: [tmp_path])
    before = fingerprint.__wrapped__()
    assert fingerprint.__wrapped__() == before
    code.write_text("answer = 2\n")
    changed = fingerprint.__wrapped__()
    code.rename(tmp_path / "other.py")
    assert len({before, changed, fingerprint.__wrapped__()}) == 3
