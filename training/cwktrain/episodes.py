"""One episode: an agent in a fresh environment, and the record of what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from attrs import evolve, field, frozen

from coworkdsl import Judge, Pack
from coworkdsl.events import Turn
from coworkdsl.values import to_wire
from coworkdsl.world import Record, Write
from cwkc.models import Sampling, open_model
from cwkc.models.judging import ModelJudge
from cwktrain.agents import open_agent
from cwktrain.callables import Agent, in_words
from cwktrain.limits import LimitReached, Limits, MeteredEnvironment
from cwktrain.runs import Costs, RunRecord, Status
from cwktrain.tasks import TaskFacts, facts_of


@frozen
class Setup:
    """All that the episodes of a rollout have in common. `pack`: its folder, and `digest` which one it is. `judge`: the
    name of a model."""

    pack: Path
    digest: str
    agent: str
    sampling: Sampling = field(factory=Sampling)
    limits: Limits = field(factory=Limits)
    judge: str | None = None
    collection: str = "default"


@frozen
class Episode:
    task: str
    seed: int
    attempt: int = 0

    def again(self) -> Episode:
        return evolve(self, attempt=self.attempt + 1)


@frozen(eq=False)
class Opened:
    """What a process opens once for all of its episodes."""

    pack: Pack
    facts: Mapping[str, TaskFacts]
    agent: Agent
    judge: Judge | None


@lru_cache(maxsize=1)
def opened(setup: Setup) -> Opened:
    """Raises PackError, AgentUnavailable and ModelUnavailable."""
    pack = Pack.open(setup.pack)
    judge = None if setup.judge is None else ModelJudge(open_model(setup.judge))
    return Opened(pack, facts_of(pack), open_agent(setup.agent, setup.sampling), judge)


def prepare(setup: Setup) -> None:
    """Opens what a worker needs, in that worker."""
    opened(setup)


def run_episode(setup: Setup, episode: Episode) -> RunRecord:
    """Whatever the agent, its server, the tools or the grader do, there is a record. Raises PackError where the task
    cannot be read."""
    environment = _environment(setup, episode)
    started = time.monotonic()
    stopped, error = _let_run(opened(setup).agent, environment)
    seconds = time.monotonic() - started
    score = None
    if error is None:
        score, error = _scored(environment, opened(setup).judge)
    return _record(setup, episode, environment, Ending(stopped, error, score, seconds))


def died(setup: Setup, episode: Episode) -> RunRecord:
    """The record of an episode that took its process with it: nobody knows what happened in it."""
    ending = Ending(None, "the process died in which the agent ran", None, 0.0)
    return _record(setup, episode, _environment(setup, episode), ending)


class Ending(NamedTuple):
    """`stopped`: the limit that ended the run; `error`: what failed; `score`: in the form of run.json."""

    stopped: str | None
    error: str | None
    score: dict[str, Any] | None
    seconds: float


def _environment(setup: Setup, episode: Episode) -> MeteredEnvironment:
    return MeteredEnvironment(opened(setup).pack.task(episode.task), episode.seed, setup.limits)


def _record(setup: Setup, episode: Episode, environment: MeteredEnvironment, ending: Ending) -> RunRecord:
    return RunRecord(
        collection=setup.collection,
        pack=setup.digest,
        agent=setup.agent,
        task=opened(setup).facts[episode.task],
        seed=episode.seed,
        attempt=episode.attempt,
        status=_status(ending.score),
        stopped=ending.stopped,
        error=ending.error,
        messages=environment.messages,
        tools=environment.tools,
        attachments=[attachment.name for attachment in environment.attachments],
        score=ending.score,
        audit=[_write(write) for write in environment.trace.writes],
        costs=_costs(environment, ending.seconds),
    )


def _let_run(agent: Agent, environment: MeteredEnvironment) -> tuple[str | None, str | None]:
    """The limit that stopped the run, and what failed."""
    try:
        agent(environment)
    except LimitReached as reached:
        return reached.limit, None
    except (Exception, SystemExit) as failure:
        return None, f"the agent failed: {in_words(failure)}"
    if environment.defects:
        return None, f"the environment failed: {in_words(environment.defects[0])}"
    return environment.stopped, None


def _scored(environment: MeteredEnvironment, judge: Judge | None) -> tuple[dict[str, Any] | None, str | None]:
    """The score, or else why there is none."""
    try:
        return environment.score(judge).to_json(), None
    except Exception as failure:
        return None, f"the run cannot be scored: {in_words(failure)}"


def _status(score: Mapping[str, Any] | None) -> Status:
    if score is None:
        return "invalid"
    return "unscored" if "bounds" in score else "scored"


def _costs(environment: MeteredEnvironment, seconds: float) -> Costs:
    turns = sum(isinstance(event, Turn) for event in environment.events)
    tokens = environment.tokens_read, environment.tokens_written
    return Costs(round(seconds, 4), turns, len(environment.trace.calls), *tokens)


def _write(write: Write) -> dict[str, Any]:
    return {
        "call": write.call,
        "event": write.event or None,
        "store": write.store,
        "id": write.id,
        "kind": write.kind,
        "fields": list(write.fields),
        "before": _wire(write.before),
        "after": _wire(write.after),
    }


def _wire(record: Record | None) -> dict[str, Any] | None:
    return None if record is None else {name: to_wire(value) for name, value in record.items()}
