"""What the Makefile runs beside the tests: set-up, pins, wheels, other Pythons, a release."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """A command to its end, with what it said as text."""
    words = [str(word) for word in command]
    return subprocess.run(words, text=True, capture_output=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def uv(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """uv of this environment. It asks no other Python than ours, and downloads none."""
    return run(sys.executable, "-m", "uv", *arguments, "--no-python-downloads", **options)
