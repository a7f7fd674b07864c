"""What continuous integration takes from the repository: the action and the hooks are valid, and their commands run."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ACTION, HOOKS = ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"
TASK = ROOT / "compiler" / "cwkc" / "templates" / "task.cwk"


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A script of the shell in a folder, where `cwkc` is this compiler."""
    command = folder / "bin" / "cwkc"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cwkc "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, **variables, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    environment["PATH"] = f"{command.parent}{os.pathsep}{environment['PATH']}"
    shell = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def steps() -> Mapping[str, Mapping[str, Any]]:
    """The steps of the action by their names."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    return {step.get("name", step.get("uses")): step for step in action["runs"]["steps"]}


def hooks() -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    return found


def test_the_action_is_one() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_hooks_are_some() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(("weight", "status"), [("0.7", 0), ("0.6", 1)], ids=["right", "wrong"])
def test_the_action_builds_annotates_and_reports(weight: str, status: int, tmp_path: Path) -> None:
    text = TASK.read_text(encoding="utf-8").replace("check 0.7", f"check {weight}")
    (tmp_path / "task.cwk").write_text(text, encoding="utf-8")
    build = steps()["Build"]
    assert set(build["env"]) == {"PATHS", "PACK", "REPORTS"}
    done = run(build["run"], tmp_path, PATHS=". ./task.cwk", PACK="dist", REPORTS=str(tmp_path))
    assert done.returncode == status, done.stderr
    assert (tmp_path / "dist" / "pack.json").exists() == (status == 0)
    assert done.stdout.startswith("::error file=task.cwk,line=") == (status == 1)
    assert '"$schema"' in (tmp_path / "cwkc.sarif").read_text(encoding="utf-8")
    suites = ElementTree.parse(tmp_path / "cwkc.xml").getroot()
    assert (suites.attrib["tests"], suites.attrib["failures"]) == ("1", str(status))


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_a_hook_accepts_what_is_right_and_no_mistakes(hook: Mapping[str, Any], tmp_path: Path) -> None:
    files = ["task.cwk"] if hook.get("pass_filenames", True) else []
    command = f"{hook['entry']} {shlex.join([*hook.get('args', []), *files])}"
    path = tmp_path / "task.cwk"
    path.write_text(TASK.read_text(encoding="utf-8"), encoding="utf-8")
    right = run(command, tmp_path)
    assert (right.returncode, right.stdout) == (0, ""), right.stderr
    path.write_text(path.read_text(encoding="utf-8").replace("request", "requst"), encoding="utf-8")
    assert run(command, tmp_path).returncode == 1
