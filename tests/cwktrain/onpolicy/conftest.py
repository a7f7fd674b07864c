"""A small pack to train in, and students that know nothing yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from coworkdsl import Pack
from cwktrain.students import load_tokenizer
from cwktrain.tasks import TaskFacts, facts_of

from ..tiny import tiny_student
from .scripted import Script, for_grpo
from .yard import YARD, yard


@pytest.fixture(scope="session")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack."""
    return yard(tmp_path_factory.mktemp("packs"))


@pytest.fixture(scope="session")
def facts(lamps: Path) -> Mapping[str, TaskFacts]:
    return facts_of(Pack.open(lamps))


@pytest.fixture(scope="session")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_student(tmp_path_factory.mktemp("students") / "tiny", [YARD] * 3)


@pytest.fixture
def scripted(student: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[Sequence[str]]], Script]:
    """Lets every student say what is planned."""
    from cwktrain.reinforcement.trainer import PackGRPOTrainer

    def plan(plans: Sequence[Sequence[str]]) -> Script:
        script = Script(load_tokenizer(student), plans)
        monkeypatch.setattr(PackGRPOTrainer, "_generate_single_turn", for_grpo(script))
        return script

    return plan
