"""What is asked of a copy of the program into which the worked examples have been written."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from answers.context import open_store_context
from service.openapi import document
from tests.cli.conftest import as_newcomer
from tests.cli.transcripts import run
from tests.service.conftest import Club, embedded
from tests.service.test_permissions import ROLES_OF


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with an event of two clubs, one of whose players has told a year."""
    as_newcomer(tmp_path, monkeypatch)
    store = tmp_path / "games.db"
    monkeypatch.setenv("REFEREE_STORE", f"sqlite://{store}")
    assert terminal("new Cup --of pebbles --rounds 3")
    (tmp_path / "list.csv").write_text("name,club,born\nAna,North,1990\nBo,North,\nCleo,South,\n")
    assert "3" in terminal(f"players import {tmp_path / 'list.csv'}")
    assert "born: 1985" in terminal("players edit Bo --born 1985")
    return store


def terminal(command: str, code: int = 0) -> str:
    told, ended = run(f"referee tournament {command}")
    assert ended == code, told
    return told


def test_the_terminal_answers(cup: Path) -> None:
    assert terminal("players clubs").splitlines() == ["North: 2 players", "South: 1 player"]
    assert terminal("players clubs --lang fr").startswith("North\u202f: 2 joueurs")
    assert "Count the players of each club." in terminal("players --help")
    assert "Compter les joueurs de chaque club." in terminal("players clubs --help --lang fr")
    assert "Their year of birth" in terminal("players edit --help")
    assert terminal("players list").split()[:3] == ["no.", "name", "born"]
    assert "born: “soon”" in terminal("players edit Ana --born soon", code=2)


def test_the_files_that_are_exported_have_it(cup: Path) -> None:
    listed = csv.DictReader(terminal("export csv --list players").splitlines())
    assert [row["born"] for row in listed] == ["1990", "1985", ""]


def test_the_document_of_the_api_has_both() -> None:
    told = document("fr")
    asked = told["paths"]["/tournaments/{tournament}/clubs"]["get"]
    assert asked["summary"] == "Compter les joueurs de chaque club"
    assert set(asked["x-roles"]) == ROLES_OF["tournament-clubs"]
    edited = told["components"]["schemas"]["EditPlayerRequest"]["properties"]["born"]
    assert edited["anyOf"][0]["maxLength"] == 4
    assert "born" in told["components"]["schemas"]["TournamentPlayerAnswer"]["required"]


def test_the_page_of_the_desk_asks_it(cup: Path, make_club: object) -> None:
    club: Club = make_club(open_store_context(f"sqlite://{cup}"))  # type: ignore[operator]
    (event,) = club.get("/tournaments", "organiser").json()["data"]["tournaments"]
    club.client.cookies.set("referee", club.token("organiser"))
    page = club.client.get(f"/tournaments/{event['tournament']}/desk")
    data = embedded(page.text)
    assert data["details"]["born"] == 4
    assert [row["born"] for row in data["people"]] == ["1990", "1985", ""]
    assert "Year of birth" in page.text
