"""The data set on disk: rows as JSON lines, the funnel, and a card that says what is in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from cwktrain.curation.gates import KEEP, TRIVIAL, UNSOLVABLE, Candidate, Curated, Gate
from cwktrain.curation.options import Options
from cwktrain.folders import whole_folder

ROWS, FUNNEL, CARD = "train.jsonl", "funnel.json", "README.md"


class DatasetError(Exception):
    """A data set cannot be written; the message says why."""


def row_of(candidate: Candidate) -> dict[str, Any]:
    """The conversation with its `tools`, as JSON text for the same reason as arguments, and where it comes from."""
    run = candidate.run
    return {
        "messages": candidate.messages,
        "tools": json.dumps(run.tools, ensure_ascii=False),
        "task": run.task.id,
        "family": run.task.family,
        "seed": run.seed,
        "agent": run.agent,
        "reward": run.reward,
        "recovery": candidate.is_recovery,
        "pack": run.pack,
    }


def write_dataset(folder: Path, curated: Curated, options: Options) -> None:
    """Writes the folder whole or not at all. An older data set there is replaced; anything else raises DatasetError."""
    try:
        with whole_folder(folder, FUNNEL) as fresh:
            for name, text in _files(curated, options).items():
                (fresh / name).write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise DatasetError(f"{error}: it is no data set") from error


def _files(curated: Curated, options: Options) -> dict[str, str]:
    rows = "".join(f"{json.dumps(row_of(each))}\n" for each in curated.kept)
    funnel = {
        "gates": [gate._asdict() for gate in curated.gates],
        "kept": len(curated.kept),
        "classes": dict(curated.classes),
        "options": asdict(options),
    }
    return {ROWS: rows, FUNNEL: json.dumps(funnel, indent=2) + "\n", CARD: card(curated, options)}


# ---------------------------------------------------------------------------- for people


def funnel_lines(gates: Sequence[Gate], kept: int) -> Iterator[str]:
    """How many runs came to each gate and how many fell there."""
    width = max(len(gate.name) for gate in gates)
    yield f"{'gate':<{width}}  {'came':>6}  {'fell':>6}"
    for gate in gates:
        yield f"{gate.name:<{width}}  {gate.came:>6}  {gate.fell:>6}"
    yield f"{'kept':<{width}}  {kept:>6}"


def card(curated: Curated, options: Options) -> str:
    """The data set's card, in Markdown."""
    classes = Counter(curated.classes.values())
    agents = Counter(each.run.agent for each in curated.kept)
    packs = sorted({each.run.pack for each in curated.kept})
    sizes = ", ".join(f"{classes[name]} {name}" for name in (UNSOLVABLE, KEEP, TRIVIAL))
    recoveries = sum(each.is_recovery for each in curated.kept)
    return "\n".join(
        [
            "---",
            "configs:",
            "- config_name: default",
            f"  data_files: {ROWS}",
            "task_categories:",
            "- text-generation",
            "---",
            "",
            "# Conversations with tools",
            "",
            f"{len(curated.kept)} runs of {len({each.run.task.id for each in curated.kept})} tasks, each scored by its "
            f"task's grader; {recoveries} of them recover from a failed call.",
            "",
            "- `messages`: the conversation in TRL's tool format. The arguments of calls are JSON texts: parse them "
            "before rendering where a chat template takes objects only.",
            "- `tools`: the tools as JSON text.",
            "- `task`, `family`, `seed`, `agent`, `pack`: where a row comes from; the pack by its SHA-256.",
            "- `reward`, `recovery`: what the run earned, and whether it recovers from a failed call.",
            "",
            f"Runs by agent: {_counts(agents)}. Packs: {', '.join(f'`{pack}`' for pack in packs) or 'none'}.",
            "",
            f"Tasks by the mean completion of their runs: {sizes}.",
            "",
            f"Held out by family, and so not in here: a share of {options.held_out:g}.",
            "",
            "## Funnel",
            "",
            "| gate | came | fell |",
            "|---|---:|---:|",
            *(f"| {gate.name} | {gate.came} | {gate.fell} |" for gate in curated.gates),
            "",
            f"Options: `{json.dumps(asdict(options))}`",
            "",
        ]
    )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"`{name}` {count}" for name, count in counter.most_common()) or "none"
