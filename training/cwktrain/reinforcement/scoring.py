"""From the runs of a step to an advantage for each of their turns."""

from __future__ import annotations

from collections.abc import Sequence

from cwktrain.onpolicy.turns import Episode
from cwktrain.reinforcement.advantages import (
    Value,
    centred,
    decoupled,
    group_in_group,
    standardised,
    step_advantages,
    varies,
)
from cwktrain.reinforcement.options import ReinforcementOptions

Group = Sequence[Episode]


def rewards_of(group: Group) -> list[Value]:
    return [episode.environment.get_reward() for episode in group]


def has_variance(group: Group, options: ReinforcementOptions) -> bool:
    """Whether what the runs of a group earned tells them apart."""
    if options.algorithm != "gdpo":
        return varies(rewards_of(group))
    runs = [_dimensions(episode) for episode in group]
    weighted = [place for place, weight in enumerate(options.reward_weights) if weight > 0]
    return any(varies([None if run is None else run[place] for run in runs]) for place in weighted)


def turn_advantages(groups: Sequence[Group], options: ReinforcementOptions) -> list[list[list[float]]]:
    """For each group, run and turn, by the algorithm of the options."""
    if options.algorithm == "gdpo":
        parts = [[_dimensions(episode) for episode in group] for group in groups]
        of_runs = decoupled(parts, options.reward_weights, options.std_floor)
        return [_spread(group, values) for group, values in zip(groups, of_runs, strict=True)]
    return [_within(group, options) for group in groups]


def _within(group: Group, options: ReinforcementOptions) -> list[list[float]]:
    rewards = rewards_of(group)
    if options.algorithm == "dr-grpo":
        return _spread(group, centred(rewards))
    of_runs = standardised(rewards, options.std_floor)
    if options.algorithm == "grpo":
        return _spread(group, of_runs)
    states = [[turn.state for turn in episode.turns] for episode in group]
    of_steps = step_advantages(states, rewards, options.std_floor, options.discount)
    return [group_in_group(run, steps, options.step_weight) for run, steps in zip(of_runs, of_steps, strict=True)]


def _spread(group: Group, of_runs: Sequence[float]) -> list[list[float]]:
    return [[value] * len(episode.turns) for episode, value in zip(group, of_runs, strict=True)]


def _dimensions(episode: Episode) -> Sequence[float] | None:
    parts = episode.environment._parts
    return None if parts is None else parts.dimensions
