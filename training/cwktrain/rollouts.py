"""Rolling a pack out: every task, several times, by one agent, many episodes at once."""

from __future__ import annotations

import json
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from multiprocessing import active_children, get_context

from attrs import asdict, frozen

from cwktrain.agents import local_student, shares_a_process
from cwktrain.cluster import RayExecutor
from cwktrain.episodes import Episode, Setup, died, opened, prepare, run_episode
from cwktrain.runs import RunRecord, RunsError
from cwktrain.store import Making, Progress, RunStore
from cwktrain.tasks import digest

ENGINES = ("local", "ray")
"""Where episodes run: in processes of this machine, or in a cluster."""

RETRIES = 2
"""How often an episode is begun anew that came to no valid end."""


@frozen
class Plan:
    """`trials` per task, with the seeds `first_seed` and those after it. `engine`: one of `ENGINES`."""

    setup: Setup
    tasks: tuple[str, ...]
    trials: int
    first_seed: int = 0
    retries: int = RETRIES
    jobs: int = 1
    supersedes: str | None = None
    engine: str = "local"


def roll_out(plan: Plan, store: RunStore, told: Callable[[RunRecord], None]) -> Counter[str]:
    """Runs the episodes that the store lacks, adds each to it as it ends, and tells of it.

    Gives how many ended how (`scored`, `unscored`, `invalid`), repeated attempts left out, and how many were there
    `before`. Raises RunsError, and what opening the pack and the agent raises.
    """
    opened(plan.setup)
    progress = store.begin(_making(plan))
    queue = deque(_missing(plan, progress))
    ended = Counter(before=len(plan.tasks) * plan.trials - len(queue))

    def keep(episode: Episode, run: RunRecord) -> None:
        store.add(run)
        told(run)
        if run.status == "invalid" and episode.attempt < plan.retries:
            queue.append(episode.again())
        else:
            ended[run.status] += 1

    while queue:
        for suspect in _work(plan, queue, plan.jobs, keep):
            if _work(plan, deque([suspect]), 1, keep):
                keep(suspect, died(plan.setup, suspect))
    return ended


def _making(plan: Plan) -> Making:
    setup = plan.setup
    settings = {"sampling": setup.sampling._asdict(), "limits": asdict(setup.limits), "judge": setup.judge}
    if (student := local_student(setup.agent)) is not None:
        settings["student"] = digest(student)
    text = json.dumps(settings, sort_keys=True)
    return Making(setup.collection, setup.digest, setup.agent, text, plan.supersedes)


def _missing(plan: Plan, progress: dict[tuple[str, int], Progress]) -> Iterator[Episode]:
    """Trial by trial, so that a rollout that is cut off has tried as many tasks as it could."""
    for seed in range(plan.first_seed, plan.first_seed + plan.trials):
        for task in plan.tasks:
            attempts, is_done = progress.get((task, seed), Progress(0, False))
            if not is_done and attempts <= plan.retries:
                yield Episode(task, seed, attempts)


def _work(
    plan: Plan, queue: deque[Episode], jobs: int, keep: Callable[[Episode, RunRecord], None]
) -> Iterable[Episode]:
    """Works the queue off. When a process dies, stops, and gives the episodes that were under way: one of them may be
    to blame, and each shows that when it runs alone. Raises RunsError where no process can be started."""
    running: dict[Future[RunRecord], Episode] = {}
    setup = plan.setup
    others = active_children()
    with _executor(plan, jobs) as executor:
        _start(executor, setup)
        try:
            while queue or running:
                while queue and len(running) < 2 * jobs:
                    running[executor.submit(run_episode, setup, queue[0])] = queue[0]
                    queue.popleft()
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    run = done.result()
                    keep(running.pop(done), run)
        except BrokenExecutor:
            # One that was being started just then is not among those that the executor ends, and it waits for them all.
            for worker in active_children():
                if worker not in others:
                    worker.kill()
            return tuple(running.values())
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
    return ()


def _start(executor: Executor, setup: Setup) -> None:
    """Sees that a worker can do anything at all, before an episode is blamed for its end."""
    try:
        executor.submit(prepare, setup).result()
    except BrokenExecutor as error:
        raise RunsError(f"no worker process can be started: {error}") from error


def _executor(plan: Plan, jobs: int) -> Executor:
    """A cluster; or here threads for agents that wait for a model, and processes for those that compute."""
    if plan.engine == "ray":
        return RayExecutor(jobs)
    if shares_a_process(plan.setup.agent):
        return ThreadPoolExecutor(jobs)
    # An interrupt is for the process that keeps the runs: what is under way ends, and nothing else is begun.
    ignored = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=ignored)
