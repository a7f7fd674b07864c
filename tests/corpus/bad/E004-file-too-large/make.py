"""Makes the file in the current folder."""

from pathlib import Path

Path("input.cwk").write_text("cwk 1\n" + "# more\n" * 2_000_000)
