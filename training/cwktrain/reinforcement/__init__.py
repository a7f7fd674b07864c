"""Reinforcement learning on a student's own runs in the environments of a pack."""

from __future__ import annotations

from cwktrain.reinforcement.options import ReinforcementOptions
from cwktrain.reinforcement.training import train_reinforcement

__all__ = ["ReinforcementOptions", "train_reinforcement"]
