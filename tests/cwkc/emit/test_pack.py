"""A pack's files: valid, readable, the same bytes each time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import coworkdsl
from coworkdsl import Pack
from cwkc import driver
from cwkc.emit import emit_pack
from cwkc.emit.pack import told
from cwkc.meaning import typed

from ..generators import program, task_of

ROOT = Path(__file__).parents[3]
EXAMPLES = [*sorted((ROOT / "examples").rglob("*.cwk")), ROOT / "tests" / "corpus" / "good" / "dialogue.cwk"]
SCHEMAS = Path(coworkdsl.__file__).parent / "schemas"
EMIT = (
    "import sys; from hashlib import sha256; from pathlib import Path\n"
    "from cwkc import driver; from cwkc.emit import emit_pack\n"
    "tasks = driver.understand([Path(path) for path in sys.argv[1:]])[0].tasks\n"
    "print(sha256(repr(sorted(emit_pack(tasks, {}).items())).encode()).hexdigest())"
)


@pytest.fixture(scope="module")
def tasks() -> tuple[typed.Task, ...]:
    return driver.understand(EXAMPLES)[0].tasks


@pytest.fixture(scope="module")
def files(tasks: tuple[typed.Task, ...]) -> dict[str, str]:
    return dict(emit_pack(tasks, {}))


def test_every_document_is_of_its_schema(files: dict[str, str]) -> None:
    for path, text in files.items():
        if path.endswith(".json"):
            schema = json.loads((SCHEMAS / f"{Path(path).stem}.schema.json").read_text(encoding="utf-8"))
            jsonschema.validate(json.loads(text), schema)
            assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"


def test_every_tool_schema_is_a_schema(files: dict[str, str], tasks: tuple[typed.Task, ...]) -> None:
    for task in tasks:
        for tool in json.loads(files[f"tasks/{task.name}/task.json"])["tools"]:
            jsonschema.Draft202012Validator.check_schema(tool["function"]["parameters"])


def test_the_index_names_and_counts(files: dict[str, str], tasks: tuple[typed.Task, ...]) -> None:
    index = json.loads(files["pack.json"])
    assert [(entry["id"], entry["title"]) for entry in index["tasks"]] == [(task.name, task.title) for task in tasks]
    for entry, task in zip(index["tasks"], tasks, strict=True):
        counted = (task.rows, task.tools, task.checks, task.judges, task.requirements, task.forbids)
        assert tuple(entry["counts"].values()) == tuple(map(len, counted))
    modules = {path for path in files if path.startswith("services/")}
    assert {f"services/{name}.py" for name in index["services"]} == modules


def test_the_initial_world_is_the_typed_one(files: dict[str, str], tasks: tuple[typed.Task, ...]) -> None:
    pack = Pack.from_files(files)
    for task in tasks:
        world = pack.task(task.name).base.view()
        assert world.now == task.now
        rows = {(store, id): dict(record) for store in task.stores for id, record in world.rows(store)}
        assert rows == {(row.store, row.id): dict(row.fields) for row in task.rows}


def test_the_same_sources_give_the_same_bytes_wherever_they_lie(tmp_path: Path) -> None:
    copies = [tmp_path / example.name for example in EXAMPLES[:3]]
    for example, copy in zip(EXAMPLES, copies, strict=False):
        copy.write_bytes(example.read_bytes())
    digests = {
        subprocess.run(
            [sys.executable, "-c", EMIT, *map(str, paths)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed, paths in zip("12", (EXAMPLES[:3], copies), strict=True)
    }
    assert len(digests) == 1


def test_emitted_code_is_fit_to_be_read(files: dict[str, str], tmp_path: Path) -> None:
    for path, text in files.items():
        if path.endswith(".py"):
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
            assert max(map(len, text.splitlines())) <= 120, path
    rules = ["--isolated", "--no-cache", "--line-length=120", "--select=E,F,I,PIE,SIM,UP,W"]
    ruff = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *rules, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ruff.returncode == 0, ruff.stdout


def test_policies_stand_below_the_request() -> None:
    task = task_of(program('check 1 "a" answer contains "a"  policy "Drop nothing." forbid "drops" tried desk.drop'))
    assert told(task) == "Tidy the desk.\n\nDrop nothing."


def test_a_proof_is_kept_beside_its_task(tasks: tuple[typed.Task, ...]) -> None:
    proof: dict[str, Any] = {"format": 1, "theorems": [], "witness": None, "allowed": []}
    files = emit_pack(tasks[:1], {tasks[0].name: proof})
    assert json.loads(files[f"tasks/{tasks[0].name}/proof.json"]) == proof
