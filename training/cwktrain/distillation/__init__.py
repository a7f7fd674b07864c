"""On-policy distillation: a teacher's distributions along the student's own runs."""

from __future__ import annotations

from cwktrain.distillation.options import DistillationOptions
from cwktrain.distillation.training import train_distillation

__all__ = ["DistillationOptions", "train_distillation"]
