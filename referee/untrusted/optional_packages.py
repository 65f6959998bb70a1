"""Packages that are only needed for some commands, and how they are added to this installation."""

from __future__ import annotations

import os
import shlex
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from referee.errors import Misused

PACKAGE = "referee"


def load(module: str, extra: str) -> Any:
    """Import an optional package, or refuse and name the extra to install."""
    try:
        return import_module(module)
    except ImportError:
        raise Misused("extra_missing", extra=extra) from None


def version() -> str:
    """The version of this program, from its metadata (``pyproject.toml``)."""
    from importlib.metadata import version as of

    return of(PACKAGE)


def how_to_add(extra: str, installed: Installed | None = None) -> str:
    """The command line that adds an extra here, whoever has installed the program.

    Only pip is told the name of the package: it finds it installed, and adds what the extra asks
    for. No index is looked up for the package itself.
    """
    place, python, windows = installed or this_installation()
    wanted = f"{PACKAGE}[{extra}]"
    if (place / "pipx_metadata.json").exists():
        words = ["pipx", "runpip", place.name, "install", wanted]
    elif (place / "uv-receipt.toml").exists():
        words = ["uv", "pip", "install", "--python", python, wanted]
    elif (place.parent / "tools" / "set-up").exists():
        there = [] if place.parent == Path.cwd() else ["-C", str(place.parent)]
        words = ["make", *there, "everything"]
    elif Path(os.environ.get("VIRTUAL_ENV", "")) == place:
        words = ["pip", "install", wanted]
    else:
        words = [python, "-m", "pip", "install", wanted]
    # cmd.exe knows no single quotes.
    return subprocess.list2cmdline(words) if windows else shlex.join(words)


class Installed(NamedTuple):
    prefix: Path
    """The environment, or the system's Python."""
    python: str
    """As it is called from anywhere."""
    windows: bool


def this_installation() -> Installed:
    from sysconfig import get_path

    windows = os.name == "nt"
    python = Path(get_path("scripts"), "python.exe" if windows else "python")
    return Installed(Path(get_path("data")), str(python) if python.exists() else "python3", windows)
