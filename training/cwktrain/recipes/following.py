"""Following a recipe: its stages in order, each done once for all that it depends on."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from attrs import field, frozen

from coworkdsl import PackError
from cwkc.models import ModelUnavailable
from cwkc.workshop import Workshop
from cwktrain import __version__
from cwktrain.callables import AgentUnavailable
from cwktrain.curation.dataset import DatasetError
from cwktrain.onpolicy.office import UnfitTask, open_office
from cwktrain.onpolicy.options import OptionError
from cwktrain.onpolicy.turns import TemplateError
from cwktrain.recipes import stages
from cwktrain.recipes.kept import Done, Stage, alone, finish, given
from cwktrain.recipes.packs import NothingToDo, Split, Tell, pack_of, split_of
from cwktrain.recipes.recipe import BASE, EvaluationPart, Recipe
from cwktrain.runs import RunsError
from cwktrain.split import HeldOutTask
from cwktrain.students import StudentUnavailable
from cwktrain.supervised import RowError

PACKAGES = ("torch", "transformers", "trl", "peft", "datasets")

STAGES = "stages"

FAILURES = (
    AgentUnavailable,
    DatasetError,
    HeldOutTask,
    ModelUnavailable,
    NothingToDo,
    OptionError,
    OSError,
    PackError,
    RowError,
    RunsError,
    StudentUnavailable,
    TemplateError,
    UnfitTask,
)


class StageFailed(Exception):
    """A stage cannot be done; the message names it and says why."""


@frozen(eq=False)
class Outcome:
    """What became of a run. `evaluations`: by agent, as the recipe names it; `stages`: all, in order."""

    split: Split
    stages: tuple[Done, ...]
    evaluations: Mapping[str, Done]


@frozen(eq=False)
class _Run:
    folder: Path
    tell: Tell
    told: Callable[[Done], None]
    done: list[Done] = field(factory=list)

    def finish(self, stage: Stage) -> Done:
        self.tell(stage.name)
        with failing(stage.name), warnings.catch_warnings():
            # The libraries' words to one another about names that will change.
            warnings.simplefilter("ignore", FutureWarning)
            done = finish(stage, self.folder, program())
        return self.add(done)

    def add(self, done: Done) -> Done:
        self.done.append(done)
        self.told(done)
        return done


def follow(recipe: Recipe, folder: Path, workshop: Workshop, tell: Tell, told: Callable[[Done], None]) -> Outcome:
    """Does what is not done yet. `tell` is told in words what is being done, and `told` of each stage that is done.

    Raises PackRefused, NothingToDo, StageFailed and RunFolderError; an interrupted run goes on when it is followed
    again.
    """
    run = _Run(folder / STAGES, tell, told)
    with alone(folder):
        split = _split(recipe, run, workshop)
        check_tasks(recipe, split)
        models = {} if recipe.student is None else {BASE: given("student", recipe.student)}
        data = _data(recipe, run, models, split)
        if recipe.sft is not None and data is not None:
            models["sft"] = run.finish(stages.sft(recipe.sft, stages.latest(models), data))
        if recipe.rl is not None:
            models["rl"] = run.finish(stages.rl(recipe.rl, stages.latest(models), split))
        if recipe.distillation is not None:
            models["distillation"] = run.finish(stages.distillation(recipe.distillation, stages.latest(models), split))
        evaluations = _evaluations(recipe.evaluation, run, models, split)
    return Outcome(split, tuple(run.done), evaluations)


def _split(recipe: Recipe, run: _Run, workshop: Workshop) -> Split:
    with failing("pack"):
        pack = pack_of(recipe.pack, run.folder, program(), workshop, run.tell)
        split = split_of(pack, recipe.pack.held_out)
    run.add(pack)
    return split


def check_tasks(recipe: Recipe, split: Split) -> None:
    """Sees that there are tasks for all that is to come, and that they suit it, before hours are spent on what comes
    first.

    Raises StageFailed and NothingToDo.
    """
    if recipe.rollouts:
        split.of("training")
    if recipe.evaluation is not None:
        split.of(recipe.evaluation.split)
    graded = {"rl": recipe.rl is not None and recipe.rl.judge is None, "distillation": False}
    for name, needs_grades in graded.items():
        if getattr(recipe, name) is not None:
            tasks = split.of("training")
            with failing(name):
                open_office(split.pack.path, tasks, lambda parts: parts.reward, seed=0, graded=needs_grades)


def _data(recipe: Recipe, run: _Run, models: stages.Models, split: Split) -> Done | None:
    """What is left of the runs of the rollouts, where it is asked for."""
    stores = [
        run.finish(stages.rollout(number, part, models, split, run.tell))
        for number, part in enumerate(recipe.rollouts, start=1)
    ]
    if recipe.curation is None:
        return None
    return run.finish(stages.curation(recipe.curation, models.get(BASE), stores))


def _evaluations(part: EvaluationPart | None, run: _Run, models: stages.Models, split: Split) -> dict[str, Done]:
    if part is None:
        return {}
    agents = dict.fromkeys(part.agents)
    return {agent: run.finish(stages.evaluation(part, agent, models, split, run.tell)) for agent in agents}


def program() -> str:
    """The versions of what the stages run on."""
    own = [f"coworkdsl {__version__}", f"python {platform.python_version()}"]
    return ", ".join([*own, *(f"{name} {_version(name)}" for name in PACKAGES)])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@contextmanager
def failing(stage: str) -> Iterator[None]:
    """Tells as StageFailed what keeps a stage from being done."""
    try:
        yield
    except FAILURES as failure:
        raise StageFailed(f"the stage `{stage}` cannot be done: {failure}") from failure
