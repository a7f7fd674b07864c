"""What a pack says of each task, part by part, in words that can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from coworkdsl import PackError
from coworkdsl.families import HOLE, is_hole
from coworkdsl.files import Files
from cwkc.differences.modules import code, rules, truths

Parts = Mapping[str, Mapping[str, str]]
"""Of a task: part, name in the part, and what is said there, which repeats the name where it is to be read."""

Subject = tuple[str, str]
"""`task` or `family`, and its name."""

_FACTS = ("title", "category", "scenario", "difficulty", "language", "capabilities")


def parts_of(files: Files) -> dict[Subject, Parts]:
    """The parts of each task and family of a pack. Raises PackError when the pack is damaged."""
    index = files.document("pack.json", {"tasks": list})
    try:
        tasks = {("task", entry["id"]): _parts(files, f"tasks/{entry['id']}", entry, {}) for entry in index["tasks"]}
        return tasks | {("family", entry["id"]): _family(files, entry) for entry in index.get("families", ())}
    except (SyntaxError, LookupError, TypeError, AttributeError) as error:  # no pack that a build wrote is such
        raise PackError(f"it says something else than a pack: {type(error).__name__}: {error}") from error


def _family(files: Files, entry: Mapping[str, Any]) -> Parts:
    """The parts of the first member, its parameters, and how many members there are. The values of the others are a
    digest: there may be thousands."""
    folder = f"families/{entry['id']}"
    family = files.document(f"{folder}/family.json", {"parameters": list, "first": dict})
    rows = files.text(f"{folder}/members.jsonl")
    parameters = {each["name"]: f"{each['type']}, {each['values']} values" for each in family["parameters"]}
    members = {"built": f"{entry['members']} of {entry['size']}", "values": sha256(rows.encode()).hexdigest()[:12]}
    shared = _parts(files, folder, entry, family["first"])
    return {"parameters": _named(parameters), "members": _named(members), **shared}


def _parts(files: Files, folder: str, entry: Mapping[str, Any], first: Mapping[str, Any]) -> Parts:
    """`first`: the values of a family's first member, which stand in the holes."""
    task = files.document(f"{folder}/task.json", {"request": object, "tools": list, "limits": dict, "services": list})
    world = files.document(f"{folder}/world.json", {"rows": dict, "now": object})
    world = _filled(world, first.get("world", {}))
    proof = files.document(f"{folder}/proof.json", {"theorems": list})
    grader = files.text(f"{folder}/grader.py")
    return {
        "about": _named({**{fact: entry.get(fact) for fact in _FACTS}, "now": world["now"]}),
        "request": {"": _filled(task["request"], first)},
        "limits": _named(task["limits"]),
        "assets": _named({asset["name"]: asset["sha256"] for asset in task.get("assets", ())}),
        "tools": dict(_tools(task["tools"])),
        "services": {name: f"{name}: {_digest(files.text(f'services/{name}.py'))}" for name in task["services"]},
        "records": dict(_records(world["rows"])),
        "user and events": _user(files, f"{folder}/user.py"),
        "faults": _faults(files, f"{folder}/faults.json"),
        "truths": truths(grader, first.get("grading", {})),
        **rules(grader),
        "theorems": _named({theorem["name"]: theorem["verdict"] for theorem in proof["theorems"]}),
        "witness": {"": "\n".join(map(_step, proof.get("witness") or ()))},
    }


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """A JSON value with the values of its holes."""
    if is_hole(value):
        return values[value[HOLE]]
    return {name: _filled(each, values) for name, each in value.items()} if isinstance(value, dict) else value


def _named(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: f"{name}: {_text(value)}" for name, value in values.items()}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tools(tools: list[Any]) -> Iterator[tuple[str, str]]:
    """Each tool with its description, and each of its parameters with its schema."""
    for tool in tools:
        function = tool["function"]
        name, parameters = function["name"], function["parameters"]
        yield name, f"{name}: {function.get('description', '')}"
        for parameter, schema in parameters["properties"].items():
            needed = "" if parameter in parameters["required"] else "?"
            yield f"{name}.{parameter}", f"{name}({parameter}{needed}): {_text(schema)}"


def _digest(module: str) -> str:
    return sha256(code(module).encode()).hexdigest()[:12]


def _records(rows: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[tuple[str, str]]:
    """Each record, and each of its fields that has not its default."""
    for store, records in rows.items():
        for id, fields in records.items():
            yield f"{store} {id}", f"{store} @{id}"
            for field, value in fields.items():
                yield f"{store} {id} {field}", f"{store} @{id} {field}: {_text(value)}"


def _user(files: Files, path: str) -> dict[str, str]:
    return {"": code(files.text(path))} if files.has(path) else {}


def _faults(files: Files, path: str) -> dict[str, str]:
    if not files.has(path):
        return {}
    faults = files.document(path, {"faults": list})["faults"]
    return {f"{number}": _text(fault) for number, fault in enumerate(faults)}


def _step(step: Mapping[str, Any]) -> str:
    if "call" in step:
        return f"{step['call']} {_text(step['arguments'])}"
    return f"says {json.dumps(step['say'], ensure_ascii=False)}"
