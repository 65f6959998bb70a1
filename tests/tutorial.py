"""The tutorial game of docs/write-a-game.md, taken out of the page and made importable."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from engines.kernel import registry

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "write-a-game.md"
SAMPLES = sorted(path for path in (ROOT / "docs" / "samples").iterdir() if path.is_dir())
"""Games that are packages of their own."""

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
    write_plug_in("pebbles", folder, {})
    sys.path.insert(0, str(folder))
    invalidate_caches()


def write_plug_in(game: str, folder: Path, files: Mapping[str, str]) -> None:
    """The files of a game, and what tells the registry of it where the folder is on the path."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    info = folder / f"referee_{game}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: referee-{game}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[referee.engines]\n{game} = {game}:ENGINE\n")


@contextmanager
def installed(game: str, folder: Path, files: Mapping[str, str]) -> Iterator[None]:
    """A plug-in that is there for a while."""
    write_plug_in(game, folder, files)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield
    finally:
        uninstall(game, folder)


def uninstall(game: str, folder: Path) -> None:
    """Forget a plug-in, as if its package had been taken away."""
    sys.path[:] = [path for path in sys.path if path != str(folder)]
    for name in [name for name in sys.modules if name.partition(".")[0] == game]:
        del sys.modules[name]
    registry._loaded.cache_clear()
    invalidate_caches()
