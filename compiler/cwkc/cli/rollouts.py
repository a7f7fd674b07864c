"""What `cwkc rollout` and `cwkc eval` have in common: options, and the rolling out itself."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from coworkdsl import Pack
from cwkc.cli.models import FORMS
from cwkc.cli.packs import damage_is_wrong_use
from cwkc.cli.show import progress
from cwktrain.agents import usual_jobs
from cwktrain.episodes import Setup, opened
from cwktrain.limits import Limits
from cwktrain.rollouts import ENGINES, Plan, roll_out
from cwktrain.runs import RunRecord
from cwktrain.split import HELD_OUT, SPLITS, of_split
from cwktrain.store import RunStore
from cwktrain.tasks import digest, facts_of

AGENTS = "anthropic:MODEL|openai:MODEL@URL|hf:PATH|witness|noisy-witness[:RATE]|MODULE:NAME"

Function = Callable[..., Any]

_COMMON = (
    click.option("--seed", type=int, default=0, show_default=True, help="Of the first trial; the others follow it."),
    click.option("--judge", metavar=FORMS, help="The model that answers each `judge`."),
    click.option("-j", "--jobs", type=click.IntRange(1), help="Runs at a time.  [default: the cores; 16 for hf]"),
    click.option(
        "--engine", type=click.Choice(ENGINES), default="local", show_default=True, help="Here, or in a Ray cluster."
    ),
    click.option("--retries", type=click.IntRange(0), default=2, show_default=True, help="Of runs that fail."),
    click.option("--max-turns", type=click.IntRange(1), default=50, show_default=True, help="Turns of one run."),
    click.option("--max-calls", type=click.IntRange(1), default=100, show_default=True, help="Calls of one run."),
    click.option("--max-seconds", type=click.FloatRange(0.001), default=600.0, show_default=True, help="Of one run."),
    click.option("--max-tokens", type=click.IntRange(1), help="Tokens that a model writes in one run."),
    click.option("--answer-tokens", type=click.IntRange(1), default=4096, show_default=True, help="Of one answer."),
    click.option("--temperature", type=click.FloatRange(0), help="Of a model.  [default: the server's; 0 for hf]"),
)


def rollout_options(function: Function) -> Function:
    for option in reversed(_COMMON):
        function = option(function)
    return function


def split_options(function: Function) -> Function:
    share = click.option(
        "--held-out",
        type=click.FloatRange(0, 1),
        default=HELD_OUT,
        show_default=True,
        metavar="SHARE",
        help="The share of the task families, by a hash of their names, that is held out.",
    )
    split = click.option(
        "--split", type=click.Choice(SPLITS), default="all", show_default=True, help="The tasks to run."
    )
    return split(share(function))


def setup_of(pack: Path, agent: str, collection: str, options: dict[str, Any]) -> Setup:
    """`options` are those of `rollout_options`."""
    from cwkc.models import Sampling

    limits = Limits(options["max_turns"], options["max_calls"], options["max_seconds"], options["max_tokens"])
    sampling = Sampling(options["answer_tokens"], options["temperature"])
    return Setup(pack.resolve(), digest(pack), agent, sampling, limits, options["judge"], collection)


def tasks_of(folder: Path, split: str, held_out: float) -> tuple[str, ...]:
    """The tasks of a split. Raises click.UsageError where there is none."""
    with damage_is_wrong_use(folder):
        facts = facts_of(Pack.open(folder))
    tasks = tuple(task.id for task in of_split(facts.values(), split, held_out))
    if not tasks:
        raise click.UsageError(f"no task of `{folder}` is in the split `{split}` with {held_out:g} held out")
    return tasks


def require_packages(*packages: str) -> None:
    """Before anything runs in vain. Raises click.UsageError where a package is missing that measuring needs."""
    for package in packages:
        if find_spec(package) is None:
            help = "pip install 'coworkdsl[evaluate]'"
            raise click.UsageError(f"the package `{package}` is not installed: `{help}`")


@contextmanager
def failures_are_wrong_use() -> Iterator[None]:
    """What keeps a rollout from being begun is told as wrong use."""
    from cwkc.models import ModelUnavailable
    from cwktrain.callables import AgentUnavailable
    from cwktrain.runs import RunsError

    try:
        yield
    except (AgentUnavailable, ModelUnavailable, RunsError) as failure:
        raise click.UsageError(str(failure)) from failure


def rolled_out(
    setup: Setup,
    tasks: tuple[str, ...],
    trials: int,
    options: dict[str, Any],
    store: RunStore,
    supersedes: str | None = None,
) -> Counter[str]:
    """Rolls out, with progress on a terminal. Raises click.UsageError."""
    local = options["engine"] == "local"
    jobs = options["jobs"] or (usual_jobs(setup.agent) if local else os.cpu_count() or 1)
    plan = Plan(setup, tasks, trials, options["seed"], options["retries"], jobs, supersedes, options["engine"])
    total, seen = len(tasks) * trials, 0
    with failures_are_wrong_use(), damage_is_wrong_use(setup.pack):
        opened(setup)
        with progress(f"{setup.agent}: 0 of {total} runs") as doing:

            def told(run: RunRecord) -> None:
                nonlocal seen
                seen += 1
                doing(f"{setup.agent}: {seen} of {total} runs")

            return roll_out(plan, store, told)
