"""Options of the suite."""

import os
import shutil
from tempfile import mkdtemp

import pytest
from hypothesis import settings

# No test measures time; and what a pull request is held against is the same each time.
settings.register_profile("suite", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("suite")

# What earlier sessions have remembered is not to answer for the compiler that is tested.
os.environ["CWKC_CACHE"] = mkdtemp(prefix="cwkc-tests-")


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["CWKC_CACHE"], ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected output of the corpus")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten instead of compared."""
    return bool(request.config.getoption("--update"))
