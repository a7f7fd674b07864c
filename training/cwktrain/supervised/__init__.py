"""Supervised training on curated runs: the assistant's tokens alone, each with the same weight."""

from __future__ import annotations

from cwktrain.supervised.options import SupervisedOptions
from cwktrain.supervised.rows import RowError
from cwktrain.supervised.training import train_supervised

__all__ = ["RowError", "SupervisedOptions", "train_supervised"]
