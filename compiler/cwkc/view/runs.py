"""A run as a timeline, and its score explained."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import frozen

from coworkdsl import Environment, Pack, Run, RunError, Task, export_run, replay
from cwkc.view.changes import change
from cwkc.view.grading import Grading, Limit, Share
from cwkc.view.words import between, number, shown

QUANTITIES = ("completion", "safety", "robustness", "reward")


@frozen(eq=False)
class RecordedRun:
    """A run.json: `name` as the user gave it, and what it says."""

    name: str
    document: Mapping[str, Any]

    @property
    def task(self) -> str:
        task: str = self.document["task"]
        return task


def read_run(path: Path, pack: Pack) -> RecordedRun:
    """Raises RunError when the file holds no run of a task of the pack."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise RunError(f"it cannot be read: {failure.strerror or failure}") from failure
    except (ValueError, RecursionError) as failure:
        raise RunError(f"it is not JSON: {failure}") from failure
    for error in _validator().iter_errors(document):
        raise RunError(f"{error.json_path}: {error.message:.200}")
    if document["task"] not in pack.tasks:
        raise RunError(f"the pack has no task `{document['task']}`")
    return RecordedRun(str(path), document)


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    schema = json.loads(files("coworkdsl").joinpath("schemas/run.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


# ---------------------------------------------------------------------------- timelines


@frozen
class Words:
    """Something that was said. `who`: a role of chat templates."""

    who: str
    text: str


@frozen
class Change:
    """What an event changed behind a call."""

    event: str
    change: str


@frozen
class Made:
    """A call: `number` counts from 0, as evidence does. `error`: the code of what went wrong, None where it was
    accepted. `changes`: what it wrote, and `events`: what events wrote behind it."""

    number: int
    tool: str
    arguments: str
    result: str
    error: str | None
    fault: str | None
    changes: tuple[str, ...]
    events: tuple[Change, ...]


Step = Words | Made


@frozen
class Timeline:
    """`before`: what events changed before the first call."""

    steps: tuple[Step, ...]
    before: tuple[Change, ...]

    @property
    def calls(self) -> int:
        return sum(isinstance(step, Made) for step in self.steps)


def _timeline(messages: Iterable[Mapping[str, Any]], run: Run) -> Timeline:
    """The recorded conversation; what its calls did to the records is known from `run`, a replay."""
    messages = list(messages)
    results = {each["tool_call_id"]: _text(each.get("content")) for each in messages if each["role"] == "tool"}
    return Timeline(tuple(_steps(messages, results, run)), _events(run, -1))


def _steps(messages: Iterable[Mapping[str, Any]], results: Mapping[str, str], run: Run) -> Iterator[Step]:
    index = 0
    for message in messages:
        text = _text(message.get("content"))
        if text and message["role"] != "tool":
            yield Words(message["role"], text)
        for call in message.get("tool_calls") or ():
            yield _made(index, call["function"], results.get(call["id"], ""), run)
            index += 1


def _made(index: int, function: Mapping[str, Any], result: str, run: Run) -> Made:
    changes = tuple(change(write) for write in run.writes_of(index))
    fault = run.calls[index].fault if index < len(run.calls) else None
    arguments = _indented(function.get("arguments"))
    return Made(
        index, function["name"], arguments, _indented(result), _error(result), fault, changes, _events(run, index)
    )


def _events(run: Run, call: int) -> tuple[Change, ...]:
    return tuple(Change(each.event, change(each)) for each in run.writes if each.call == call and each.event)


def _text(content: Any) -> str:
    """The text of a message, which may stand in parts."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content or ())


def _indented(value: Any) -> str:
    """JSON, or its text, as people read it; what is no JSON stays as it is."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    return json.dumps(value, ensure_ascii=False, indent=2)


def _error(result: str) -> str | None:
    try:
        document = json.loads(result)
    except (ValueError, RecursionError):
        return None
    error = document.get("error") if isinstance(document, dict) else None
    return str(error.get("code", "error")) if isinstance(error, dict) else None


# ---------------------------------------------------------------------------- scores


@frozen
class Earned:
    """What became of a check or a judge: `share` is None where the task has no such check any more, and `most` is more
    than `least` where a judge is unscored. `evidence`: label and value, or a judge's reason."""

    label: str
    share: Share | None
    least: Fraction
    most: Fraction
    state: str
    evidence: tuple[tuple[str, str], ...]

    @property
    def amount(self) -> str:
        return between(self.least, self.most)


@frozen
class Kept:
    """What became of a requirement or a forbid. `effect`: what it does to the score when it fails, in words."""

    label: str
    is_held: bool
    effect: str
    evidence: tuple[tuple[str, str], ...]


@frozen
class ScoreView:
    """`quantities`: of each, one number or the two that it lies between. `reward`: None where it is not known."""

    quantities: Mapping[str, str]
    reward: float | None
    earned: tuple[Earned, ...]
    requirements: tuple[Kept, ...]
    forbids: tuple[Kept, ...]

    @property
    def unscored(self) -> int:
        return sum(each.state == "unscored" for each in self.earned)


@frozen
class RunView:
    task: str
    seed: int
    timeline: Timeline
    score: ScoreView


Agent = Callable[[Environment], None]


def played(task: Task, agent: Agent, rules: Grading) -> RunView:
    """The run of an agent with the seed 0. Raises PackError."""
    environment = Environment(task)
    agent(environment)
    return _view(export_run(environment), environment, rules)


def recorded(task: Task, run: RecordedRun, rules: Grading) -> RunView:
    """A recorded run, with the score that was recorded, or else with that of a replay.

    Raises PackError and RunError.
    """
    environment = Environment(task, run.document.get("seed", 0))
    replay(environment, run.document["messages"])
    score = run.document.get("score") or environment.score().to_json()
    return _view({**run.document, "score": score}, environment, rules)


def _view(document: Mapping[str, Any], environment: Environment, rules: Grading) -> RunView:
    timeline = _timeline(document["messages"], environment.trace)
    return RunView(document["task"], document.get("seed", 0), timeline, _score(document["score"], rules))


def _score(score: Mapping[str, Any], rules: Grading) -> ScoreView:
    bounds = score.get("bounds", {"lower": score, "upper": score})
    quantities = {name: between(bounds["lower"][name], bounds["upper"][name]) for name in QUANTITIES}
    shares = {(share.is_judge, share.label): share for share in rules.shares}
    checks = (_checked(each, shares.get((False, each["label"]))) for each in score.get("checks", ()))
    judges = (_judged(each, shares.get((True, each["label"]))) for each in score.get("judges", ()))
    requirements = tuple(_kept(each, rules.requirements) for each in score.get("requirements", ()))
    forbids = tuple(_kept(each, rules.forbids) for each in score.get("forbids", ()))
    return ScoreView(quantities, score["reward"], (*checks, *judges), requirements, forbids)


def _checked(outcome: Mapping[str, Any], share: Share | None) -> Earned:
    earned = _fraction(outcome["earned"])
    state = "held" if outcome["held"] else "partly held" if earned else "failed"
    return Earned(outcome["label"], share, earned, earned, state, _evidence(outcome))


def _judged(judgement: Mapping[str, Any], share: Share | None) -> Earned:
    evidence = (("reason", judgement["reason"]),)
    if judgement["earned"] is None:
        most = _fraction(judgement["weight"])
        return Earned(judgement["label"], share, Fraction(0), most, "unscored", evidence)
    earned = _fraction(judgement["earned"])
    return Earned(judgement["label"], share, earned, earned, "judged", evidence)


def _fraction(value: float) -> Fraction:
    return Fraction(str(value))


def _kept(outcome: Mapping[str, Any], limits: Iterable[Limit]) -> Kept:
    """Of a rule that the task has no more, only the number that it left is known."""
    effects = {limit.label: limit.effect for limit in limits}
    effect = effects.get(outcome["label"], f"left {number(outcome['earned'])}")
    return Kept(outcome["label"], outcome["held"], effect, _evidence(outcome))


def _evidence(outcome: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((each["label"], shown(each["value"])) for each in outcome.get("evidence", ()))
