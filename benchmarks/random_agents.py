"""Random agents in the environments of the examples, and the laws that hold whatever an agent does.

    python benchmarks/random_agents.py [CALLS] [SEED]

Some calls are sensible: arguments drawn from the tools' schemas, ids of records that exist. The others are broken:
wrong types, arguments left out or made up, numbers and texts too big, nesting too deep, no object at all, tools that
do not exist. After each call and each episode these are checked:

- a call raises nothing, answers JSON, and is never an internal error;
- what a call changed is what the log says that it wrote; a refused call changed nothing, and between calls nothing
  changes, though the run is scored and exported in between;
- what changed when a turn ended is what the log says that events wrote;
- the exported run, replayed, gives the same state, log, score and export.

Prints how many calls were made, how fast, and what became of them. The first law that does not hold ends it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from coworkdsl import Environment, Pack, export_run, replay_run
from coworkdsl.script import NO_SCRIPT
from coworkdsl.task import OfferedTool
from coworkdsl.world import View, Write

EXAMPLES = Path(__file__).parent.parent / "examples"
CALLS, SEED = 100_000, 1
LONGEST_EPISODE = 40
BROKEN = 0.4
"""How many of the calls are."""

State = dict[str, dict[str, Any]]
Schema = Mapping[str, Any]


@dataclass
class Counts:
    """What was done. `seconds` are those spent in calls."""

    made: int = 0
    episodes: int = 0
    writes: int = 0
    seconds: float = 0.0
    answers: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    offered: set[str] = field(default_factory=set)


# ---------------------------------------------------------------------------- sensible calls

WORDS = (
    "scanner",
    "Norda",
    "critical",
    "TK-301",
    "72",
    "ß",
    "İ",
    "日本",
    "a\tb\nc",
    "0 9 * * 1",
    "09:30",
    "",
    " ",
    "(",
    "\\",
    "%s",
    "'",
    '"',
    "\x00",
)
FORMATS: Mapping[str, tuple[str, ...]] = {
    "date": ("2026-03-14", "2024-02-29", "0001-01-01", "9999-12-31"),
    "date-time": (
        "2026-03-14T09:00:00Z",
        "2026-03-14T09:00:00+05:30",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59-12:00",
    ),
    "duration": ("PT48H", "P3D", "-PT1S", "PT0S", "P999999999D"),
    "email": ("ines@ourco.test", "INES@OURCO.TEST", "a@b.test"),
    "uri": ("https://ourco.test/a?b#c", "x://y"),
}
NUMBERS = (0, 1, 2, 3, 5, 50, -1, 2**53 - 1, 1 - 2**53)


def sensible(tool: OfferedTool, schema: Schema, state: View, random: Random) -> dict[str, Any]:
    """Arguments that keep to the schema, ids of records that exist among them."""
    arguments = {}
    for name, each in schema["properties"].items():
        if name in schema["required"] or random.random() < 0.4:
            record = tool.signature.references.get(name)
            ids = [id for store in state.layout.homes[record] for id, _ in state.rows(store)] if record else []
            arguments[name] = value_of(each, ids, random)
    return arguments


def value_of(schema: Schema, ids: list[str], random: Random) -> Any:
    if "enum" in schema:
        return random.choice(schema["enum"])
    kind = random.choice(schema["type"] if isinstance(schema["type"], list) else [schema["type"]])
    if kind == "array":
        return [value_of(schema["items"], ids, random) for _ in range(random.randrange(4))]
    if kind == "string":
        return text_of(schema, ids, random)
    return {
        "null": None,
        "boolean": random.random() < 0.5,
        "integer": random.choice(NUMBERS),
        "number": random.choice((random.choice(NUMBERS), random.uniform(-1e3, 1e3), 1e-300)),
    }[kind]


def text_of(schema: Schema, ids: list[str], random: Random) -> str:
    if "format" in schema:
        return random.choice(FORMATS[schema["format"]])
    if ids and random.random() < 0.95:
        return random.choice(ids)
    return " ".join(random.choices(WORDS, k=random.randrange(1, 4)))


# ---------------------------------------------------------------------------- broken calls


def held_by_itself() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = [value]
    return value


PLAIN_JUNK = (
    *(None, True, -1, 1.5, 10**400, float("nan"), float("inf"), "", "x", "\ud800", "\x00", "null", "{}", "9" * 5_000),
    *(b"x", ("a",), object(), frozenset({1})),
)
MADE_JUNK: tuple[Callable[[], Any], ...] = (
    list,
    dict,
    held_by_itself,
    lambda: [[None]],
    lambda: {"a": {"b": []}},
    lambda: {1: 2},
    lambda: nested(50),
    lambda: nested(20_000),
    lambda: "x" * 100_001,
    lambda: ["x"] * 10_001,
)


def junk(random: Random) -> Any:
    return random.choice(PLAIN_JUNK) if random.random() < 0.5 else random.choice(MADE_JUNK)()


def wrong_value(arguments: dict[str, Any], random: Random) -> Any:
    if not arguments:
        return {"nothing": junk(random)}
    return arguments | {random.choice([*arguments]): junk(random)}


def one_left_out(arguments: dict[str, Any], random: Random) -> Any:
    left_out = random.choice([*arguments, ""])
    return {name: value for name, value in arguments.items() if name != left_out}


def one_too_many(arguments: dict[str, Any], random: Random) -> Any:
    return arguments | {random.choice(("extra", "", "self", "w", "\ud800", 3, None)): junk(random)}


def no_object(arguments: dict[str, Any], random: Random) -> Any:
    return random.choice((junk(random), "[" * 100_000, '{"a":' * 50_000, "x" * 2_000_001))


def as_text(arguments: dict[str, Any], random: Random) -> Any:
    """The arguments as chat formats carry them, sometimes damaged."""
    text = json.dumps(arguments)
    return text if random.random() < 0.5 else text[: random.randrange(len(text))]


BREAKING = (wrong_value, wrong_value, one_left_out, one_too_many, no_object, as_text)
NO_TOOLS: tuple[Any, ...] = ("", "helpdesk", "helpdesk.get_ticket", "__init__", "\ud800", "x" * 10_000, None, 3, (), [])


def next_call(environment: Environment, schemas: Mapping[str, Schema], random: Random) -> tuple[Any, Any]:
    """A tool's name and arguments for it."""
    name = random.choice([*schemas])
    arguments = sensible(environment.task.offered[name], schemas[name], environment.trace.final, random)
    if random.random() >= BROKEN:
        return name, arguments
    if random.random() < 0.05:
        return random.choice(NO_TOOLS), arguments
    return name, random.choice(BREAKING)(arguments, random)


# ---------------------------------------------------------------------------- the laws


def state_of(view: View) -> State:
    """Every store's rows in order. The rows are never changed, so that they need no copy."""
    return {store: dict(view.rows(store)) for store in view.layout.stores}


def same(one: State, other: State) -> bool:
    """The same rows in the same order."""
    return one == other and all(list(one[store]) == list(other[store]) for store in one)


def explained(before: State, writes: tuple[Write, ...]) -> State:
    """The state after the writes, by what they say; each must fit the state that it finds."""
    state = {store: dict(rows) for store, rows in before.items()}
    for write in writes:
        rows = state[write.store]
        assert rows.get(write.id) == write.before, write
        if write.after is None:
            del rows[write.id]
            continue
        if write.before is not None:
            changed = {name for name in write.after if write.after[name] != write.before[name]}
            assert changed <= {*write.fields}, write
        rows[write.id] = write.after
    return state


def checked_call(environment: Environment, tool: Any, arguments: Any, counts: Counts) -> None:
    """Makes the call and checks what it did."""
    before, written, index = (
        state_of(environment.trace.final),
        len(environment.trace.writes),
        len(environment.trace.calls),
    )
    start = perf_counter()
    result = environment.call(tool, arguments)
    counts.seconds += perf_counter() - start
    json.dumps(result, allow_nan=False).encode()
    run = environment.trace
    logged = run.writes[written:]
    writes = tuple(write for write in logged if not write.event)
    answer = result["error"]["code"] if isinstance(result.get("error"), dict) else "accepted"
    assert not environment.defects, (tool, arguments, environment.defects)
    assert all(write.call == index for write in logged), (tool, arguments)
    assert answer == "accepted" or not writes, (tool, arguments)
    assert same(explained(before, logged), state_of(run.final)), (tool, arguments)
    counts.made += 1
    counts.writes += len(writes)
    counts.answers[answer] += 1
    if answer == "accepted":
        counts.accepted[run.calls[-1].tool] += 1


def checked_say(environment: Environment, text: str) -> None:
    """Ends a turn and checks what happened then."""
    before, written = state_of(environment.trace.final), len(environment.trace.writes)
    environment.begin_turn()
    environment.say(text)
    run = environment.trace
    assert all(write.event and write.call == len(run.calls) - 1 for write in run.writes[written:])
    assert same(explained(before, run.writes[written:]), state_of(run.final))


def check_replay(pack: Pack, environment: Environment) -> None:
    """The run as it was written gives the same run."""
    state = state_of(environment.trace.final)
    document = export_run(environment)
    assert same(state_of(environment.trace.final), state), "scoring changed the state"
    again = replay_run(pack, json.loads(json.dumps(document)))
    assert same(state_of(again.trace.final), state)
    assert again.trace.writes == environment.trace.writes
    assert again.trace.said == environment.trace.said
    assert (again.trace.told, again.trace.fired) == (environment.trace.told, environment.trace.fired)
    assert export_run(again) == document


# ---------------------------------------------------------------------------- playing


def play(pack: Pack, task: str, random: Random, calls: int, counts: Counts) -> None:
    """One episode of at most so many calls, the last of them mostly after its end.

    Raises AssertionError when a law does not hold.
    """
    environment = pack.env(task, random.randrange(100))
    functions = [tool["function"] for tool in environment.tools]
    schemas = {function["name"]: function["parameters"] for function in functions}
    counts.offered.update(tool.name for tool in environment.task.offered.values())
    last = counts.made + calls - 1
    for tool, arguments in begun_well(environment, random):
        if counts.made < last:
            take_turn(environment, random)
            checked_call(environment, tool, arguments, counts)
    while counts.made < last and not environment.done:
        take_turn(environment, random)
        for _ in range(random.randrange(1, 4)):
            if counts.made < last:
                checked_call(environment, *next_call(environment, schemas, random), counts)
        if environment.task.script is not NO_SCRIPT and random.random() < 0.5:
            checked_say(environment, text_of({}, [], random) + random.choice(("", "?", "\nWhich one?")))
    if random.random() < 0.8:
        environment.begin_turn()
        checked_say(environment, text_of({}, [], random))
        environment.begin_turn()  # somebody may have answered
    if random.random() < 0.5:
        environment.finish()
    checked_call(environment, *next_call(environment, schemas, random), counts)
    counts.episodes += 1
    check_replay(pack, environment)


def begun_well(environment: Environment, random: Random) -> Iterator[tuple[str, Any]]:
    """Some of the witness's calls, so that checks are met too."""
    steps = [step for step in environment.task.proof["witness"] or () if "call" in step]
    for step in steps[: random.randrange(len(steps) + 1)]:
        yield step["call"], step["arguments"]


def take_turn(environment: Environment, random: Random) -> None:
    """Begins a message, now and then with words, or after looking at the score."""
    environment.begin_turn()
    if random.random() < 0.1:
        environment.say(text_of({}, [], random) + ".", end_turn=False)
    if random.random() < 0.02:
        environment.score().to_json()


def play_all(packs: list[Pack], calls: int, seed: int) -> Counts:
    """Episodes of all tasks in turn, until so many calls were made."""
    random = Random(seed)
    counts = Counts()
    for pack, task in cycle([(each, task) for each in packs for task in each.tasks]):
        if counts.made == calls:
            break
        play(pack, task, random, min(random.randrange(1, LONGEST_EPISODE), calls - counts.made), counts)
    return counts


def main(calls: int = CALLS, seed: int = SEED) -> None:
    from cwkc import driver

    files = driver.build(sorted(EXAMPLES.rglob("*.cwk"))).files
    assert files is not None, "the examples do not build"
    start = perf_counter()
    counts = play_all([Pack.from_files(files)], calls, seed)
    seconds = perf_counter() - start
    print(f"{counts.made} calls in {counts.episodes} episodes, {counts.writes} writes, seed {seed}")
    print(f"{counts.made / counts.seconds:.0f} calls/s, with every check {counts.made / seconds:.0f} calls/s")
    for answer, number in counts.answers.most_common():
        print(f"{number:>8}  {answer}")
    never = sorted(counts.offered - {*counts.accepted})
    print(f"{len(counts.offered)} tools, accepted of each at least once but: {', '.join(never) or 'none'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
