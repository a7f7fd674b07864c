"""One distribution, one version."""

import tomllib
from pathlib import Path

import cwkc
import cwktrain

ROOT = Path(__file__).resolve().parents[2]


def test_the_packages_have_the_version_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {cwkc.__version__, cwktrain.__version__} == {project["version"]}
