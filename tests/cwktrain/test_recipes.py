"""Recipes: a whole run on a tiny model, what is done again after a change, going on after a kill, and mistakes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from coworkdsl import Pack
from cwkc.cli import group
from cwkc.workshop import Workshop
from cwktrain.curation.dataset import ROWS
from cwktrain.onpolicy.options import trainer_arguments
from cwktrain.recipes.following import check_tasks, program
from cwktrain.recipes.kept import alone
from cwktrain.recipes.packs import Split, pack_of, split_of
from cwktrain.recipes.reading import read_recipe
from cwktrain.recipes.recipe import Recipe
from cwktrain.reinforcement.options import grpo_arguments
from cwktrain.split import is_held_out
from cwktrain.store import read_runs
from cwktrain.students import load_model
from cwktrain.supervised.training import supervised_arguments
from cwktrain.tasks import facts_of

from .tiny import tiny_student

pytestmark = pytest.mark.xdist_group("torch")

ROOT = Path(__file__).resolve().parents[2]
LAMPS = (Path(__file__).parent / "lamps.cwk").read_text(encoding="utf-8")
TRAINED, HELD_OUT = "paint_lamp", "dye_lamp"
FAMILY = LAMPS[LAMPS.index("family ") :]

WHOLE = """
student = "tiny"

[pack]
sources = ["lamps.cwk"]
held_out = 0.4

[[rollouts]]
agent = "noisy-witness:0.2"
trials = 3

[curation]
threshold = "extraction"
trivial = 2

[sft]
use_peft = false
learning_rate = 1e-3
max_steps = 3
per_device_train_batch_size = 2
gradient_accumulation_steps = 1

[evaluation]
agents = ["base", "sft", "witness"]
trials = 1
answer_tokens = 8
max_turns = 2
"""

ROLLOUT = """
[pack]
sources = ["lamps.cwk"]
held_out = 0.4

[[rollouts]]
agent = "agents_of_recipes:once_interrupted"
trials = 4
jobs = 1
"""

AGENTS = """
import os
from pathlib import Path


def once_interrupted(env):
    with open("log.txt", "a") as log:
        log.write(f"{env.task.id} {env.seed}\\n")
    if env.seed == 2 and not Path("interrupted").exists():
        Path("interrupted").touch()
        os.killpg(os.getpgrp(), int(Path("signal").read_text()))
    env.finish()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CWKC_CACHE", str(tmp_path / "cache"))
    (tmp_path / "lamps.cwk").write_text(LAMPS + FAMILY.replace(TRAINED, HELD_OUT), encoding="utf-8")
    (tmp_path / "agents_of_recipes.py").write_text(AGENTS, encoding="utf-8")
    return tmp_path


def train(recipe: str, *more: str) -> Result:
    Path("recipe.toml").write_text(recipe, encoding="utf-8")
    return CliRunner().invoke(group, ["train", "recipe.toml", "-o", "out", *more])


def numbers() -> Any:
    return json.loads(Path("out/report.json").read_text(encoding="utf-8"))


def done_again(output: str) -> list[str]:
    return re.findall(r"^([\w-]+): [\d.]+ s$", output, re.M)


# ---------------------------------------------------------------------------- a whole run


def test_a_run_goes_from_files_to_a_measured_model(folder: Path) -> None:
    tiny_student(folder / "tiny", [LAMPS] * 3)
    first = train(WHOLE)
    assert first.exit_code == 0, first.output
    stages = ["pack", "rollout-1", "curate", "sft", "evaluate-base", "evaluate-sft", "evaluate-witness"]
    assert done_again(first.output) == stages
    _check_split()
    _check_report()

    page = Path("out/report.md").read_bytes()
    again = train(WHOLE)
    assert (again.exit_code, done_again(again.output)) == (0, [])
    assert Path("out/report.md").read_bytes() == page

    assert done_again(train(WHOLE.replace("max_turns = 2", "max_turns = 1")).output) == stages[4:]
    assert done_again(train(WHOLE.replace("1e-3", "2e-3")).output) == ["sft", "evaluate-sft"]


def _check_split() -> None:
    """Nothing is trained on what is held out, and everything else is not measured."""
    paths = {stage["stage"]: Path(stage["path"]) for stage in numbers()["stages"]}
    families = {task.family for task in facts_of(Pack.open(paths["pack"])).values()}
    assert families == {TRAINED, HELD_OUT}
    assert {run.task.family for run in read_runs(paths["rollout-1"]).runs} == {TRAINED}
    rows = (paths["curate"] / ROWS).read_text(encoding="utf-8").splitlines()
    assert {json.loads(row)["family"] for row in rows} == {TRAINED}
    assert {run.task.family for run in read_runs(paths["evaluate-sft"]).runs} == {HELD_OUT}
    assert load_model(paths["sft"]).num_parameters() < 200_000


def _check_report() -> None:
    page = Path("out/report.md").read_text(encoding="utf-8")
    assert "| `witness` | 3 | 0 | 1.00 | 1.00 | 1.00 |" in page
    assert "`witness` less `sft`" in page
    assert f"| `{HELD_OUT}` | 3 | held out |" in page
    assert "| below the threshold | 9 |" in page
    for image in re.findall(r"\]\((\w+\.png)\)", page):
        assert Path("out", image).read_bytes().startswith(b"\x89PNG")
    report = numbers()
    assert [agent["agent"] for agent in report["agents"]] == ["base", "sft", "witness"]
    sft = next(stage for stage in report["stages"] if stage["stage"] == "sft")
    assert len(sft["facts"]["loss"]) == 3
    assert sft["costs"]["processor_seconds"] > 0


# ---------------------------------------------------------------------------- interruptions


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill", "Ctrl-C"])
def test_an_interrupted_run_goes_on(number: signal.Signals, folder: Path) -> None:
    Path("signal").write_text(str(int(number)), encoding="utf-8")
    Path("recipe.toml").write_text(ROLLOUT, encoding="utf-8")
    command = [sys.executable, "-m", "cwkc", "train", "recipe.toml", "-o", "out"]
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), paths])}
    broken = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, start_new_session=True
    )
    assert broken.returncode == (130 if number == signal.SIGINT else -number), broken.stderr
    assert "Traceback" not in broken.stderr
    stages = Path("out/stages")
    assert [path.name for path in stages.glob("rollout-1-*")] == []
    assert not Path("out/report.md").exists()
    (begun,) = stages.glob(".rollout-1-*/runs.sqlite")
    kept = [f"{run.task.id} {run.seed}" for run in read_runs(begun).runs]
    assert len(kept) >= 3

    whole = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert whole.returncode == 0, whole.stderr
    (store,) = stages.glob("rollout-1-*/runs.sqlite")
    runs = read_runs(store).runs
    assert len({(run.task.id, run.seed) for run in runs}) == len(runs) == 12
    lines = Path("log.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(lines)) == 12
    assert [line for line in kept if lines.count(line) > 1] == []
    assert [path.name for path in stages.glob(".rollout-1-*")] == []


def test_a_folder_is_used_by_one_process_at_a_time(folder: Path) -> None:
    with alone(folder / "out"):
        result = train(ROLLOUT)
    assert (result.exit_code, "in use by another process" in result.output) == (1, True)


def test_a_damaged_stage_is_told() -> None:
    recipe = ROLLOUT.replace("agents_of_recipes:once_interrupted", "witness")
    assert train(recipe).exit_code == 0
    (facts,) = Path("out/stages").glob("rollout-1-*/stage.json")
    facts.write_text("{", encoding="utf-8")
    result = train(recipe)
    assert result.exit_code == 1
    assert f"`{facts.parent}` is damaged" in result.output


# ---------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("recipe", "told"),
    [
        ("[pack", "recipe.toml` cannot be read: "),
        ("student = 3", "`student`: this is a text; got `3`"),
        ("", "`pack` is missing"),
        ("[pack]", "`pack`: say either `sources`, files and folders to build, or `built`, a pack"),
        ("[pack]\nsource = []", "`pack`: there is no key `source`; did you mean `sources`?"),
        ('[pack]\nsources = "lamps.cwk"', "`pack.sources`: this is a list; got `lamps.cwk`"),
        ('[pack]\nsources = ["lamp.cwk"]', "`pack.sources[0]`: there is no `lamp.cwk`"),
        ('[pack]\nsources = ["lamps.cwk"]\nheld_out = 2', "`pack`: `held_out` is a share from 0 to 1; got 2"),
        ("rollouts = [3]", "`rollouts[0]`: this is a table; got `3`"),
        ('[[rollouts]]\nagent = "witness"\ntrials = 0', "`rollouts[0]`: `trials` is at least 1; got 0"),
        ('[[rollouts]]\nagent = "witness"\ntrials = true', "`rollouts[0].trials`: this is a whole number; got `true`"),
        ('[curation]\nthreshold = "mixt"', "`curation.threshold`: `mixt` is no threshold: say a number from 0 to 1"),
        ("[curation]\nheld_out = 0.5", "`curation`: `held_out` is said once, in `[pack]`"),
        ('[sft]\nlearning_rate = "fast"', "`sft.learning_rate`: this is a number; got `fast`"),
        ("[sft]\nlerning_rate = 1", "`sft`: there is no key `lerning_rate`; did you mean `learning_rate`?"),
        ('[rl]\nalgorithm = "ppo"', "`rl`: `algorithm` is one of `grpo`, `dr-grpo`, `gdpo`, `gigpo`; got `ppo`"),
        ("[distillation]\nteacher = 1", "`distillation`: this is a table with a `teacher`"),
        ('[evaluation]\nagents = ["base"]\nsplit = "test"', "`evaluation.split`: this is one of `held-out`,"),
        ("[evaluation]\nagents = []", "`evaluation`: `agents` names at least one agent"),
    ],
)
def test_a_mistake_is_told_with_its_key(recipe: str, told: str) -> None:
    result = train(recipe)
    assert (result.exit_code, told in result.output) == (2, True), result.output
    assert not Path("out").exists()


def test_a_table_that_is_misspelt_is_one_mistake() -> None:
    result = train("[pak]")
    assert "there is no key `pak`; did you mean `pack`?" in result.output
    assert "missing" not in result.output


PACK = '[pack]\nsources = ["lamps.cwk"]\n'


@pytest.mark.parametrize(
    ("recipe", "told"),
    [
        (PACK + "[curation]", "`curation`: there are no runs to curate"),
        ('student = "."\n' + PACK + "[sft]", "`sft`: there is no data to train on"),
        (PACK + "[rl]", "`rl` needs a model: say `student`, its folder"),
        (
            'student = "."\n' + PACK + '[rl]\n[distillation]\nteacher = "."',
            "a run has `rl` or `distillation`, not both",
        ),
        ('student = "tiny"\n' + PACK, "`student`: there is no folder `tiny`"),
        (PACK + '[evaluation]\nagents = ["witness", "base"]', "`evaluation.agents[1]`: this recipe makes no `base`"),
        (
            'student = "."\n' + PACK + '[[rollouts]]\nagent = "sft"',
            "`rollouts[0].agent`: this recipe makes no `sft` before it is asked for",
        ),
    ],
)
def test_what_does_not_go_together_is_told(recipe: str, told: str) -> None:
    result = train(recipe)
    assert (result.exit_code, told in result.output) == (2, True), result.output


def test_what_is_wrong_with_the_sources_is_shown(folder: Path) -> None:
    source = folder / "lamps.cwk"
    source.write_text(source.read_text(encoding="utf-8").replace("lamp.colour == colour", "lamp.hue == colour"))
    result = train(ROLLOUT)
    assert result.exit_code == 1
    assert "error[" in result.output
    assert "lamps.cwk:" in result.output


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("agents_of_recipes:once_interrupted", "agents_of_recipes:nobody"), "`rollout-1` cannot be done: the agent"),
        (("held_out = 0.4", "held_out = 1.0"), "is in the split `training` with 1 held out"),
        (("jobs = 1", "jobs = 1\n[curation]\nthreshold = 1"), "`curate` cannot be done: no run passed the gates"),
    ],
    ids=["no such agent", "nothing to train on", "no run is good"],
)
def test_a_stage_that_fails_is_named(change: tuple[str, str], told: str, folder: Path) -> None:
    (folder / "interrupted").touch()
    result = train(ROLLOUT.replace(*change))
    assert (result.exit_code, told in result.output) == (1, True), result.output


def test_tasks_that_nobody_can_learn_are_told_before_anything_runs(folder: Path) -> None:
    shown = ROOT / "examples" / "finance"
    recipe = ROLLOUT.replace('"lamps.cwk"', f'"{shown / "expense_receipt.cwk"}"').replace("0.4", "0.0")
    result = train(f'student = "."\n{recipe}\n[rl]\n')
    assert result.exit_code == 1
    assert "the stage `rl` cannot be done: the task `expense_receipt` shows files" in result.output
    assert "rollout-1" not in result.output


def test_a_split_without_tasks_is_told_before_anything_runs(folder: Path) -> None:
    recipe = ROLLOUT.replace("0.4", "0.0")
    result = train(f'{recipe}\n[evaluation]\nagents = ["witness"]\n')
    assert (result.exit_code, "is in the split `held-out` with 0 held out" in result.output) == (1, True)
    assert "rollout-1" not in result.output


# ---------------------------------------------------------------------------- the recipes that are there


def with_student(recipe: Path, at: Path) -> Recipe:
    """The recipe, read beside a folder with the name of its student."""
    (name,) = re.findall(r'^student = "(.*)"$', recipe.read_text(encoding="utf-8"), re.M)
    place = at / recipe.relative_to(ROOT)
    shutil.copytree(recipe.parent, place.parent)
    (place.parent / name).mkdir(parents=True)
    (at / "examples").symlink_to(ROOT / "examples")
    return read_recipe(place)


@pytest.mark.parametrize("name", ["training/demo/office.toml", "training/demo/tower.toml"])
def test_the_recipes_of_the_demonstration_can_be_followed(name: str, tmp_path: Path) -> None:
    recipe = with_student(ROOT / name, tmp_path)
    families = {task.family for task in _split(recipe, tmp_path).tasks}
    held_out = {family for family in families if is_held_out(family, recipe.pack.held_out)}
    assert recipe.evaluation is not None
    assert bool(held_out) == (recipe.evaluation.split == "held-out")
    assert families - held_out


def test_trl_takes_what_the_recipe_for_a_gpu_says(tmp_path: Path) -> None:
    """All of it that can be seen without the GPU, vLLM and the models."""
    from trl import GRPOConfig

    recipe = with_student(ROOT / "training" / "recipes" / "qwen3_vllm.toml", tmp_path)
    assert recipe.sft is not None
    assert recipe.rl is not None
    sft = supervised_arguments(tmp_path / "sft", recipe.sft)
    rl = GRPOConfig(**trainer_arguments(recipe.rl, tmp_path / "rl"), **grpo_arguments(recipe.rl))
    assert (sft.max_length, sft.learning_rate) == (16384, 2e-4)
    assert (rl.use_vllm, rl.vllm_mode, rl.generation_kwargs) == (True, "colocate", {"max_tokens": 1024})
    assert rl.generation_batch_size % recipe.rl.num_generations == 0
    assert recipe.rl.max_completion_length < (recipe.rl.vllm_max_model_length or 0)
    split = _split(recipe, tmp_path)
    check_tasks(recipe, split)
    assert min(len(split.of(name)) for name in ("training", "held-out")) >= 3


def _split(recipe: Recipe, folder: Path) -> Split:
    """Of the recipe's pack, which is built."""
    pack = pack_of(recipe.pack, folder / "stages", program(), Workshop(), lambda doing: None)
    return split_of(pack, recipe.pack.held_out)
