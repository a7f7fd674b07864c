"""`cwkc curate` with a student that chooses, and `cwkc rollout` with a student that runs."""

import json
from pathlib import Path

import pytest

from tests.cwktrain.datasets import TASKS, data_of, lamps, student_of

from .conftest import Command

pytestmark = pytest.mark.xdist_group("torch")


def test_a_student_runs_and_chooses(tmp_path: Path, cwkc: Command) -> None:
    pack = lamps(tmp_path / "pack")
    student = student_of(data_of(pack, tmp_path / "words", "noisy-witness:0", TASKS, trials=1), tmp_path / "student")
    shown = cwkc("rollout", pack, "--agent", f"hf:{student}", "--answer-tokens", 4, "-o", tmp_path / "untrained")
    assert (shown.status, "3 scored, 0 unscored, 0 invalid" in shown.out) == (0, True)
    assert cwkc("rollout", pack, "--agent", "noisy-witness:0", "-n", 2, "-j", 1, "-o", tmp_path / "runs").status == 0
    words = ["curate", tmp_path / "runs", "-o", tmp_path / "data", "--held-out", 0, "--trivial", 1]
    chosen = cwkc(*words, "--select", "rsr", "--student", student, "--keep", 0.5)
    assert (chosen.status, "not chosen by rsr" in chosen.out) == (0, True)
    funnel = json.loads((tmp_path / "data" / "funnel.json").read_text(encoding="utf-8"))
    assert (funnel["options"]["select"], funnel["kept"]) == ("rsr", 2)
    for half in (["--select", "nll"], ["--student", student]):
        alone = cwkc(*words, *half)
        assert (alone.status, "go together" in alone.err) == (2, True)
    refused = cwkc(*words, "--select", "nll", "--student", tmp_path)
    assert (refused.status, "holds no student" in refused.err) == (2, True)
