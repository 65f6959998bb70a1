"""``constraints.txt`` and ``requirements.lock``, resolved from ``pyproject.toml``: ``make pins``.

The first pins every package of every extra. The second has what a user installs (the extra
``all``) with hashes, for ``pip install --require-hashes``. Neither names an index.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tools import ROOT, uv

CONSTRAINTS = ROOT / "constraints.txt"
LOCK = ROOT / "requirements.lock"
_OLDEST = "3.11"


class NotResolved(Exception):
    """uv found no answer; ``offline`` if it reached no index."""

    def __init__(self, said: str, *, offline: bool) -> None:
        super().__init__(said)
        self.offline = offline


def is_offline(said: str) -> bool:
    """Whether uv reached no index at all: no answer is another thing than a bad one."""
    return "Failed to fetch" in said and "client error (Connect)" in said


def compiled(*options: str | Path, into: Path) -> None:
    found = uv(
        "pip", "compile", "-q", "--python", sys.executable, "--no-annotate", "--no-header",
        *options, ROOT / "pyproject.toml", "-o", into, cwd=ROOT,
    )  # fmt: skip
    if found.returncode:
        raise NotResolved(found.stderr.strip(), offline=is_offline(found.stderr))


def write_pins(constraints: Path, lock: Path, *, upgrade: bool = False) -> None:
    """Both files; versions that stand in the first are kept unless they are to be upgraded."""
    universal = ("--universal", "--python-version", _OLDEST)
    newer = ("--upgrade",) if upgrade else ()
    compiled(*universal, *newer, "--all-extras", into=constraints)
    hashes = ("--generate-hashes", "--extra", "all", "-c", constraints)
    compiled(*universal, "--upgrade", *hashes, into=lock)


def read_pins(file: Path) -> dict[str, set[str]]:
    """The lines of a file of pins, each with its hashes if it has any."""
    found: dict[str, set[str]] = {}
    for line in file.read_text("utf-8").replace("\\\n", "").splitlines():
        pin, *hashes = line.split("--hash=")
        found[pin.strip()] = {one.strip() for one in hashes}
    return found


def out_of_date() -> list[str]:
    """The files that would be written otherwise, with the same versions wherever they still fit.

    A release may get more wheels, and so more hashes, at any time; none may be exchanged.
    """
    with tempfile.TemporaryDirectory() as folder:
        constraints, lock = Path(folder, CONSTRAINTS.name), Path(folder, LOCK.name)
        constraints.write_bytes(CONSTRAINTS.read_bytes())
        write_pins(constraints, lock)
        kept, new = read_pins(LOCK), read_pins(lock)
        same = kept.keys() == new.keys() and all(kept[pin] <= new[pin] for pin in kept)
        return [
            *([] if read_pins(CONSTRAINTS) == read_pins(constraints) else [CONSTRAINTS.name]),
            *([] if same else [LOCK.name]),
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    try:
        write_pins(CONSTRAINTS, LOCK, upgrade=parser.parse_args().upgrade)
    except NotResolved as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
