"""The tasks of a pack that a student is let into: which environments they have, and in what order they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from attrs import frozen

from coworkdsl import Judge, Pack, Task
from coworkdsl.conversation import json_text
from cwktrain.onpolicy.environments import PackEnvironment, Reward, environment_class
from cwktrain.tasks import TaskFacts


class UnfitTask(Exception):
    """A task cannot be trained on; the message says why."""


@frozen
class Office:
    """`classes`: the environments, by the name of their set of tools. `places`: of each task that name, and what the
    agent is told. `seed`: of the order of the tasks."""

    classes: Mapping[str, type[PackEnvironment]]
    places: Mapping[str, tuple[str, str]]
    seed: int

    def tools(self) -> list[Any]:
        """The tools of all tasks as methods, one by each name."""
        made = [each() for each in self.classes.values()]
        named = {name: getattr(each, name) for each in made for name in each._names()}
        return list(named.values())

    def row(self, number: int) -> dict[str, Any]:
        """The episode of that number, as a row of a data set: the prompt, and what `reset` takes.

        Tasks come in passes, each in an order of its own; the number of the pass is the seed of its runs.
        """
        passed, place = divmod(number, len(self.places))
        order = sorted(self.places)
        Random(f"{self.seed} {passed}").shuffle(order)
        name, request = self.places[order[place]]
        prompt = [{"role": "user", "content": request}]
        return {"prompt": prompt, "environment": name, "task": order[place], "seed": passed}


def open_office(
    folder: Path, tasks: Sequence[TaskFacts], reward: Reward, seed: int, judge: Judge | None = None, graded: bool = True
) -> Office:
    """`graded`: whether runs need a score. Raises PackError, and UnfitTask for a task that a student of text cannot do
    or that would never have a score."""
    pack = Pack.open(folder)
    if not tasks:
        raise UnfitTask("there is no task to train on")
    names: dict[str, str] = {}
    classes, places = {}, {}
    for task in (pack.task(facts.id) for facts in tasks):
        _require_fit(task, judge is not None or not graded)
        schemas = task.tools()
        name = names.setdefault(json_text(schemas), f"Tools{len(names) + 1}")
        if name not in classes:
            classes[name] = environment_class(name, pack, schemas, reward, judge)
        places[task.id] = (name, task.request)
    return Office(classes, places, seed)


def _require_fit(task: Task, judged: bool) -> None:
    if not task.offered:
        raise UnfitTask(f"the task `{task.id}` offers no tools: leave it out")
    if task.attachments:
        raise UnfitTask(f"the task `{task.id}` shows files, which a student of text cannot read: leave it out")
    if task.grader.rubrics and not judged:
        raise UnfitTask(f"the task `{task.id}` is scored by a judge: name one by `judge`, or leave the task out")
