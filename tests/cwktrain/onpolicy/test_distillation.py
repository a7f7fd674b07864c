"""On-policy distillation through the real trainer, with words that are written beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coworkdsl.environment import Environment
from cwktrain.distillation import DistillationOptions, train_distillation
from cwktrain.onpolicy.options import OptionError
from cwktrain.split import HeldOutTask
from cwktrain.students import StudentUnavailable, load_model, load_tokenizer
from cwktrain.tasks import TaskFacts

from ..tiny import tiny_student
from .scripted import Script, call, for_distillation, paint
from .yard import YARD

pytestmark = pytest.mark.xdist_group("torch")

# The user's answer and the results of the calls are context; the two tasks have different tools.
PLANS = [
    ["Which colour do you want?", paint("door", "blue"), "Done."],
    [call("beacon_shine", hue="gold"), "Done."],
    [paint("door", "red"), "Done.", "Good bye."],
    ["No."],
]
FEW: Mapping[str, Any] = {"held_out": 0.0, "learning_rate": 1e-3, "per_device_train_batch_size": 4}


@pytest.fixture(scope="module")
def tasks(facts: Mapping[str, TaskFacts]) -> list[TaskFacts]:
    return [facts["asked_lamp"], facts["gold_light"]]


@pytest.fixture(scope="module")
def teacher(student: Path) -> Path:
    return tiny_student(student.with_name("teacher"), [YARD] * 3, seed=1)


@pytest.fixture
def batches(student: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Lets the student say what is planned, and keeps what is trained on."""
    from cwktrain.distillation.trainer import PackDistillationTrainer

    made: list[Any] = []
    method = PackDistillationTrainer._generate_and_score_completions

    def keeps(self: Any, inputs: Any) -> Any:
        made.append(method(self, inputs))
        return made[-1]

    script = Script(load_tokenizer(student), PLANS)
    monkeypatch.setattr(PackDistillationTrainer, "_generate_single_turn", for_distillation(script))
    monkeypatch.setattr(PackDistillationTrainer, "_generate_and_score_completions", keeps)
    return made


def divergence(student: Path, teacher: Path, batch: Any, forward: bool) -> float:
    """The mean of KL(teacher || student), or the other way round, over the tokens that the student wrote."""
    import torch

    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    attention = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1)
    width = batch["completion_ids"].shape[1]
    with torch.no_grad():
        said, taught = (
            load_model(folder)(ids, attention_mask=attention).logits[:, -width - 1 : -1].log_softmax(-1)
            for folder in (student, teacher)
        )
    first, second = (taught, said) if forward else (said, taught)
    written = (batch["completion_mask"] * batch["tool_mask"]).bool()
    return float((first.exp() * (first - second)).sum(-1)[written].mean())


@pytest.mark.parametrize("name", ["forward", "reverse"])
def test_the_loss_is_the_divergence_worked_out_by_hand(
    name: str, student: Path, teacher: Path, lamps: Path, tasks: list[TaskFacts], tmp_path: Path, batches: list[Any]
) -> None:
    options = DistillationOptions(**FEW, divergence=name, max_steps=3)
    metrics = train_distillation(student, teacher, lamps, tasks, tmp_path / "trained", options)
    losses = [step["loss"] for step in metrics["steps"]]
    assert losses[0] == pytest.approx(divergence(student, teacher, batches[0], name == "forward"), rel=1e-3)
    assert losses[0] > losses[1] > losses[2]
    after = divergence(tmp_path / "trained", teacher, batches[0], name == "forward")
    assert after < losses[2]


def test_what_the_student_is_told_is_context_alone(
    student: Path, teacher: Path, lamps: Path, tasks: list[TaskFacts], tmp_path: Path, batches: list[Any]
) -> None:
    options = DistillationOptions(**FEW, max_steps=1)
    (step,) = train_distillation(student, teacher, lamps, tasks, tmp_path / "trained", options)["steps"]
    tokenizer = load_tokenizer(student)
    (batch,) = batches
    told, written = [], []
    for ids, kept, by_student in zip(
        batch["completion_ids"], batch["completion_mask"], batch["tool_mask"], strict=True
    ):
        written.append(tokenizer.decode(ids[(kept * by_student).bool()]))
        told.append(tokenizer.decode(ids[(kept * (1 - by_student)).bool()]))
    assert [text.partition(".")[2] for text in written] == [
        "".join(f"{words}<|im_end|>" for words in plan[: 3 if number == 0 else 2]) for number, plan in enumerate(PLANS)
    ]
    assert "Blue, please." in told[0]
    assert '{"flash_id": "F-1", "hue": "gold"}' in told[1]
    assert "I have nothing to add" not in told[1]
    assert step["reward"] == pytest.approx((1.0 + 1.0 + 0.0 + 0.0) / 4)
    shown = [
        tokenizer.decode(ids[kept.bool()]) for ids, kept in zip(batch["prompt_ids"], batch["prompt_mask"], strict=True)
    ]
    assert [("beacon_shine" in text, "lamps_paint" in text) for text in shown].count((True, True)) == 0


def test_runs_whose_environment_failed_are_left_out(
    student: Path,
    teacher: Path,
    lamps: Path,
    tasks: list[TaskFacts],
    tmp_path: Path,
    batches: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Environment.call

    def fails(self: Environment, tool: str, arguments: Any = None) -> dict[str, Any]:
        if tool == "beacon_shine":
            self.defects.append(ZeroDivisionError("nothing to divide by"))
        return made(self, tool, arguments)

    monkeypatch.setattr(Environment, "call", fails)
    options = DistillationOptions(**FEW, max_steps=1, retries=0)
    (step,) = train_distillation(student, teacher, lamps, tasks, tmp_path / "trained", options)["steps"]
    assert (step["runs_failed"], step["runs_left_out"]) == (1, 1)
    (batch,) = batches
    counted = (batch["completion_mask"] * batch["tool_mask"]).sum(1).tolist()
    assert counted.count(0) == 1
    assert batch["num_items_in_batch"] == sum(counted)
    assert step["loss"] == pytest.approx(divergence(student, teacher, batch, forward=False), rel=1e-3)


def test_what_cannot_be_distilled_is_refused(
    student: Path, teacher: Path, lamps: Path, tasks: list[TaskFacts], tmp_path: Path
) -> None:
    output = tmp_path / "trained"
    with pytest.raises(HeldOutTask):
        train_distillation(student, teacher, lamps, tasks, output, DistillationOptions(held_out=1.0))
    with pytest.raises(OptionError, match="`divergence` is `forward` or `reverse`; got `sideways`"):
        DistillationOptions(divergence="sideways")
    stranger = tiny_student(tmp_path / "stranger", ["Other words make another vocabulary."])
    with pytest.raises(StudentUnavailable, match="vocabularies differ"):
        train_distillation(student, stranger, lamps, tasks, output, DistillationOptions(held_out=0.0))
    assert not output.exists()
