"""A pack to run, built once: a plain task, one with faults, a dialogue, and one with a judge and a picture."""

from pathlib import Path

import pytest

from cwkc import driver
from cwkc.folder import write_pack

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHOWN = ("support/thank_reporter", "support/flaky_helpdesk", "dialogue/locked_out", "finance/expense_receipt")


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = driver.build([EXAMPLES / f"{name}.cwk" for name in SHOWN]).files
    assert files is not None
    folder = tmp_path_factory.mktemp("packs") / "office"
    write_pack(files, folder)
    return folder
