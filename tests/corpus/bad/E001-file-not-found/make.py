"""Makes the file in the current folder."""

from pathlib import Path

Path("inptu.cwk").write_text("cwk 1\n")
