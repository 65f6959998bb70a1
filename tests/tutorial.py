"""The tutorial game of docs/write-a-game.md, taken out of the page and made importable."""

from __future__ import annotations

import re
import sys
from importlib import invalidate_caches
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "write-a-game.md"

_BLOCK = re.compile(r"^```(\w+) title=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def titled_blocks(page: Path) -> dict[str, str]:
    """The code blocks of a page that are files, by file name."""
    return {name: code for _, name, code in _BLOCK.findall(page.read_text("utf-8"))}


def write_tutorial(folder: Path) -> None:
    """The files of the tutorial, as its reader would write them."""
    for name, code in titled_blocks(PAGE).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, "utf-8")


def publish_tutorial(folder: Path) -> None:
    """Make the game importable and known to the registry, as an installed package would be."""
    write_tutorial(folder)
    info = folder / "referee_pebbles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: referee-pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[referee.engines]\npebbles = pebbles:ENGINE\n")
    sys.path.insert(0, str(folder))
    invalidate_caches()
