"""The command as a whole: its help, its exit status, and what it imports to start."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cwkc import __version__
from cwkc.cli import COMMANDS, main
from tests.cwkc.cli.conftest import Command

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
"""Finds the packages where this process found them, installed or not."""
HEAVY = {
    "lark",
    "z3",
    "jsonschema",
    "cattrs",
    "attrs",
    "pygls",
    "lsprotocol",
    "cwkc.driver",
    "cwkc.meaning",
    "cwktrain",
}


def test_help_lists_every_command(cwkc: Command) -> None:
    shown = cwkc("--help")
    assert shown.status == 0
    assert all(name in shown.out and summary in shown.out for name, summary in COMMANDS.items())


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['cwkc', '--help']\n"
        "from cwkc.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert HEAVY.isdisjoint(run.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_a_help_of_its_own(name: str, cwkc: Command) -> None:
    shown = cwkc(name, "--help")
    assert shown.status == 0
    assert shown.out.startswith(f"Usage: cwkc {name}")
    assert import_module(f"cwkc.cli.{name}").command.help


def test_version(cwkc: Command) -> None:
    assert cwkc("--version").out == f"cwkc {__version__}\n"


@pytest.mark.parametrize("arguments", [("nothing",), ("check",), ("build", "."), ("check", "absent.cwk"), ("--no",)])
def test_wrong_use_is_a_status_of_its_own(arguments: tuple[str, ...], cwkc: Command) -> None:
    shown = cwkc(*arguments)
    assert shown.status == 2
    assert shown.out == ""
    assert "Error: " in shown.err


def test_an_interrupt_is_quiet(cwkc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cwkc.cli.group.invoke", interrupt)
    shown = cwkc("explain", "x")
    assert (shown.status, shown.out, shown.err.strip()) == (130, "", "")


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{sys.executable} -m cwkc --help | true"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert run.stderr == ""


def test_a_defect_of_the_compiler_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise LookupError("lost")

    (tmp_path / "task.cwk").write_text("cwk 1")
    monkeypatch.setattr("cwkc.driver.check", broken)
    monkeypatch.setattr("sys.argv", ["cwkc", "check", str(tmp_path / "task.cwk")])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 70
    told = capsys.readouterr().err
    assert "cwkc has a defect: LookupError at test_main.py:" in told
    assert "Traceback" not in told
