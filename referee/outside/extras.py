"""Packages that are only needed for some commands, and how they are added to this installation."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.errors import Misused

PACKAGE = "referee"


def load(module: str, extra: str) -> Any:
    """An optional package, or a refusal that names the extra."""
    try:
        return import_module(module)
    except ImportError:
        raise Misused("extra_missing", extra=extra) from None


def version() -> str:
    """Of this program. It stands in ``pyproject.toml`` and nowhere else."""
    from importlib.metadata import version as of

    return of(PACKAGE)


def how_to_add(extra: str, prefix: str = sys.prefix, python: str = sys.executable) -> str:
    """The command line that adds an extra here, whoever has installed the program.

    Only pip is told the name of the package: it finds it installed, and adds what the extra asks
    for. No index is looked up for the package itself.
    """
    place, wanted = Path(prefix), f"{PACKAGE}[{extra}]"
    if (place / "pipx_metadata.json").exists():
        return _line("pipx", "runpip", place.name, "install", wanted)
    if (place / "uv-receipt.toml").exists():
        return _line("uv", "pip", "install", "--python", python, wanted)
    if (sources := place.parent / "tools" / "set-up").exists():
        folder = sources.parents[1]
        there = () if folder == Path.cwd() else ("-C", str(folder))
        return _line("make", *there, "everything")
    if Path(os.environ.get("VIRTUAL_ENV", "")) == place:
        return _line("pip", "install", wanted)
    return _line(python, "-m", "pip", "install", wanted)


def _line(*words: str) -> str:
    """Words as they are typed: cmd.exe knows no single quotes."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
