"""The fast tests (``make quick``, other Pythons) reach every part of the house; dear ones are named
as they are called, and have their turn."""

from __future__ import annotations

from pathlib import Path

from tests.deep import dear_functions, dearest
from tests.test_structure import FOLDERS, ROOT, imported, modules

QUICK = [line for line in (ROOT / "tests/quick.txt").read_text("utf-8").splitlines() if line]


def quick_files() -> list[Path]:
    files: list[Path] = []
    for line in QUICK:
        place = ROOT / line.partition("::")[0]
        files += sorted(place.glob("test_*.py")) if place.is_dir() else [place]
    return files


def test_all_that_is_named_is_there_once() -> None:
    assert [str(file) for file in quick_files() if not file.is_file()] == []
    assert len(QUICK) == len(set(QUICK))


def test_every_package_is_reached() -> None:
    known = modules()
    helpers = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): file
        for room in ("tests", "tools")
        for file in (ROOT / room).rglob("*.py")
    }
    everything = known | helpers
    seen: set[str] = set()
    ahead = [name for file in quick_files() for name in imported(file, everything)]
    while ahead:
        name = ahead.pop()
        if name in everything and name not in seen:
            seen.add(name)
            ahead += imported(everything[name], everything)
    packages = {name for name, file in known.items() if file.name == "__init__.py"}
    reached = {name.rpartition(".")[0] for name in seen} | seen
    games = {name for name in packages if name.startswith("engines.")} - {"engines.kernel"}
    pages = {name for name in packages if name.startswith("service.pages.")}
    # Games are found by their entry points, pages by where they lie, commands by a table, requests
    # by their operations; a template is written out.
    by_name = {"cli.commands", "cli.tournament", "answers.requests", "referee.game_check.template"}
    assert packages - reached - games - pages - by_name == set()
    assert set(FOLDERS) - {name.partition(".")[0] for name in seen} == set()


def test_dear_tests_are_called_as_they_are_named() -> None:
    """A name that nobody has would leave a dear test in ``make test``, and nobody would see it."""
    missing = []
    for name in dear_functions():
        file, *_, function = name.split("::")
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else ""
        if f"def {function}(" not in text:
            missing.append(name)
    assert missing == []


def test_the_tests_that_take_longest_each_are_dear_until_the_rest_is_a_fifth() -> None:
    seconds = {f"a.py::quick[{number}]@a.py": 0.004 for number in range(300)}
    seconds |= {"a.py::slow[1]": 2.0, "a.py::slow[2]": 2.0, "a.py::slower": 3.0, "b.py::usual": 0.5}
    assert dearest(seconds) == ["a.py::slow", "a.py::slower"]
