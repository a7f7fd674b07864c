"""Reinforcement learning through the real trainer, with words that are written beforehand, and with a student's own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from coworkdsl import Environment
from cwktrain.onpolicy.office import UnfitTask
from cwktrain.onpolicy.options import OptionError
from cwktrain.reinforcement import ReinforcementOptions, train_reinforcement
from cwktrain.split import HeldOutTask
from cwktrain.students import load_model, load_tokenizer
from cwktrain.tasks import TaskFacts

from .apprentice import apprentice
from .scripted import Script, call, paint

pytestmark = pytest.mark.xdist_group("torch")

DOOR, GATE, ROOF = paint("door", "gold"), paint("gate", "gold"), paint("roof", "gold")
DIFFERENT = [[DOOR, GATE, "Done."], [DOOR, "Done."], [GATE, "Done."], ["Done."]]
OFTEN: Mapping[str, Any] = {"held_out": 0.0, "learning_rate": 1e-3}


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is trained on."""
    from cwktrain.reinforcement.trainer import PackGRPOTrainer

    made: list[Any] = []
    method = PackGRPOTrainer._generate_and_score_completions

    def keeps(self: Any, inputs: Any) -> Any:
        made.append(method(self, inputs))
        return made[-1]

    monkeypatch.setattr(PackGRPOTrainer, "_generate_and_score_completions", keeps)
    return made


def test_left_out_runs_are_in_no_mean_and_no_loss(
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
    batches: list[Any],
) -> None:
    """A task whose grader cannot measure beside one whose can."""
    broken = tmp_path / "broken"
    shutil.copytree(lamps, broken)
    with (broken / "tasks" / "two_lamps" / "grader.py").open("a", encoding="utf-8") as grader:
        grader.write("\n\ndef reward(completion, safety, robustness):\n    return completion / (safety - safety)\n")
    script = scripted([[call("beacon_shine", hue=hue), "Done."] for hue in ("gold", "red")])
    options = ReinforcementOptions(**OFTEN, max_steps=1, per_device_train_batch_size=16, retries=1)
    tasks = [facts["two_lamps"], facts["gold_light"]]
    (step,) = train_reinforcement(student, broken, tasks, tmp_path / "trained", options)["steps"]
    assert (step["runs_failed"], step["runs_left_out"], step["reward"]) == (16, 8, 0.5)
    (batch,) = batches
    trained = zip(batch["prompt_ids"], batch["prompt_mask"].bool(), strict=True)
    assert script.prompts == {script.tokenizer.decode(ids[shown]) for ids, shown in trained}
    assert {("lamps_paint" in prompt, "beacon_shine" in prompt) for prompt in script.prompts} == {
        (True, False),
        (False, True),
    }
    counted = (batch["completion_mask"] * batch["tool_mask"]).sum(1)
    assert [(number > 0) for number in counted.tolist()].count(True) == 8
    assert batch["num_items_in_batch"] == counted.sum()
    assert sorted({round(value, 4) for value in batch["advantages"].flatten().tolist()}) == [-1.0, 0.0, 1.0]
    (step,) = train_reinforcement(student, broken, tasks[:1], tmp_path / "none", evolve(options, retries=0))["steps"]
    assert (step["runs_failed"], step["runs_left_out"], step["loss"], "reward" in step) == (16, 16, 0.0, False)


def test_a_run_that_fails_is_made_anew(
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    score, asked = Environment.score, []

    def fails_at_first(self: Environment, judge: Any = None) -> Any:
        asked.append(self)
        if len(asked) <= 3:
            raise ConnectionError("the judge is away")
        return score(self, judge)

    monkeypatch.setattr(Environment, "score", fails_at_first)
    scripted([[call("beacon_shine", hue=hue), "Done."] for hue in ("gold", "red")])
    options = ReinforcementOptions(**OFTEN, max_steps=1)
    (step,) = train_reinforcement(student, lamps, [facts["gold_light"]], tmp_path / "trained", options)["steps"]
    assert (step["runs_failed"], step["runs_left_out"]) == (3, 0)


@pytest.mark.parametrize(
    ("zero_variance", "counts"),
    [("keep", (1, 0, 0, 0)), ("resample", (1, 3, 0, 0))],
)
def test_groups_without_variance_are_kept_or_replaced(
    zero_variance: str,
    counts: tuple[int, ...],
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
) -> None:
    # Four groups where nobody flashes gold, then one in which every other run does.
    scripted(
        [
            *[[call("beacon_shine", hue="red"), "Done."]] * 24,
            *[[call("beacon_shine", hue="gold"), "Done."], ["No."]] * 4,
        ]
    )
    options = ReinforcementOptions(**OFTEN, max_steps=1, zero_variance=zero_variance)
    (step,) = train_reinforcement(student, lamps, [facts["gold_light"]], tmp_path / "trained", options)["steps"]
    names = ("groups_without_variance", "groups_drawn", "groups_dropped", "runs_left_out")
    assert tuple(step[name] for name in names) == counts
    assert step["reward"] == (0.0 if zero_variance == "keep" else 0.5)


def test_a_group_that_cannot_be_replaced_is_dropped(
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
) -> None:
    scripted([["No."]])
    options = ReinforcementOptions(**OFTEN, max_steps=1, zero_variance="resample", most_resamples=2)
    (step,) = train_reinforcement(student, lamps, [facts["gold_light"]], tmp_path / "trained", options)["steps"]
    assert (step["groups_drawn"], step["groups_dropped"], step["runs_left_out"], step["loss"]) == (2, 1, 8, 0.0)


def test_the_reward_may_be_the_weighted_geometric_mean(
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
) -> None:
    scripted([[f"{DOOR}\n{ROOF}", "Done."]])
    options = ReinforcementOptions(
        **OFTEN, max_steps=1, reward="geometric-mean", reward_weights=(2.0, 1.0, 1.0), use_peft=True, lora_r=4
    )
    (step,) = train_reinforcement(student, lamps, [facts["two_lamps"]], tmp_path / "trained", options)["steps"]
    assert step["reward"] == pytest.approx((0.75**2 * 0.5) ** 0.25)


def test_an_adapter_is_merged(
    student: Path, lamps: Path, facts: Mapping[str, TaskFacts], tmp_path: Path, scripted: Callable[..., Script]
) -> None:
    scripted(DIFFERENT)
    options = ReinforcementOptions(**OFTEN, max_steps=2, use_peft=True, lora_r=4, beta=0.1)
    metrics = train_reinforcement(student, lamps, [facts["two_lamps"]], tmp_path / "trained", options)
    assert metrics["steps"][1]["kl"] > 0
    before, after = load_model(student).state_dict(), load_model(tmp_path / "trained").state_dict()
    moved = {name for name, weight in before.items() if not weight.equal(after[name])}
    assert "model.layers.0.mlp.up_proj.weight" in moved
    assert "model.embed_tokens.weight" not in moved


@pytest.fixture(scope="module")
def beginner(tmp_path_factory: pytest.TempPathFactory, lamps: Path) -> Path:
    return apprentice(tmp_path_factory.mktemp("students") / "apprentice", lamps)


SHORT: Mapping[str, Any] = {
    "held_out": 0.0,
    "learning_rate": 6e-4,
    "max_completion_length": 90,
    "max_turn_length": 34,
    "max_tool_calling_iterations": 2,
}


def test_the_reward_of_a_tiny_student_rises_from_less_than_0_4_to_more_than_0_6_in_14_steps(
    beginner: Path, lamps: Path, facts: Mapping[str, TaskFacts], tmp_path: Path
) -> None:
    """It knows how to let the tower flash, and finds out which of four hues pays. Three steps are averaged."""
    options = ReinforcementOptions(**SHORT, max_steps=14, per_device_train_batch_size=32)
    metrics = train_reinforcement(beginner, lamps, [facts["gold_light"]], tmp_path / "trained", options)
    rewards = [step["reward"] for step in metrics["steps"]]
    assert len(rewards) == 14
    assert sum(rewards[:3]) / 3 < 0.4
    assert sum(rewards[-3:]) / 3 > 0.6


def test_training_goes_on_after_an_interruption(
    beginner: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The student's own words are drawn by the seed: they are the same, whether it was interrupted or not."""
    from cwktrain.reinforcement.trainer import PackGRPOTrainer

    options = ReinforcementOptions(**SHORT, max_steps=4, save_steps=1)
    tasks = [facts["gold_light"]]
    whole = train_reinforcement(beginner, lamps, tasks, tmp_path / "whole", options)
    assert any(step["loss"] != 0 for step in whole["steps"])
    method, begun = PackGRPOTrainer._generate_and_score_completions, []

    def interrupted(self: Any, inputs: Any) -> Any:
        begun.append(self.state.global_step)
        if begun == [0, 1, 2]:
            raise KeyboardInterrupt
        return method(self, inputs)

    monkeypatch.setattr(PackGRPOTrainer, "_generate_and_score_completions", interrupted)
    output = tmp_path / "resumed"
    with pytest.raises(KeyboardInterrupt):
        train_reinforcement(beginner, lamps, tasks, output, options)
    assert not output.exists()
    resumed = train_reinforcement(beginner, lamps, tasks, output, options)
    assert begun == [0, 1, 2, 2, 3]
    assert [step["step"] for step in resumed["steps"]] == [1, 2, 3, 4]
    assert resumed == whole
    assert json.loads((output / "training.json").read_text(encoding="utf-8")) == whole
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    first, second = (load_model(folder).state_dict() for folder in (output, tmp_path / "whole"))
    assert all(weight.equal(second[name]) for name, weight in first.items())
    assert not all(weight.equal(second[name]) for name, weight in load_model(beginner).state_dict().items())


def test_routers_are_frozen(
    student: Path, lamps: Path, facts: Mapping[str, TaskFacts], tmp_path: Path, scripted: Callable[..., Script]
) -> None:
    from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

    tokenizer = load_tokenizer(student)
    config = Qwen3MoeConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        moe_intermediate_size=32,
        num_experts=4,
        num_experts_per_tok=2,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    experts = tmp_path / "experts"
    Qwen3MoeForCausalLM(config).save_pretrained(experts)
    tokenizer.save_pretrained(experts)
    scripted(DIFFERENT)
    options = ReinforcementOptions(**OFTEN, max_steps=1)
    metrics = train_reinforcement(experts, lamps, [facts["two_lamps"]], tmp_path / "trained", options)
    assert metrics["frozen_routers"] == 2
    before, after = load_model(experts).state_dict(), load_model(tmp_path / "trained").state_dict()
    kept = {name for name, weight in before.items() if weight.equal(after[name])}
    assert kept == {f"model.layers.{number}.mlp.gate.weight" for number in (0, 1)}


def test_held_out_and_unfit_tasks_are_refused(
    student: Path, lamps: Path, facts: Mapping[str, TaskFacts], tmp_path: Path
) -> None:
    output = tmp_path / "trained"
    with pytest.raises(HeldOutTask, match="two_lamps"):
        train_reinforcement(student, lamps, [facts["two_lamps"]], output, ReinforcementOptions(held_out=1.0))
    with pytest.raises(UnfitTask, match="no task"):
        train_reinforcement(student, lamps, [], output, ReinforcementOptions())
    assert not output.exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"algorithm": "ppo"}, "`algorithm` is one of `grpo`, `dr-grpo`, `gdpo`, `gigpo`; got `ppo`"),
        ({"num_generations": 6}, "a multiple of `num_generations`, 6; got 8"),
        ({"std_floor": 0.0}, "`std_floor`"),
        ({"reward_weights": (0.0, 0.0, 0.0)}, "`reward_weights`"),
        ({"max_steps": 0}, "`max_steps` is at least 1; got 0"),
        ({"temperature": 0.0}, "`temperature`"),
    ],
)
def test_options_that_cannot_be_are_refused(options: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        ReinforcementOptions(**options)
