"""How many taps a line takes: counted with the script of the page itself, by Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

NODE = shutil.which("node")
COUNTING = Path(__file__).parents[1] / "js" / "count_taps.js"


def taps_needed(cases: Iterable[tuple[Sequence[str], str]]) -> list[int]:
    """For each list of lines and one of them: the taps it takes, with the one that logs
    it."""
    if NODE is None:
        raise FileNotFoundError("counting taps needs Node.js 20 or newer")
    said = json.dumps([*cases])
    ran = subprocess.run([NODE, COUNTING], input=said, capture_output=True, text=True, check=True)
    counts: list[int] = json.loads(ran.stdout)
    return counts
