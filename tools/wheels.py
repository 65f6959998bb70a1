"""Whether all that is pinned can be had: ``make wheels``.

For every system and Python that we speak of, each extra is resolved to wheels alone under
``constraints.txt``, so that nobody needs a compiler. What cannot be had is named below, with the
reason; a name that is no longer needed is reported too.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tools import ROOT
from tools.pins import CONSTRAINTS, NotResolved, compiled, out_of_date

SYSTEMS = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS arm64": "aarch64-apple-darwin",
    "Windows x86-64": "x86_64-pc-windows-msvc",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXCEPTIONS = {"chess": "published as sources alone, but pure Python; only the extra compare has it"}
"""Packages that may come from their sources, and why that will do."""


class Platform(NamedTuple):
    system: str
    python: str

    def __str__(self) -> str:
        return f"{self.system}, Python {self.python}"


def extras() -> tuple[str, ...]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tuple(tomllib.load(file)["project"]["optional-dependencies"])


def problem_at(
    place: Platform, *asked: str, from_sources: Iterable[str] = EXCEPTIONS
) -> str | None:
    """Why something cannot be installed there from wheels, but for what may come from sources."""
    allowed = [word for name in from_sources for word in ("--no-binary", name)]
    with tempfile.TemporaryDirectory() as folder:
        try:
            compiled(
                "--only-binary", ":all:", *allowed, "-c", CONSTRAINTS, *asked,
                "--python-platform", SYSTEMS[place.system], "--python-version", place.python,
                into=Path(folder, "found.txt"),
            )  # fmt: skip
        except NotResolved as problem:
            if problem.offline:
                raise
            return str(problem)
    return None


def problems_at(place: Platform) -> list[str]:
    """What cannot be had there. All pins are exact: what resolves together resolves apart."""
    if (together := problem_at(place, "--all-extras")) is None:
        return []
    apart = {extra: problem_at(place, "--extra", extra) for extra in extras()}
    return [
        f"{place}, extra {extra}:\n{problem}" for extra, problem in apart.items() if problem
    ] or [f"{place}, all extras together:\n{together}"]


def look() -> Iterator[str]:
    """What is wrong, a paragraph each."""
    for name in out_of_date():
        yield f"{name} is not what pyproject.toml resolves to: python -m tools.pins"
    places = [Platform(*pair) for pair in product(SYSTEMS, PYTHONS)]
    with ThreadPoolExecutor(2) as at_once:
        for found in at_once.map(problems_at, places):
            yield from found
    for package in EXCEPTIONS:
        others = [name for name in EXCEPTIONS if name != package]
        if problem_at(places[0], "--all-extras", from_sources=others) is None:
            yield f"{package} has wheels by now: it is no exception any more"


def main() -> int:
    try:
        problems = list(look())
    except NotResolved as problem:
        if not problem.offline:
            print(problem, file=sys.stderr)
            return 1
        print(f"no package index can be reached, so wheels were not looked at:\n{problem}")
        return 0
    for one in problems:
        print(one, file=sys.stderr)
    if problems:
        return 1
    for package, why in EXCEPTIONS.items():
        print(f"except {package}: {why}")
    systems = ", ".join(SYSTEMS)
    print(f"every extra can be had as wheels: {systems}; Python {PYTHONS[0]} to {PYTHONS[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
