"""`cwkc lsp` where what it needs is not installed."""

import sys

import pytest

from tests.cwkc.cli.conftest import Command


def test_without_its_extra_it_says_what_to_install(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("pygls", "cwkc.lsp"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    shown = cwkc("lsp")
    assert shown.status == 1
    assert "pip install 'coworkdsl[lsp]'" in shown.err
