"""Measuring agents: estimates with intervals, by kind of task, and two agents against one another."""
