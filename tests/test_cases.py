"""Every case of every game, and the proof that no clause and no reading lacks its cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engines.kernel.registry import engine_ids, load_engine
from referee.cases.case_file import Case, CaseError, CaseFile, read_cases
from referee.cases.coverage import Coverage
from referee.cases.expectation import parted
from referee.cases.runner import CaseRun, run_at, run_case
from tests.playing import is_installed
from tests.recorded import RecordTable
from tests.speaking import said

FOLDER = Path(__file__).parent / "cases"


def games() -> list[str]:
    return [game for game in engine_ids() if is_installed(game)]


def files_of(game: str) -> list[Path]:
    return sorted((FOLDER / game).glob("*.toml"))


@cache
def read(path: Path) -> CaseFile:
    return read_cases(path.read_text("utf-8"), path.name)


def actions_of(game: str, name: str) -> list[str]:
    """The actions of a case, from the opening on, without what is expected of them."""
    files = [read(path) for path in files_of(game)]
    file, case = next((file, case) for file in files for case in file.case if case.name == name)
    start = file.start_of(case)
    declared = [] if start.position is None else [f"position {json.dumps(start.position)}"]
    said = (line for line in case.lines.splitlines() if line[:2] not in ("= ", "? "))
    lines = [*start.log.splitlines(), *declared, *(parted(line)[0] for line in said)]
    return [text for line in lines for text in load_engine(game).notation.split(line)]


def every_case() -> list[object]:
    found: list[object] = []
    for path in (path for game in games() for path in files_of(game)):
        try:
            cases: tuple[Case | None, ...] = read(path).case
        except CaseError:
            cases = (None,)
        for case in cases:
            name = case.name if case is not None else "cannot be read"
            label = f"{path.parent.name}/{path.stem}: {name}"
            found.append(pytest.param(path, case, id=label, marks=in_one_process(path.parent.name)))
    return found


def every_game() -> list[object]:
    return [pytest.param(game, id=game, marks=in_one_process(game)) for game in games()]


def in_one_process(game: str) -> pytest.MarkDecorator:
    """A case is run once, for itself and for the coverage of its game."""
    return pytest.mark.xdist_group(f"cases of {game}")


@cache
def run_of(path: Path, case_name: str) -> CaseRun:
    file = read(path)
    assert file.game == path.parent.name
    return run_case(
        load_engine(file.game), file, next(case for case in file.case if case.name == case_name)
    )


@pytest.mark.parametrize(("path", "case"), every_case())
def test_case(path: Path, case: Case | None) -> None:
    if case is None:
        read(path)
    else:
        assert [said(p) for p in run_of(path, case.name).problems] == []


def every_file() -> list[object]:
    return [
        pytest.param(path, id=f"{game}/{path.stem}") for game in games() for path in files_of(game)
    ]


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("path", every_file())
def test_cases_come_out_the_same_through_a_record_which_proves_itself(
    path: Path, every: int
) -> None:
    file = read(path)
    engine = load_engine(file.game)
    begun_today = [case for case in file.case if not file.start_of(case).engine]
    for case in begun_today[::every]:
        run = run_at(RecordTable, engine, case, file.start_of(case))
        assert [said(problem) for problem in run.problems] == [], case.name


@pytest.mark.parametrize("game", every_game())
def test_case_names_are_unique_in_their_file(game: str) -> None:
    for path in files_of(game):
        names = [case.name for case in read(path).case]
        assert sorted(set(names)) == sorted(names), path.name


@pytest.mark.parametrize("game", every_game())
def test_every_clause_and_reading_is_proven(
    game: str, record_property: Callable[[str, object], None]
) -> None:
    coverage = Coverage(load_engine(game))
    for path in files_of(game):
        coverage.add(run_of(path, case.name) for case in read(path).case)
    record_property("clause report", said(coverage.summary()))
    gaps = [f"{name}: {said(lack)}" for name, lack in coverage.missing.items()]
    assert not gaps, "\n".join([said(coverage.summary()), *gaps])
