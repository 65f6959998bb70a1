"""The fast tests on the oldest and the newest Python that this computer has: ``make pythons``.

The one of ``.venv`` is left out, because ``make test`` runs on it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools import ROOT, run, uv
from tools.pins import CONSTRAINTS, is_offline
from tools.wheels import PYTHONS

Version = tuple[int, int]
_OURS: Version = (sys.version_info.major, sys.version_info.minor)
_VERSION = "import sys; print(*sys.version_info[:2])"


def candidates() -> Iterator[str]:
    """What may be a Python: by its usual name on the PATH, or among those of pyenv."""
    for name in ("python3", *(f"python{version}" for version in PYTHONS)):
        if (found := shutil.which(name)) is not None:
            yield found
    yield from sorted(map(str, Path.home().glob(".pyenv/versions/3.*/bin/python")))


def version_of(python: str) -> Version | None:
    try:
        said = run(python, "-c", _VERSION, timeout=20)
    except OSError:
        return None
    numbers = re.fullmatch(r"(\d+) (\d+)\s*", said.stdout)
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def known(pythons: Iterable[str]) -> dict[Version, str]:
    """Those that we speak of, the first of each version."""
    supported = {tuple(map(int, version.split("."))) for version in PYTHONS}
    found: dict[Version, str] = {}
    for python in pythons:
        if (version := version_of(python)) in supported and version is not None:
            found.setdefault(version, python)
    return found


def to_try(found: Iterable[Version], ours: Version) -> list[Version]:
    """The oldest and the newest, but for the one that all tests run on."""
    every = sorted({*found, ours})
    return [version for version in dict.fromkeys((every[0], every[-1])) if version != ours]


def tried(python: str) -> int:
    """The fast tests in an environment of their own; the exit code is that of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "venv", "bin", "python")
        for step in (
            ("venv", "-q", "--python", python, inside.parents[1]),
            ("pip", "install", "-q", "--python", inside, "-c", CONSTRAINTS, "-e", f"{ROOT}[dev]"),
        ):
            done = uv(*step)
            if done.returncode and is_offline(done.stderr):
                print(f"no package index can be reached: nothing was tried on {python}")
                return 0
            if done.returncode:
                print(done.stderr, file=sys.stderr)
                return done.returncode
        workers = str((os.cpu_count() or 1) + 1)
        options = ("-n", workers, "--dist", "loadgroup", "@tests/quick.txt")
        os.environ.pop("VIRTUAL_ENV", None)
        # By its whole path: a Python called by name alone looks for its environment on the PATH.
        return os.spawnv(os.P_WAIT, inside, [str(inside), "-m", "pytest", *options])


def main() -> int:
    os.chdir(ROOT)
    found = known(candidates())
    others = to_try(found, _OURS)
    if not others:
        print(f"there is no older or newer Python here than {_OURS[0]}.{_OURS[1]}: none was tried")
    for version in others:
        print(f"Python {version[0]}.{version[1]} ({found[version]})", flush=True)
        if code := tried(found[version]):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
