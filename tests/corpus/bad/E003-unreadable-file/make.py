"""Makes the file in the current folder."""

from pathlib import Path

Path("input.cwk").symlink_to("input.cwk")
