"""The gates of curation, in the order in which runs pass them, and the count of those that fall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from statistics import fmean
from typing import Any, NamedTuple

from attrs import frozen

from cwktrain.curation.conversations import (
    calls_of,
    has_exchange,
    has_readable_calls,
    length,
    normalised_prefix,
    recovers,
    training_messages,
)
from cwktrain.curation.options import Options
from cwktrain.runs import RunRecord
from cwktrain.split import is_held_out

UNSOLVABLE, KEEP, TRIVIAL = "UNSOLVABLE", "KEEP", "TRIVIAL"


@frozen(eq=False)
class Candidate:
    """A run on its way, and the conversation that it would become."""

    run: RunRecord
    messages: list[dict[str, Any]]
    is_recovery: bool


class Gate(NamedTuple):
    """`fell`: the runs that did not pass."""

    name: str
    came: int
    fell: int


Candidates = list[Candidate]


@frozen(eq=False)
class Curated:
    """`classes`: by task, UNSOLVABLE, KEEP or TRIVIAL."""

    kept: tuple[Candidate, ...]
    gates: tuple[Gate, ...]
    classes: Mapping[str, str]


def curate(runs: Iterable[RunRecord], supersedes: Mapping[str, str], options: Options) -> Curated:
    """What is left of the runs, in their order. `supersedes`: by collection, the one that it replaces."""
    gates: list[Gate] = []

    def through(name: str, came: Candidates, keep: Callable[[Candidates], Candidates]) -> Candidates:
        left = keep(came)
        gates.append(Gate(name, len(came), len(came) - len(left)))
        return left

    left = [_candidate(run, options) for run in runs]
    left = through("held out", left, _each(lambda each: not is_held_out(each.run.task.family, options.held_out)))
    left = through("superseded", left, lambda came: _not_superseded(came, supersedes))
    left = through("invalid", left, _each(lambda each: each.run.status != "invalid"))
    left = through("unscored", left, _each(lambda each: each.run.status != "unscored"))
    left = through("same task and trial", left, _distinct)
    classes = classify(left, options)
    left = through("task unsolvable", left, _each(lambda each: classes[_task(each)] != UNSOLVABLE))
    left = through("below the threshold", left, _each(lambda each: _is_good(each.run, options)))
    for name, test in _conversation_gates(options):
        left = through(name, left, _each(test))
    left = through("task trivial", left, lambda came: _one_of_trivial(came, classes, options))
    left = through("not the best of a dialogue", left, lambda came: _best_of_dialogues(came, options))
    return Curated(tuple(left), tuple(gates), classes)


def _candidate(run: RunRecord, options: Options) -> Candidate:
    return Candidate(run, training_messages(run.messages, options.longest_observation), recovers(run.messages))


def _each(test: Callable[[Candidate], bool]) -> Callable[[Candidates], Candidates]:
    return lambda came: [each for each in came if test(each)]


def _task(candidate: Candidate) -> str:
    return candidate.run.task.id


def _is_good(run: RunRecord, options: Options) -> bool:
    return run.reward >= options.threshold_of(run.task.category)


def _exempt(candidate: Candidate, options: Options) -> bool:
    """Whether a run is kept for its recovery where the gate would lose it."""
    return options.keep_recoveries and candidate.is_recovery


# ---------------------------------------------------------------------------- gates over single runs


def _conversation_gates(options: Options) -> tuple[tuple[str, Callable[[Candidate], bool]], ...]:
    return (
        ("shown files", lambda each: not each.run.attachments),
        ("no exchange", lambda each: has_exchange(each.messages)),
        ("too few messages", lambda each: len(each.messages) >= options.fewest_messages),
        (
            "too many calls",
            lambda each: len(calls_of(each.messages)) <= options.most_calls or _exempt(each, options),
        ),
        ("unreadable call", lambda each: has_readable_calls(each.messages)),
        ("too long", lambda each: length(each.messages) <= options.longest_run),
    )


# ---------------------------------------------------------------------------- gates over groups of runs


def _not_superseded(came: Candidates, supersedes: Mapping[str, str]) -> Candidates:
    """Without the runs of a task in a collection, where one that replaces it has runs of that task."""
    replaced = {(supersedes[each.run.collection], _task(each)) for each in came if each.run.collection in supersedes}
    return [each for each in came if (each.run.collection, _task(each)) not in replaced]


def _distinct(came: Candidates) -> Candidates:
    """The last run of each agent's trial of a task."""
    last = {(each.run.agent, _task(each), each.run.seed): each for each in came}
    chosen = {id(each) for each in last.values()}
    return [each for each in came if id(each) in chosen]


def classify(runs: Iterable[Candidate], options: Options) -> dict[str, str]:
    """By task: UNSOLVABLE, KEEP or TRIVIAL, by the mean completion of its runs, which are all scored."""
    completions: dict[str, list[float]] = defaultdict(list)
    for each in runs:
        completions[_task(each)].append(each.run.completion)
    return {task: _class(fmean(values), options) for task, values in completions.items()}


def _class(mean: float, options: Options) -> str:
    if mean <= options.unsolvable:
        return UNSOLVABLE
    return TRIVIAL if mean >= options.trivial else KEEP


def _one_of_trivial(came: Candidates, classes: Mapping[str, str], options: Options) -> Candidates:
    """The first run of each mould of trivial tasks, and all runs of the other tasks."""
    seen: set[str] = set()
    left = []
    for each in came:
        if classes[_task(each)] == TRIVIAL and not _exempt(each, options):
            prefix = normalised_prefix(each.messages[0]["content"], options.prefix_length)
            if prefix in seen:
                continue
            seen.add(prefix)
        left.append(each)
    return left


def _best_of_dialogues(came: Candidates, options: Options) -> Candidates:
    """Of the runs of a task with a simulated user the one with the best reward, the first of equals."""
    best: dict[str, Candidate] = {}
    for each in came:
        if each.run.task.dialogue and (_task(each) not in best or each.run.reward > best[_task(each)].run.reward):
            best[_task(each)] = each
    return [each for each in came if not each.run.task.dialogue or best[_task(each)] is each or _exempt(each, options)]
