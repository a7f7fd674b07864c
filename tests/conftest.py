"""Options of the suite."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected output of the corpus")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten instead of compared."""
    return bool(request.config.getoption("--update"))
