"""Rolling out over a Ray cluster: as an executor, so that nothing else about a rollout is another.

Needs the extra `scale`. Every machine of the cluster must have this package and find the pack at the same path.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from cwktrain.runs import RunsError


class RayExecutor(Executor):
    """Runs functions in tasks of a cluster: of the one that `RAY_ADDRESS` names, else of one that is started here.

    Raises RunsError where Ray is not installed or its cluster cannot be reached.
    """

    def __init__(self, jobs: int) -> None:
        try:
            import ray
        except ModuleNotFoundError as missing:
            words = "`--engine ray` needs the extra `scale`: pip install 'coworkdsl[scale]'"
            raise RunsError(words) from missing
        try:
            ray.init(**_settings(jobs))
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise RunsError(f"the Ray cluster cannot be reached: {error}") from error
        self._ray = ray
        self._task = ray.remote(max_retries=0)(_call)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A process that dies is told as the executors of the standard library tell it."""
        told: Future[Any] = Future()
        told.set_running_or_notify_cancel()
        self._task.remote(fn, args, kwargs).future().add_done_callback(lambda done: self._pass_on(done, told))
        return told

    def _pass_on(self, done: Future[Any], told: Future[Any]) -> None:
        error = done.exception()
        if error is None:
            told.set_result(done.result())
        elif isinstance(error, self._ray.exceptions.RayTaskError):
            told.set_exception(error.cause)
        else:
            told.set_exception(BrokenExecutor(f"a process of the cluster ended: {type(error).__name__}"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Whatever is under way is given up."""
        self._ray.shutdown()


def _settings(jobs: int) -> dict[str, Any]:
    """One processor of a cluster that is started here for each of the runs at a time."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    return quiet if os.environ.get("RAY_ADDRESS") else {**quiet, "num_cpus": jobs, "include_dashboard": False}


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)
