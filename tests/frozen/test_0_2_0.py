"""What version 0.2.0 and each one after it wrote is read, proven and understood as it was then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.record.entries import KINDS
from tests.frozen.telling import told
from tests.frozen.test_0_1_0 import answer, holds
from tests.frozen.write import BESIDE, GAMES, events_of, games_of, said_of_event

HERE = Path(__file__).parent
VERSIONS = sorted(folder.name for folder in HERE.glob("[0-9]*") if folder.name != "0.1.0")
LATER = [each for each in VERSIONS if each != "0.2.0"]
"""Those that kept what is beside games and tournaments as well."""


@pytest.fixture(params=VERSIONS)
def frozen(request: pytest.FixtureRequest) -> Path:
    """What a version wrote; a test may name a file of it, ``0.2.0/records/….jsonl``."""
    return HERE / str(request.param)


def said_in(frozen: Path, name: str) -> Any:
    """What that version said."""
    return json.loads((frozen / "said" / f"{name}.json").read_text("utf-8"))


def of_files(pattern: str) -> pytest.MarkDecorator:
    found = sorted((file.parts[-3], "/".join(file.parts[-2:])) for file in HERE.glob(pattern))
    found = [(version, file) for version, file in found if version in VERSIONS]
    return pytest.mark.parametrize(("frozen", "file"), found, indirect=["frozen"])


@pytest.fixture
def copy(frozen: Path, newcomer: Path) -> Path:
    """The frozen data where it may be written to."""
    return Path(shutil.copytree(frozen, newcomer / "frozen"))


def test_every_game_has_the_same_states_verdicts_and_results(copy: Path, frozen: Path) -> None:
    now = {stream: told(game) for stream, game in games_of(copy / "club.db")}
    assert now.keys() == said_in(frozen, "told").keys()
    assert holds(said_in(frozen, "told"), now)  # a later version may tell more of a position


def test_every_kind_of_entry_and_every_game_is_among_them(frozen: Path) -> None:
    games = said_in(frozen, "told").values()
    assert {kind for game in games for kind in game["entries"]} <= set(KINDS)
    assert len({kind for game in games for kind in game["entries"]}) >= 24
    assert {game["game"] for game in games} == set(GAMES)


def test_every_record_is_proven(copy: Path, frozen: Path) -> None:
    records = answer(f"--store {copy}/club.db verify --all")["records"]
    then = {one["game"]: one["head"] for one in said_in(frozen, "games")["verified"]["records"]}
    now = {one["game"]: one["head"] for one in records}
    assert now.items() >= then.items()  # a later version verifies more than games and tournaments
    assert [one["problems"] for one in records if one["problems"] or not one["ok"]] == []


def test_lists_of_games_people_and_rulings_are_the_same(copy: Path, frozen: Path) -> None:
    at, then = f"--store {copy}/club.db", said_in(frozen, "games")
    for game in then["games"]:
        game.pop("current", None)
    assert holds(then["games"], answer(f"{at} games")["games"])
    assert holds(then["people"], answer(f"{at} people list"))
    assert holds(then["rulings"], answer(f"{at} ruling list"))


@of_files("*/records/*")
def test_a_record_is_taken_in_as_it_was(file: str, copy: Path, frozen: Path) -> None:
    (proven,) = answer(f"verify {copy / file}")["records"]
    assert proven["ok"]
    assert proven["head"] == said_in(frozen, "told")[Path(file).stem]["head"]
    answer(f"--store elsewhere.db import {copy / file}")
    assert answer("--store elsewhere.db verify")["records"][0]["head"] == proven["head"]


def test_every_tournament_stands_as_it_stood_and_is_written_out_alike(
    copy: Path, frozen: Path
) -> None:
    at, then = f"--store {copy}/club.db", said_in(frozen, "events")
    assert events_of(at) == sorted(then)
    for event, before in then.items():
        assert holds(before, said_of_event(at, event)), event


@of_files("*/events/*.jsonl")
def test_a_tournament_is_taken_in_as_it_was(file: str, copy: Path, frozen: Path) -> None:
    answer(f"--store elsewhere.db tournament import {copy / file}")
    assert events_of("--store elsewhere.db") == [Path(file).stem]
    before = said_in(frozen, "events")[Path(file).stem]["standings"]["rows"]
    now = answer("--store elsewhere.db tournament standings")["rows"]
    assert [row["rank"] for row in now] == [row["rank"] for row in before]


def test_boxes_keys_seals_cases_and_rulings_are_taken_over(copy: Path) -> None:
    answer(f"keys import {copy}/keys.toml")
    assert answer(f"--store {copy}/club.db seal check {copy}/seal.toml")["ok"]
    checked = answer(f"kit check {copy}/box.toml", exit=6)  # a leaf too many was counted
    assert checked == {"game": "benevolent", "problems": ["BEN-KIT-2"]}
    answer(f"kit import {copy}/own.toml --kit theirs --unknown")  # its key was revoked since
    assert [case["problems"] for case in answer(f"cases run {copy}/r1.toml")["cases"]] == [[]]
    answer(f"ruling import {copy}/book.toml")
    assert answer("ruling list")["rulings"]


@pytest.mark.parametrize("game", GAMES)
def test_a_declared_position_is_played_from(game: str, copy: Path) -> None:
    assert answer(f"options --position {copy}/positions/{game}.toml")


def test_the_store_is_written_on(copy: Path) -> None:
    at = f"--store {copy}/club.db"
    opened = answer(f"{at} new benevolent A=blue B=red first A")
    assert answer(f"{at} -g {opened['game']} verify")["records"][0]["ok"]


@pytest.mark.parametrize("frozen", LATER, indirect=True)
def test_seasons_collections_and_photographs_are_as_they_were(copy: Path, frozen: Path) -> None:
    at = f"--store {copy}/club.db"
    for name, ask in BESIDE.items():
        then = said_in(frozen, name)
        assert then, name
        assert holds(then, ask(at)), name


@pytest.mark.parametrize("frozen", LATER, indirect=True)
def test_a_box_with_a_photograph_is_taken_in(copy: Path) -> None:
    answer(f"kit import {copy}/pictures.box --kit theirs --unknown")
