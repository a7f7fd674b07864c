"""What was worked out for turns and runs, in the tensors of a batch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch

from cwktrain.onpolicy.turns import Episode


def over_tokens(episodes: Sequence[Episode], by_turn: Sequence[Sequence[float]], like: torch.Tensor) -> torch.Tensor:
    """The value of each turn at the tokens that the student wrote in it, 0 elsewhere. Shape of `like`: (B, T)."""
    values = torch.zeros(like.shape, dtype=torch.float32, device=like.device)
    for row, (episode, of_turns) in enumerate(zip(episodes, by_turn, strict=True)):
        for turn, value in zip(episode.turns, of_turns, strict=True):
            values[row, turn.start : turn.stop] = value
    return values


def leave_out(batch: dict[str, Any], rows: Collection[int]) -> None:
    """Takes runs out of the loss: no token of theirs counts, in it or in what it is divided by."""
    batch["tool_mask"][sorted(rows)] = 0
    batch["num_items_in_batch"] = (batch["completion_mask"] * batch["tool_mask"]).sum()
