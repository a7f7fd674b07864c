"""The rooms have one direction: what stands lower imports nothing of what stands higher."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"coworkdsl": ROOT, "cwkc": ROOT / "compiler", "cwktrain": ROOT / "training"}

BASE = {"cwkc", "coworkdsl", "cwkc.source", "cwkc.diagnostics", "cwkc.resources"}
MEANING = BASE | {"cwkc.syntax", "cwkc.meaning"}
COMPILER = MEANING | {"cwkc.flow", "cwkc.prove", "cwkc.emit", "cwkc.rehearse"}
MAY_IMPORT: dict[str, set[str]] = {
    "coworkdsl": set(),
    "cwkc": set(),
    "cwkc.source": set(),
    "cwkc.resources": set(),
    "cwkc.dump": set(),
    "cwkc.cache": BASE,
    "cwkc.folder": {"coworkdsl"},
    "cwkc.inputs": BASE | {"cwkc.syntax"},
    "cwkc.keys": MEANING | {"cwkc.cache"},
    "cwkc.workshop": COMPILER | {"cwkc.cache", "cwkc.workers"},
    "cwkc.workers": {"cwkc", "coworkdsl", "cwkc.workshop"},
    "cwkc.diagnostics": {"cwkc.source"},
    "cwkc.syntax": BASE,
    "cwkc.meaning": BASE | {"cwkc.syntax"},
    "cwkc.prove": MEANING,
    "cwkc.flow": MEANING | {"cwkc.prove"},
    "cwkc.emit": MEANING,
    "cwkc.rehearse": MEANING | {"cwkc.flow", "cwkc.prove", "cwkc.emit"},
    "cwkc.bench": COMPILER | {"cwkc.cache", "cwkc.workshop"},
    "cwkc.families": COMPILER | {"cwkc.bench", "cwkc.keys", "cwkc.workshop"},
    "cwkc.stages": COMPILER | {"cwkc.dump", "cwkc.families", "cwkc.bench", "cwkc.keys", "cwkc.workshop"},
    "cwkc.fixes": BASE,
    "cwkc.reference": MEANING | {"cwkc.emit"},
    "cwkc.driver": COMPILER
    | {"cwkc.dump", "cwkc.inputs", "cwkc.keys", "cwkc.workshop", "cwkc.bench"}
    | {"cwkc.families", "cwkc.stages", "cwkc.fixes", "cwkc.reference"},
    "cwkc.rebuild": COMPILER | {"cwkc.cache", "cwkc.inputs", "cwkc.workshop", "cwkc.driver"},
    "cwkc.importing": MEANING | {"cwkc.planning"},
    "cwkc.models": {"coworkdsl"},
    "cwkc.differences": {"coworkdsl"},
    "cwkc.view": {"coworkdsl"},
    "cwkc.generate": MEANING
    | {"cwkc.emit", "cwkc.cache", "cwkc.inputs", "cwkc.stages", "cwkc.driver", "cwkc.models"}
    | {"cwkc.folder"},
    "cwkc.grammars": BASE | {"cwkc.syntax"},
    "cwkc.planning": MEANING,
    "cwkc.editor": MEANING,
    "cwkc.lsp": MEANING | {"cwkc.cache", "cwkc.editor", "cwkc.rebuild", "cwkc.workshop"},
    "cwkc.highlight": {"cwkc.resources"},
    "cwkc.cli": COMPILER
    | {"cwkc.cache", "cwkc.folder", "cwkc.inputs", "cwkc.workshop", "cwkc.rebuild"}
    | {"cwkc.driver", "cwkc.families", "cwkc.models", "cwkc.differences", "cwkc.lsp", "cwkc.view", "cwktrain"}
    | {"cwkc.generate", "cwkc.grammars", "cwkc.importing", "cwkc.planning"},
    "cwkc.__main__": {"cwkc.cli"},
    "cwktrain": {"coworkdsl", "cwkc.models", "cwkc.diagnostics", "cwkc.meaning"}
    | {"cwkc.folder", "cwkc.inputs", "cwkc.rebuild", "cwkc.workshop"},
}
THIRD_PARTY: dict[str, set[str]] = {
    "coworkdsl": set(),
    "cwkc.prove": {"attrs", "z3"},
    "cwkc.cli": {"attrs", "click"},
    "cwkc.grammars": {"lark"},
    "cwkc.importing": {"attrs", "yaml"},
    "cwkc.models": {"anthropic", "attrs", "jinja2", "llguidance", "openai", "torch", "transformers"},
    "cwkc.view": {"attrs", "jinja2", "jsonschema"},
    "cwkc.generate": {"attrs", "jinja2", "rapidfuzz"},
    "cwkc.editor": {"attrs", "lark"},
    "cwkc.lsp": {"attrs", "lsprotocol", "pygls"},
    "cwkc.highlight": {"pygments"},
}
ALONE: dict[str, set[str]] = {
    # A spreadsheet cannot be read without a library. The module is imported where one is compared, and nowhere else.
    "coworkdsl.workbooks": {"openpyxl"},
}


def modules() -> Iterator[Path]:
    for name, folder in FOLDERS.items():
        yield from sorted((folder / name).rglob("*.py"))


def dotted(path: Path) -> str:
    root = next(folder for name, folder in FOLDERS.items() if path.is_relative_to(folder / name))
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def room(module: str) -> str:
    """The room that a module stands in."""
    head, _, rest = module.partition(".")
    return f"{head}.{rest.split('.')[0]}" if head == "cwkc" and rest else head


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, at its top or within a function."""
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (base, node.module) if part)
            yield from (f"{origin}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", [*modules()], ids=dotted)
def test_imports_point_downwards(path: Path) -> None:
    own = room(dotted(path))
    assert own in MAY_IMPORT, "say in MAY_IMPORT where the new room stands"
    ours = {room(name) for name in imported(path) if name.split(".")[0] in FOLDERS}
    # `from cwkc import driver` names the room; `from cwkc import __version__` names the package itself.
    ours = {name if name in MAY_IMPORT else "cwkc" for name in ours}
    assert ours - {own} <= MAY_IMPORT[own]


@pytest.mark.parametrize("path", [*modules()], ids=dotted)
def test_only_some_rooms_know_some_packages(path: Path) -> None:
    own = room(dotted(path))
    theirs = {name.split(".")[0] for name in imported(path)} - set(FOLDERS) - sys.stdlib_module_names
    if own in THIRD_PARTY:
        assert theirs <= THIRD_PARTY[own] | ALONE.get(dotted(path), set())
    assert "z3" not in theirs or own == "cwkc.prove"
    assert not theirs & {"lsprotocol", "pygls"} or own == "cwkc.lsp"
