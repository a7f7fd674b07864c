"""The report as a folder of pages that need no server: each is written as soon as its task was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

import jinja2
from attrs import frozen

from coworkdsl import Pack, RunError
from cwkc.view import words
from cwkc.view.coverage import Coverage
from cwkc.view.families import family_view
from cwkc.view.grading import grading
from cwkc.view.proofs import MARKS
from cwkc.view.runs import QUANTITIES, Agent, RecordedRun, recorded
from cwkc.view.tasks import Head, fresh, task_view

_HERE = Path(__file__).parent
_STATIC = ("view.css", "view.js")
_GENERATOR = '<meta name="generator" content="cwkc view">'


@frozen
class RunEntry:
    """A run in the lists of the index and of its task's page. `number` counts from 1 and names the run's page; `page`
    and `title` are the task's, and `quantities` and `reward` are those of the score."""

    number: int
    name: str
    page: str
    task: str
    title: str
    seed: int
    calls: int
    quantities: Mapping[str, str]
    reward: float | None


def is_report(folder: Path) -> bool:
    """Whether the folder holds what was written here before."""
    index = folder / "index.html"
    return index.is_file() and _GENERATOR in index.read_text(encoding="utf-8", errors="replace")[:1000]


def write_report(
    pack: Pack, runs: Iterable[RecordedRun], folder: Path, title: str, witness: Agent, tell: Callable[[str], None]
) -> None:
    """Writes the pages into a new folder. `witness` performs the witness of a task; `tell` is told what is being done.

    Raises PackError, RunError and OSError.
    """
    pages = _Pages(folder, title)
    entries = [_write_run(pack, number, run, pages) for number, run in enumerate(runs, 1)]
    runs_of: dict[str, list[RunEntry]] = {}
    for entry in entries:
        runs_of.setdefault(entry.page, []).append(entry)
    coverage = Coverage()
    heads = [Head.of(entry) for entry in pack.index["tasks"]]
    for number, head in enumerate(heads, 1):
        tell(f"task {number} of {len(heads)}")
        page = _page(pack, head.id)
        task = task_view(fresh(pack, head.id), head, witness)
        coverage.add(task, page)
        pages.write(page, "task.html", task=task, runs=runs_of.get(page, ()))
    for entry in pack.index.get("families", ()):
        head = Head.of(entry)
        tell(f"family {head.id}")
        page = _page(pack, head.id)
        family = family_view(pack.families[head.id], head, witness)
        coverage.add(family.task, page, family.members)
        pages.write(page, "family.html", task=family.task, family=family, runs=runs_of.get(page, ()))
        pages.text(f"families/{head.id}.js", f"const MEMBERS = {_json(family.rows)};\n")
    pages.write("index.html", "index.html", pack=pack.index, coverage=coverage, runs=entries, mean=_mean(entries))
    pages.text("tasks.js", f"const TASKS = {_json(coverage.rows)};\n")
    for name in _STATIC:
        copyfile(_HERE / "static" / name, folder / name)


def _write_run(pack: Pack, number: int, run: RecordedRun, pages: _Pages) -> RunEntry:
    task = fresh(pack, run.task)
    rules = grading(task)
    try:
        view = recorded(task, run, rules)
    except RunError as damage:
        raise RunError(f"`{run.name}` is not a run: {damage}") from damage
    score = view.score
    entry = RunEntry(
        number=number,
        name=run.name,
        page=_page(pack, task.id),
        task=task.id,
        title=task.title,
        seed=view.seed,
        calls=view.timeline.calls,
        quantities=score.quantities,
        reward=score.reward,
    )
    pages.write(f"runs/{number}.html", "run.html", entry=entry, run=view, grading=rules)
    return entry


def _page(pack: Pack, id: str) -> str:
    """The page of a task, or of the family that it or its like belongs to."""
    family = id.partition(".")[0]
    return f"families/{family}.html" if family in pack.families else f"tasks/{id}.html"


def _mean(entries: Sequence[RunEntry]) -> tuple[str, int]:
    """The mean reward of the runs that have one, and how many those are."""
    known = [entry.reward for entry in entries if entry.reward is not None]
    return words.number(sum(known) / len(known)) if known else "", len(known)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class _Pages:
    """Writes files below a folder."""

    def __init__(self, folder: Path, title: str) -> None:
        self._folder = folder
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {"number": words.number, "percent": words.percent}
        self._templates.globals |= {"pack_title": title, "marks": MARKS, "quantities": QUANTITIES}

    def write(self, path: str, template: str, **values: Any) -> None:
        """A page. `path` is relative to the folder, with at most one folder in it."""
        root = "../" if "/" in path else ""
        self.text(path, self._templates.get_template(template).render(root=root, **values))

    def text(self, path: str, text: str) -> None:
        """Halves of surrogate pairs, which a file cannot hold, become `?`."""
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8", "replace"))
