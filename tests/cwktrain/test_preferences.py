"""What a student thinks of runs, against the naive computation, and what it keeps."""

from __future__ import annotations

import json
from math import isclose, log
from pathlib import Path

import pytest

from cwktrain.curation.gates import curate
from cwktrain.episodes import Episode, Setup, run_episode
from cwktrain.preferences import keep_preferred, see
from cwktrain.rendering import render
from cwktrain.selection import mean_surprisal, rank_surprisal_ratio
from cwktrain.students import StudentUnavailable, load_model, load_tokenizer, save_student
from cwktrain.supervised.rows import read_rows

from .datasets import EVERYTHING, TASKS, data_of, lamps, student_of

pytestmark = pytest.mark.xdist_group("torch")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lamps(tmp_path_factory.mktemp("packs") / "lamps")


@pytest.fixture(scope="module")
def student(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("students")
    return student_of(data_of(pack, folder / "data", "noisy-witness:0.5"), folder / "tiny")


def test_ranks_and_log_probabilities_are_those_of_the_assistants_tokens(
    pack: Path, student: Path, tmp_path: Path
) -> None:
    import torch

    tokenizer, model = load_tokenizer(student), load_model(student).eval()
    row = read_rows(data_of(pack, tmp_path / "data", "noisy-witness:0.5", trials=1))[0]
    text = render(tokenizer, row.messages, row.tools)
    seen = see(model, text)
    with torch.no_grad():
        scores = model(input_ids=torch.tensor([text.ids])).logits[0].tolist()
    naive = []
    for place, bit in enumerate(text.mask):
        if bit:
            order = sorted(scores[place - 1], reverse=True)
            wanted = scores[place - 1][text.ids[place]]
            total = sum(2.718281828459045 ** (score - order[0]) for score in order)
            naive.append((order.index(wanted) + 1, wanted - order[0] - log(total)))
    assert seen.ranks == [rank for rank, _ in naive]
    assert all(isclose(a, b, abs_tol=1e-4) for a, (_, b) in zip(seen.log_probabilities, naive, strict=True))


@pytest.mark.parametrize("measure", ["nll", "rsr"])
def test_the_least_are_kept(measure: str, pack: Path, student: Path) -> None:
    setup = Setup(pack, "digest", "noisy-witness:0.5")
    runs = [run_episode(setup, Episode(task, seed)) for seed in range(3) for task in TASKS]
    curated = curate(runs, {}, EVERYTHING)
    kept = keep_preferred(curated, student, measure, 0.4)
    tokenizer, model = load_tokenizer(student), load_model(student).eval()
    values = {}
    for each in curated.kept:
        # The rows hold arguments as texts, which our template takes as they are.
        seen = see(model, render(tokenizer, each.messages, each.run.tools))
        of_run = {
            "nll": mean_surprisal(seen.log_probabilities),
            "rsr": rank_surprisal_ratio(seen.ranks, seen.log_probabilities),
        }
        values[id(each)] = of_run[measure]
    assert len(kept.kept) == 4
    assert max(values[id(each)] for each in kept.kept) <= sorted(values.values())[3]
    assert [gate[1:] for gate in kept.gates[-2:]] == [(9, 0), (9, 5)]


def test_runs_beyond_the_context_fall(pack: Path, student: Path, tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.mkdir()
    for file in student.iterdir():
        (short / file.name).write_bytes(file.read_bytes())
    settings = json.loads((short / "config.json").read_text(encoding="utf-8"))
    (short / "config.json").write_text(json.dumps(settings | {"max_position_embeddings": 9}), encoding="utf-8")
    run = run_episode(Setup(pack, "digest", "witness"), Episode(TASKS[0], 0))
    kept = keep_preferred(curate([run], {}, EVERYTHING), short, "nll", 1.0)
    assert (kept.kept, kept.gates[-2][1:]) == ((), (1, 1))


def test_a_template_that_cannot_be_relied_on_is_said(pack: Path, student: Path, tmp_path: Path) -> None:
    run = run_episode(Setup(pack, "digest", "witness"), Episode(TASKS[0], 0))
    tokenizer = load_tokenizer(student)
    # Fit as far as short conversations go.
    tokenizer.chat_template = "{{- messages | length if messages | length > 3 -}}" + tokenizer.chat_template
    save_student(load_model(student), tokenizer, tmp_path / "student")
    with pytest.raises(StudentUnavailable, match=r"cannot read the run of `paint_lamp.red` with seed 0"):
        keep_preferred(curate([run], {}, EVERYTHING), tmp_path / "student", "nll", 1.0)
