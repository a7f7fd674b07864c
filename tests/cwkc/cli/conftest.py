"""Running the command in this process."""

import sys
from collections.abc import Callable

import pytest
from attrs import frozen

from cwkc.cli import main


@frozen
class Outcome:
    status: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def cwkc(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`cwkc("check", path)` runs that command line."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["cwkc", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit:
            main()
        captured = capsys.readouterr()
        return Outcome(int(exit.value.code or 0), captured.out, captured.err)

    return run
