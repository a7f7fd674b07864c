"""The pack of a run, and which of its tasks are trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from coworkdsl import Pack
from coworkdsl.files import Content
from cwkc.diagnostics import Diagnostic
from cwkc.folder import write_pack
from cwkc.inputs import source_files
from cwkc.rebuild import Options, build
from cwkc.workshop import Workshop
from cwktrain.recipes.kept import Done, Stage, finish, given
from cwktrain.recipes.recipe import PackPart
from cwktrain.split import is_held_out, of_split
from cwktrain.tasks import TaskFacts, facts_of

Tell = Callable[[str], None]


class PackRefused(Exception):
    """The sources are not right; `diagnostics` say why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("the pack cannot be built")
        self.diagnostics = diagnostics


@frozen(eq=False)
class Split:
    """`tasks`: all of the pack, in its order. `held_out`: the share of their families that is."""

    pack: Done
    tasks: tuple[TaskFacts, ...]
    held_out: float

    def of(self, name: str) -> tuple[TaskFacts, ...]:
        """`all`, `training` or `held-out`. Raises NothingToDo where there are none."""
        chosen = of_split(self.tasks, name, self.held_out)
        if not chosen:
            raise NothingToDo(f"no task of `{self.pack.path}` is in the split `{name}` with {self.held_out:g} held out")
        return chosen

    def families(self) -> list[tuple[str, int, bool]]:
        """Of each family its name, how many tasks it has, and whether it is held out."""
        counts: dict[str, int] = {}
        for task in self.tasks:
            counts[task.family] = counts.get(task.family, 0) + 1
        return [(name, count, is_held_out(name, self.held_out)) for name, count in counts.items()]


class NothingToDo(Exception):
    """A stage has nothing to work on; the message says of what there is none."""


def pack_of(part: PackPart, folder: Path, program: str, workshop: Workshop, tell: Tell) -> Done:
    """The pack, built if need be: `workshop` remembers builds, and the pack's files decide whether it is the same.

    Raises PackRefused and NothingToDo.
    """
    if part.built is not None:
        return given("pack", part.built)
    sources = source_files(part.sources)
    if not sources:
        raise NothingToDo("there is no .cwk file in " + ", ".join(f"`{path}`" for path in part.sources))
    with workshop:
        built = build(sources, Options(members=part.members, seed=part.seed), workshop, tell)
    files = built.files
    if files is None:
        raise PackRefused(built.diagnostics)

    def write(working: Path) -> dict[str, Any]:
        write_pack(files, working / "pack")
        return {"sources": len(sources)}

    inputs = {name: _digest(content) for name, content in files.items()}
    return finish(Stage("pack", None, inputs, "pack", write), folder, program)


def _digest(content: Content) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def split_of(pack: Done, held_out: float) -> Split:
    """Raises PackError."""
    return Split(pack, tuple(facts_of(Pack.open(pack.path)).values()), held_out)
