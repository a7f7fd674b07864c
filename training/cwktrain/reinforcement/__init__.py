"""Reinforcement learning on the student's own runs in the environments of a pack."""
