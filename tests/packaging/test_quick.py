"""The fast tests (``make quick``, other Pythons) reach every part of the house."""

from __future__ import annotations

from pathlib import Path

from tests.test_structure import FOLDERS, ROOT, imported, modules

QUICK = [line for line in (ROOT / "tests/quick.txt").read_text("utf-8").splitlines() if line]


def quick_files() -> list[Path]:
    files: list[Path] = []
    for line in QUICK:
        place = ROOT / line
        files += sorted(place.glob("test_*.py")) if place.is_dir() else [place]
    return files


def test_all_that_is_named_is_there_once() -> None:
    assert [str(file) for file in quick_files() if not file.is_file()] == []
    assert len(QUICK) == len(set(QUICK))


def test_every_package_is_reached() -> None:
    known = modules()
    helpers = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts): file
        for file in (ROOT / "tests").rglob("*.py")
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
    # Games are found by their entry points, pages by where they lie; a template is written out.
    assert packages - reached - games - pages - {"referee.game_check.template"} == set()
    assert set(FOLDERS) - {name.partition(".")[0] for name in seen} == set()
