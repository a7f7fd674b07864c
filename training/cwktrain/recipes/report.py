"""The report of a run: Markdown for people with its curves, and the same numbers as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from cwkc.folder import write_file
from cwktrain.evaluation.plots import plot
from cwktrain.evaluation.reports import Comparison, Report, compare
from cwktrain.evaluation.tables import shown
from cwktrain.recipes.curves import draw
from cwktrain.recipes.following import Outcome, program
from cwktrain.recipes.kept import Done
from cwktrain.recipes.recipe import TRAININGS, EvaluationPart, Recipe
from cwktrain.recipes.stages import evaluated

CURVES = ("reward", "loss", "kl", "entropy", "completion_length")
"""What is drawn of training, where it was measured."""

PAGE, NUMBERS = "report.md", "report.json"
FORMAT = 1


class Measured(NamedTuple):
    """`comparisons`: of each agent with the first, and with the one before it."""

    reports: tuple[Report, ...]
    comparisons: tuple[Comparison, ...]


def write_report(recipe: Recipe, outcome: Outcome, path: Path, folder: Path) -> None:
    """Writes report.md, report.json and the curves. `path`: the recipe's. Raises RunsError and OSError."""
    measured = _measured(recipe.evaluation, outcome)
    images = {done.name: _curves(done, folder) for done in outcome.stages if done.name in TRAININGS}
    if measured is not None:
        plot(measured.reports, folder / "evaluation.png")
    write_file(folder / NUMBERS, json.dumps(_numbers(outcome, measured), indent=2) + "\n")
    write_file(folder / PAGE, "\n".join(_page(recipe, outcome, measured, path, images)) + "\n")


def _measured(part: EvaluationPart | None, outcome: Outcome) -> Measured | None:
    if part is None:
        return None
    found = {agent: evaluated(agent, done, part) for agent, done in outcome.evaluations.items()}
    agents = [*found]
    pairs = dict.fromkeys([*((agents[0], other) for other in agents[1:]), *pairwise(agents)])
    comparisons = (compare(one, other, found[one][1], found[other][1], part.threshold) for one, other in pairs)
    return Measured(tuple(report for report, _ in found.values()), tuple(comparisons))


def _numbers(outcome: Outcome, measured: Measured | None) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "program": program(),
        "held_out": outcome.split.held_out,
        "families": [
            {"family": name, "tasks": count, "held_out": is_held_out}
            for name, count, is_held_out in outcome.split.families()
        ],
        "stages": [
            {"stage": done.name, "path": str(done.path), "costs": done.costs._asdict(), "facts": dict(done.facts)}
            for done in outcome.stages
        ],
        "agents": [report.to_json() for report in measured.reports] if measured else [],
        "comparisons": [comparison.to_json() for comparison in measured.comparisons] if measured else [],
    }


def _curves(done: Done, folder: Path) -> str | None:
    """The name of a picture of what changed from step to step, if anything did."""
    series = {name: values for name, values in _series(done.facts).items() if name in CURVES}
    if not series:
        return None
    draw(series, folder / f"{done.name}.png")
    return f"{done.name}.png"


def _series(facts: Mapping[str, Any]) -> dict[str, list[float]]:
    """What was measured at every step: lists of numbers, and the columns of the list `steps`."""
    rows = facts["steps"] if isinstance(facts.get("steps"), list) else []
    names = [name for name in (rows[0] if rows else ()) if all(name in row for row in rows)]
    lists = {name: value for name, value in facts.items() if isinstance(value, list) and name != "steps"}
    found = {**lists, **{name: [row[name] for row in rows] for name in names}}
    return {name: values for name, values in found.items() if name != "step" and _vary(values)}


def _vary(values: Sequence[Any]) -> bool:
    return all(isinstance(each, int | float) for each in values) and len({*values}) > 1


# ---------------------------------------------------------------------------- the page


def _page(
    recipe: Recipe, outcome: Outcome, measured: Measured | None, path: Path, images: Mapping[str, str | None]
) -> Iterator[str]:
    yield f"# {path.stem}"
    yield ""
    yield f"Made by `{path.name}` with {program()}."
    if recipe.evaluation is not None and measured is not None:
        yield from _evaluation(recipe.evaluation, measured)
    yield from _pack(outcome)
    for done in outcome.stages:
        if done.name.startswith("rollout-"):
            yield from _section(f"Rollout {done.name.removeprefix('rollout-')}: `{_agent(recipe, done)}`")
            yield from _scalars(done.facts)
        elif done.name == "curate":
            yield from _curation(done)
        elif done.name in TRAININGS:
            yield from _training(done, images[done.name])
    yield from _costs(outcome)


def _section(title: str) -> Iterator[str]:
    yield from ("", f"## {title}", "")


def _agent(recipe: Recipe, done: Done) -> str:
    return recipe.rollouts[int(done.name.removeprefix("rollout-")) - 1].agent


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The first column is text, the others are numbers."""
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    for row in rows:
        yield f"| {' | '.join(_cell(value) for value in row)} |"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)


def _evaluation(part: EvaluationPart, measured: Measured) -> Iterator[str]:
    k = part.trials
    yield from _section("What came of it")
    yield (
        f"{_counted(measured.reports[0].tasks, 'task')} of the split `{part.split}`, {_counted(k, 'run')} of each; a "
        f"run passes with a reward of at least {part.threshold:g}.{_intervals(measured)}"
    )
    yield ""
    rows = ((f"`{report.agent}`", *_runs(report), *map(shown, report.curve[k])) for report in measured.reports)
    yield from _table(("agent", "scored", "invalid, unscored", "score", f"pass@{k}", f"pass^{k}"), rows)
    if measured.comparisons:
        yield ""
        heads = ("compared on the same tasks and seeds", "score", "passes", "better", "equal", "worse", "unpaired")
        yield from _table(heads, map(_comparison, measured.comparisons))
    yield ""
    yield "![Pass@k and Pass^k](evaluation.png)"
    yield from _groups(measured, k)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _intervals(measured: Measured) -> str:
    """What brackets mean, where there are any."""
    scores = (report.curve[1].score for report in measured.reports)
    if all(score is None or score.low is None for score in scores):
        return ""
    return " In brackets: 95 % intervals by the bootstrap over families."


def _runs(report: Report) -> tuple[int, int]:
    return report.statuses["scored"], report.statuses["invalid"] + report.statuses["unscored"]


def _comparison(each: Comparison) -> Sequence[object]:
    name = f"`{each.other}` less `{each.agent}`"
    differences = (shown(each.score, "+"), shown(each.passes, "+"))
    return (name, *differences, each.better, each.equal, each.worse, each.unpaired)


def _groups(measured: Measured, k: int) -> Iterator[str]:
    """Scores by kind of task, where there are kinds."""
    heads = [f"`{report.agent}`" for report in measured.reports]
    for dimension, names in measured.reports[0].groups.items():
        if len(names) > 1:
            yield ""
            rows = (
                (name, *(shown(report.groups[dimension][name].score) for report in measured.reports)) for name in names
            )
            yield from _table((f"score by {dimension}", *heads), rows)


def _pack(outcome: Outcome) -> Iterator[str]:
    families = outcome.split.families()
    held_out = [family for family in families if family[2]]
    yield from _section("Pack and split")
    yield (
        f"{_counted(len(outcome.split.tasks), 'task')}. Families held out with a share of "
        f"{outcome.split.held_out:g}: {len(held_out)} of {len(families)}, with "
        f"{_counted(sum(count for _, count, _ in held_out), 'task')}."
    )
    yield ""
    rows = ((f"`{name}`", count, "held out" if is_held_out else "training") for name, count, is_held_out in families)
    yield from _table(("family", "tasks", "split"), rows)


def _curation(done: Done) -> Iterator[str]:
    yield from _section("Curation")
    gates = ((gate["name"], gate["came"], gate["fell"]) for gate in done.facts["gates"])
    yield from _table(("gate", "came", "fell"), [*gates, ("kept", done.facts["kept"], "")])
    classes = [*done.facts["classes"].values()]
    counts = ", ".join(f"{classes.count(name)} {name}" for name in dict.fromkeys(classes))
    yield ""
    yield f"Tasks by the mean completion of their runs: {counts}."


def _training(done: Done, image: str | None) -> Iterator[str]:
    yield from _section({"sft": "Supervised training", "rl": "Reinforcement learning"}.get(done.name, "Distillation"))
    yield from _scalars(done.facts)
    series = _series(done.facts)
    if series and image is not None:
        yield ""
        rows = ((name, value[0], value[-1], min(value), max(value)) for name, value in series.items())
        yield from _table(("from step to step", "first", "last", "least", "most"), rows)
        yield ""
        yield f"![Curves]({image})"


def _scalars(facts: Mapping[str, Any]) -> Iterator[str]:
    rows = ((name.replace("_", " "), value) for name, value in facts.items() if isinstance(value, int | float | str))
    yield from _table(("", "value"), rows)


def _costs(outcome: Outcome) -> Iterator[str]:
    yield from _section("Costs")
    rows = [(f"`{done.name}`", *done.costs, done.facts.get("tokens_written")) for done in outcome.stages]
    total = [sum(costs) for costs in zip(*(done.costs for done in outcome.stages), strict=True)]
    heads = ("stage", "seconds", "seconds of processors", "tokens written")
    yield from _table(heads, [*rows, ("all", *total, None)])
    yield ""
    yield "Stages that were kept from an earlier run cost what they did then."
