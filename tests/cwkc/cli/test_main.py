"""The command as a whole: its help, its exit status, and what it imports to start."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cwkc import __version__
from cwkc.cli import COMMANDS, MODULES, main
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
    assert import_module(f"cwkc.cli.{MODULES.get(name, name)}").command.help


def test_version(cwkc: Command) -> None:
    assert cwkc("--version").out == f"cwkc {__version__}\n"


@pytest.mark.parametrize("arguments", [("nothing",), ("check",), ("build", "."), ("check", "absent.cwk"), ("--no",)])
def test_wrong_use_is_a_status_of_its_own(arguments: tuple[str, ...], cwkc: Command) -> None:
    shown = cwkc(*arguments)
    assert shown.status == 2
    assert shown.out == ""
    assert "Error: " in shown.err


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_colours_in_a_pipe_are_asked_for(
    variables: dict[str, str], coloured: bool, cwkc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "task.cwk").write_text("task")
    assert ("\x1b[" in cwkc("check", tmp_path).out) == coloured


@pytest.mark.parametrize("format", ["json", "sarif", "junit"])
def test_a_format_that_is_a_document_is_one_with_nothing_found(format: str, cwkc: Command, tmp_path: Path) -> None:
    (tmp_path / "service.cwk").write_text("cwk 1\n\nenum Colour { red, green }\n")
    shown = cwkc("check", tmp_path, "--format", format)
    assert (shown.status, shown.err) == (0, "")
    document = ElementTree.fromstring(shown.out) if format == "junit" else json.loads(shown.out)
    assert len(document) == (0 if format == "json" else {"sarif": 3, "junit": 1}[format])


def test_reports_are_written_beside_what_is_shown(cwkc: Command, tmp_path: Path) -> None:
    (tmp_path / "task.cwk").write_text("cwk 1\n\ntask x {\n  mood: 1\n}\n")
    reports = [tmp_path / name for name in ("found.sarif", "found.xml", "found.json")]
    options = [part for report in reports for part in ("--report", report)]
    shown = cwkc("check", tmp_path / "task.cwk", *options)
    assert (shown.status, shown.out.startswith("error[")) == (1, True)
    assert json.loads(reports[0].read_text())["version"] == "2.1.0"
    assert ElementTree.parse(reports[1]).getroot().attrib["failures"] == "1"
    assert len(json.loads(reports[2].read_text())) == shown.out.count("error[")


@pytest.mark.parametrize("name", ["found.txt", "absent/found.json"])
def test_a_report_that_cannot_be_written_is_wrong_use(name: str, cwkc: Command, tmp_path: Path) -> None:
    (tmp_path / "types.cwk").write_text("cwk 1\n\nenum Colour { red }\n")
    shown = cwkc("check", tmp_path, "--report", tmp_path / name)
    assert shown.status == 2
    assert name in shown.err


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
