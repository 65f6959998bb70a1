"""A game served to its author: the process starts itself anew whenever a file of the game changes.

Starting anew is the only reload that forgets nothing and keeps nothing: all modules, catalogues and
caches are read again, and the record is folded with the rules as they are now.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

Written = dict[str, int]
EVERY = 0.5
"""Seconds between two looks at the files."""
WATCHED = (".py", ".toml", ".svg")
CHANGED = "_REFEREE_CHANGED"
"""Names the file for which the process was started anew."""


def folder_of(package: str) -> Path:
    """Where the files of a package are; it need not be importable."""
    spec = find_spec(package.partition(".")[0])
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places or ()), "."))


def changed_for() -> str | None:
    """The file that was changed, if the process was started anew for it."""
    return os.environ.get(CHANGED)


def start_anew_on_change(folder: Path, before: Written) -> None:
    """Watch in a thread; the first change replaces the process by a new one."""
    threading.Thread(target=wait_for_change, args=(folder, before), daemon=True).start()


def wait_for_change(folder: Path, before: Written) -> None:
    """Return never: start the process anew when a file is not as it was ``before``."""
    while (now := written(folder)) == before:
        time.sleep(EVERY)
    changed = next(iter(sorted({*now.items()} ^ {*before.items()})))[0]
    environment = {**os.environ, CHANGED: os.path.relpath(changed, folder)}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def written(folder: Path) -> Written:
    """When each file was last written. Ask before the game is loaded: a later change counts."""
    return dict(_written(folder))


def _written(folder: Path) -> Iterator[tuple[str, int]]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in WATCHED and file.is_file():
            yield str(file), file.stat().st_mtime_ns
