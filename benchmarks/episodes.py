"""Episodes per second of the witness over a thousand environments on two cores, beside a hand-written environment.

    python benchmarks/episodes.py

The tasks are those of `training/demo`, a hundred of each family. Three loops over the same tasks and steps, in two
processes each, in turns: the hand-written environment, which checks arguments inline, logs its writes and grades; the
pack's, whose episodes are scored; and `roll_out`, which keeps each run whole in a store. Figures are medians of several
rounds, with workers that are warm: ratios are what to compare. What rolling out costs a step, over and above the bare
loop, is its overhead without any model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from coworkdsl import Pack
from coworkdsl.witness import perform_witness, witness_steps
from cwkc import driver
from cwkc.folder import write_pack
from cwkc.meaning.families import Sampling
from cwktrain.episodes import Setup
from cwktrain.rollouts import Plan, roll_out
from cwktrain.store import RunStore
from cwktrain.tasks import digest

SOURCE = Path(__file__).resolve().parents[1] / "training" / "demo" / "office.cwk"
MEMBERS = 100
CORES = 2
CHUNK = 50
ROUNDS = 5

# ---------------------------------------------------------------------------- the floor

PRIORITIES = frozenset(("low", "normal", "high", "urgent"))


class Floor:
    """The same tasks by hand: records as they go over the wire, copied when they are written or returned."""

    __slots__ = ("found", "goal", "log", "messages", "tickets")

    def __init__(self, tickets: dict[str, dict[str, Any]], goal: tuple[str, str, str]) -> None:
        self.tickets = {id: dict(ticket) for id, ticket in tickets.items()}
        self.goal = goal
        self.found = False
        self.log: list[tuple[str, str]] = []
        self.messages: list[dict[str, Any]] = []

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = self._find(arguments) if tool == "desk_find" else self._change(tool, arguments)
        self.messages.append({"call": tool, "arguments": dict(arguments), "result": result})
        return result

    def _find(self, arguments: dict[str, Any]) -> dict[str, Any]:
        word = arguments.get("word")
        if not isinstance(word, str) or len(arguments) != 1:
            return {"error": "invalid"}
        items = [{"id": id, **each} for id, each in self.tickets.items() if word in each["subject"]]
        self.found = self.found or self.goal[0] in [each["id"] for each in items]
        return {"items": items, "total": len(items)}

    def _change(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        field = "priority" if tool == "desk_prioritise" else "owner"
        number, value = arguments.get("number"), arguments.get(field)
        if not isinstance(number, int) or not isinstance(value, str) or len(arguments) != 2:
            return {"error": "invalid"}
        if field == "priority" and value not in PRIORITIES:
            return {"error": "invalid"}
        for id, ticket in self.tickets.items():
            if ticket["number"] == number:
                ticket[field] = value
                self.log.append((id, field))
                return {"id": id, **ticket}
        return {"error": "not_found"}

    def grade(self) -> float:
        id, field, value = self.goal
        completion: float = 0.3 * self.found + 0.7 * (self.tickets[id][field] == value)
        return completion * all(entry == (id, field) for entry in self.log)


# ---------------------------------------------------------------------------- in the workers


@cache
def opened(folder: Path) -> Pack:
    return Pack.open(folder)


@cache
def floor_of(folder: Path, task: str) -> tuple[dict[str, dict[str, Any]], tuple[str, str, str], Sequence[Any]]:
    """The tickets, the ticket, field and value that the witness leaves behind, and its steps."""
    env = opened(folder).env(task)
    tickets = {id: dict(ticket) for id, ticket in records(env)}
    steps = witness_steps(env.task)
    change = steps[-1]
    field = "priority" if change["call"] == "desk_prioritise" else "owner"
    arguments = change["arguments"]
    (id,) = (id for id, ticket in tickets.items() if ticket["number"] == arguments["number"])
    return tickets, (id, field, arguments[field]), steps


def records(env: Any) -> Iterable[tuple[str, dict[str, Any]]]:
    for item in env.call("desk_find", {"word": ""})["items"]:
        yield item["id"], {"number": item["number"], "subject": item["subject"], "priority": "normal", "owner": ""}


def play_floor(folder: Path, tasks: Sequence[str]) -> float:
    total = 0.0
    for task in tasks:
        tickets, goal, steps = floor_of(folder, task)
        env = Floor(tickets, goal)
        for step in steps:
            env.call(step["call"], step["arguments"])
        total += env.grade()
    return total


def play_pack(folder: Path, tasks: Sequence[str]) -> float:
    total = 0.0
    for task in tasks:
        env = opened(folder).env(task)
        perform_witness(env)
        total += env.score().reward or 0.0
    return total


# ---------------------------------------------------------------------------- measuring


def built(folder: Path) -> tuple[str, ...]:
    files = driver.build([SOURCE], sampling=Sampling(MEMBERS, 0)).files
    assert files is not None
    write_pack(files, folder)
    return tuple(Pack.open(folder).tasks)


def looped(
    play: Callable[[Path, Sequence[str]], float], folder: Path, tasks: Sequence[str], pool: ProcessPoolExecutor
) -> float:
    """Seconds of a round over all tasks, each of which must earn everything."""
    chunks = [tasks[start : start + CHUNK] for start in range(0, len(tasks), CHUNK)]
    start = perf_counter()
    earned = sum(pool.map(play, [folder] * len(chunks), chunks))
    seconds = perf_counter() - start
    assert abs(earned - len(tasks)) < 1e-6
    return seconds


def rolled(folder: Path, tasks: Sequence[str], trials: int, store: Path) -> float:
    plan = Plan(Setup(folder, digest(folder), "witness"), tuple(tasks), trials, jobs=CORES)
    start = perf_counter()
    with RunStore(store) as runs:
        ended = roll_out(plan, runs, lambda run: None)
    seconds = perf_counter() - start
    assert ended["scored"] == len(tasks) * trials
    return seconds


def main() -> None:
    with TemporaryDirectory() as name:
        folder, numbers = Path(name) / "pack", count()
        tasks = built(folder)
        steps = sum(len(witness_steps(Pack.open(folder).task(task))) for task in tasks)

        def rollout() -> float:
            """Seconds of a round, without the start of the processes: a second round costs no start."""
            once, twice = (rolled(folder, tasks, trials, Path(name) / f"{next(numbers)}.sqlite") for trials in (1, 2))
            return twice - once

        with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
            loops = {"floor": play_floor, "pack": play_pack}
            for play in loops.values():
                looped(play, folder, tasks, pool)
            rounds = [
                [*(looped(play, folder, tasks, pool) for play in loops.values()), rollout()] for _ in range(ROUNDS)
            ]
        report(len(tasks), steps, [median(column) for column in zip(*rounds, strict=True)])


def report(episodes: int, steps: int, seconds: Sequence[float]) -> None:
    print(f"{episodes} environments, {steps} calls, {CORES} processes")
    print(f"{'':26}{'episodes/s':>12}{'ratio':>8}{'µs a call':>12}")
    for name, spent in zip(("hand-written", "pack", "rollout, kept in a store"), seconds, strict=True):
        print(f"{name:26}{episodes / spent:12.0f}{spent / seconds[0]:8.1f}{spent * CORES / steps * 1e6:12.1f}")
    overhead = (seconds[2] - seconds[1]) * CORES / steps * 1e6
    times = seconds[2] / seconds[1]
    print(f"rolling out adds {overhead:.0f} µs of a core to each call: {times:.1f} times the bare loop")


if __name__ == "__main__":
    main()
