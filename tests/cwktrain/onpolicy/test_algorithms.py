"""Each algorithm through the real trainer: its advantages and its loss are those that were worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cwktrain.reinforcement import ReinforcementOptions, train_reinforcement
from cwktrain.students import load_model
from cwktrain.tasks import TaskFacts

from .scripted import Script, call, number_of, paint

pytestmark = pytest.mark.xdist_group("torch")

DOOR, GATE, ROOF = paint("door", "gold"), paint("gate", "gold"), paint("roof", "gold")
RED = paint("door", "red")
PLANS = [
    [DOOR, GATE, "Done."],
    [DOOR, "Done."],
    [GATE, "Done."],
    ["Done."],
    [f"{DOOR}\n{ROOF}", "Done."],
    # The third call hits a fault. Who tries again is robust.
    [RED, GATE, DOOR, "Done."],
    [RED, GATE, DOOR, DOOR, "Done."],
    [call("lamps_break"), "Done."],
]
REWARDS = [1.0, 0.75, 0.25, 0.0, 0.375, 0.2, 1.0, 0.0]

# Mean 0.446875, deviation 0.388595.
GRPO = [1.4234, 0.7801, -0.5066, -1.1500, -0.1850, -0.6353, 1.4234, -1.1500]
DR_GRPO = [0.553125, 0.303125, -0.196875, -0.446875, -0.071875, -0.246875, 0.553125, -0.446875]
# Completion 1, 3/4, 1/4, 0, 3/4, 1/4, 1, 0: mean 0.5, deviation 0.395285. Safety: run 4 has 0.5, mean 0.9375, deviation
# 0.165359. Robustness: run 5 has 0, mean 0.875, deviation 0.330719. Sums 2.0209, 1.3884, 0.1234, -0.5090, -1.6353,
# -2.9003, 2.0209, -0.5090: mean 0, deviation 1.6475.
GDPO = [1.2266, 0.8427, 0.0749, -0.3089, -0.9926, -1.7604, 1.2266, -0.3089]
# GRPO's, and what a turn returns at 0.95 for each turn to come, compared where states are equal: at the start; with the
# door gold (runs 0 and 1); with it painted red (5 and 6), and so on up to the fault.
GIGPO = [
    [2.9051, 2.4234, 1.4234],
    [1.7022, -0.2199],
    [-0.9832, -0.5066],
    [-2.3260],
    [-0.3119, -0.1850],
    [-1.3063, -1.6353, -1.6353, -1.6353],
    [2.6460, 2.4234, 2.4234, 2.4234, 1.4234],
    [-2.3260, -1.1500],
]
OFTEN: Mapping[str, Any] = {"held_out": 0.0, "learning_rate": 1e-3}


def by_hand(tokenizer: Any, advantages: Sequence[Sequence[float]], model: Any, batch: Any, fixed: int | None) -> float:
    """The loss with clipping at 0.2 and a KL term of 0.1, weighted by the ratio, with these advantages by run and turn:
    the mean over runs of their mean over tokens, or the sum over a fixed number for each run."""
    import torch

    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    attention = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1)
    with torch.no_grad():
        logits = model(ids, attention_mask=attention).logits
    total = 0.0
    for row in range(len(ids)):
        numbers = advantages[number_of(tokenizer.decode(batch["completion_ids"][row])) % len(advantages)]
        written = (batch["completion_mask"][row] * batch["tool_mask"][row]).tolist()
        first, turn, sums = batch["prompt_ids"].shape[1], -1, 0.0
        for place, by_student in enumerate(written):
            turn += by_student and (place == 0 or not written[place - 1])
            if by_student:
                now = logits[row, first + place - 1].log_softmax(-1)[ids[row, first + place]]
                ratio = (now - batch["old_per_token_logps"][row, place]).exp()
                away = batch["ref_per_token_logps"][row, place] - now
                earned = min(ratio * numbers[turn], ratio.clamp(0.8, 1.2) * numbers[turn])
                sums += float(-earned + 0.1 * ratio * (away.exp() - away - 1))
        total += sums / (fixed or sum(written))
    return total / len(ids)


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[float, float]]]:
    """Works out by hand what each update's loss is, beside the trainer's own."""
    from cwktrain.reinforcement.trainer import PackGRPOTrainer

    method = PackGRPOTrainer._compute_loss

    def compare(tokenizer: Any, advantages: Sequence[Sequence[float]], fixed: int | None) -> list[tuple[float, float]]:
        pairs: list[tuple[float, float]] = []

        def both(self: Any, model: Any, batch: Any) -> Any:
            loss = method(self, model, batch)
            pairs.append((loss.item(), by_hand(tokenizer, advantages, model, batch, fixed)))
            return loss

        monkeypatch.setattr(PackGRPOTrainer, "_compute_loss", both)
        return pairs

    return compare


@pytest.mark.parametrize(
    ("algorithm", "advantages", "fixed"),
    [
        ("grpo", [[value] * 5 for value in GRPO], None),
        ("dr-grpo", [[value] * 5 for value in DR_GRPO], 1536),
        ("gdpo", [[value] * 5 for value in GDPO], None),
        ("gigpo", GIGPO, None),
    ],
    ids=["grpo", "dr-grpo", "gdpo", "gigpo"],
)
def test_an_algorithm_has_the_advantages_and_the_loss_that_were_worked_out_by_hand(
    algorithm: str,
    advantages: Sequence[Sequence[float]],
    fixed: int | None,
    student: Path,
    lamps: Path,
    facts: Mapping[str, TaskFacts],
    tmp_path: Path,
    scripted: Callable[..., Script],
    losses: Callable[..., list[tuple[float, float]]],
) -> None:
    pairs = losses(scripted(PLANS).tokenizer, advantages, fixed)
    # The second update of the same runs has ratios that are clipped, and is away from the reference.
    options = ReinforcementOptions(**OFTEN, algorithm=algorithm, max_steps=2, num_iterations=2, beta=0.1)
    metrics = train_reinforcement(student, lamps, [facts["two_lamps"]], tmp_path / "trained", options)
    assert metrics["steps"][0]["reward"] == pytest.approx(sum(REWARDS) / 8)
    for loss, expected in pairs:
        assert loss == pytest.approx(expected, abs=2e-5)
    assert abs(pairs[1][0]) > 1e-3
    load_model(tmp_path / "trained")
