"""On-policy distillation: a teacher's distributions along the student's own runs."""
