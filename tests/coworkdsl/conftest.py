"""A small pack, `desk`, whose services and grader are written by hand in the form of emitted code."""

from pathlib import Path

import pytest

from coworkdsl import Environment, Pack

DESK = Path(__file__).parent / "desk"


@pytest.fixture(scope="session")
def desk_files() -> dict[str, str]:
    return {
        str(path.relative_to(DESK)): path.read_text(encoding="utf-8")
        for path in DESK.rglob("*")
        if path.suffix in (".json", ".py")
    }


@pytest.fixture(scope="session")
def desk(desk_files: dict[str, str]) -> Pack:
    return Pack.from_files(desk_files)


@pytest.fixture
def env(desk: Pack) -> Environment:
    return desk.env("triage")
