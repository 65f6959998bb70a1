"""Names are kept apart from records: they can be changed and erased."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.transcripts import run


def people() -> dict[str, str]:
    out, _ = run("referee people list --json")
    return {row["name"]: row["person"] for row in json.loads(out)["data"]["people"]}


@pytest.fixture(autouse=True)
def a_game_of_ana_and_bo(newcomer: Path) -> None:
    run("referee -q new benevolent A=blue B=red first A -p A=Ana -p B=Bo")


def test_people_are_listed_with_their_games() -> None:
    run("referee -q new benevolent A=blue B=red first A -p A=Ana")
    out, code = run("referee people list")
    assert code == 0
    assert [line.split()[::3] for line in out.splitlines()] == [["Ana", "games"], ["Bo", "game"]]
    assert "2 games" in out.splitlines()[0]


def test_a_new_name_is_shown_everywhere_and_the_record_stays_as_it_is() -> None:
    before = run("referee export record -o -")[0]
    assert run("referee people rename ana 'Ana B.'")[1] == 0
    assert "A=Ana B." in run("referee games")[0]
    assert run("referee export record -o -")[0] == before
    assert run("referee verify")[1] == 0


def test_all_that_is_kept_about_a_person_includes_tournaments_tokens_and_visits() -> None:
    run("referee -q tournament new Night --of benevolent --seats 2")
    run("referee -q tournament players add Cleo --club 'Les Rois' --rating 1500")
    run("referee -q tournament players edit Cleo --club 'The Rooks'")
    run("referee -q access give judge --name Cleo")
    kept = json.loads(run("referee --json people show Cleo")[0])["data"]
    assert [(row["name"], row["club"]) for row in kept["tournaments"]] == [
        ("Night", "Les Rois"),
        ("Night", "The Rooks"),
    ]
    assert [row["role"] for row in kept["tokens"]] == ["judge"]
    told = run("referee people show Cleo")[0]
    assert all(word in told for word in ("Night", "Les Rois", "1500", "judge"))
    assert json.loads(run("referee --json people show Ana")[0])["data"]["tournaments"] == []


def test_an_erased_name_is_gone_from_lists_and_from_the_disk(newcomer: Path) -> None:
    pseudonym = people()["Ana"]
    out, code = run("referee people erase Ana --yes")
    assert (code, pseudonym in out) == (0, True)
    assert set(people()) == {"Bo"}
    assert f"A={pseudonym}" in run("referee games")[0]
    assert run("referee verify")[1] == 0
    for file in (newcomer / "data" / "referee").iterdir():
        assert b"Ana" not in file.read_bytes(), file


def test_an_erased_name_does_not_come_back_with_an_import() -> None:
    run("referee export record -o game.jsonl")
    run("referee people erase Ana --yes")
    run("referee import game.jsonl")
    assert set(people()) == {"Bo"}


def test_nothing_is_erased_without_a_yes() -> None:
    assert run("referee people erase Ana")[1] == 2
    assert set(people()) == {"Ana", "Bo"}


def test_two_people_of_one_name_are_told_apart_by_pseudonym() -> None:
    run("referee people rename Bo Ana")
    out, code = run("referee people erase Ana --yes")
    assert code == 2
    first = out.rpartition(": ")[2].split(", ")[0]
    assert run(f"referee people erase {first} --yes")[1] == 0
    assert len(people()) == 1
