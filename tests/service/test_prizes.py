"""Sections, prizes and fees over HTTP: what is taken, what is refused, who reads what."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.conftest import Club


@pytest.fixture
def at(club: Club) -> str:
    made = club.post("/tournaments", "organiser", {"name": "Cup", "game": "benevolent"})
    at = f"/tournaments/{made.json()['data']['tournament']}"
    listed = [{"name": "Ana", "sections": ["U14"]}, {"name": "Bo"}]
    assert club.post(f"{at}/players", "organiser", {"players": listed}).status_code == 200
    return at


def test_prizes_are_told_as_lines_or_as_data_and_read_by_everybody(club: Club, at: str) -> None:
    told = club.post(f"{at}/prizes", "organiser", {"lines": "1: 100 €\n\n1 u14: a game"})
    assert told.status_code == 200, told.text
    read = club.get(f"{at}/prizes", "spectator").json()["data"]
    assert [(row["place"], row["section"], row["text"]) for row in read["prizes"]] == [
        (1, "", "100 €"), (1, "U14", "a game")
    ]  # fmt: skip
    data = {"prizes": [{"place": 1, "text": "cup", "section": ""}], "several": True}
    assert club.post(f"{at}/prizes", "organiser", data).status_code == 200
    assert club.get(f"{at}/prizes", "player").json()["data"]["several"]
    standings = club.get(f"{at}/standings?section=u14", "spectator").json()["data"]
    assert (standings["section"], standings["sections"]) == ("U14", ["U14"])


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/prizes", {"lines": "100 €"}, 400),
        ("/prizes", {"prizes": [{"place": 2, "text": "a"}, {"place": 1, "text": "b"}]}, 400),
        ("/prizes", {"prizes": [{"place": 1, "text": "a\u0000b"}]}, 400),
        ("/prizes", {"prizes": [{"place": 1, "text": "a"}] * 100}, 400),
        ("/players/edit", {"name": "Ana", "sections": ["a\u202eb"]}, 400),
        ("/players/edit", {"name": "Ana", "sections": ["a,b"]}, 400),
        ("/players/edit", {"name": "Ana", "sections": ["x" * 25]}, 400),
        ("/players/edit", {"name": "Ana", "sections": [str(at) for at in range(9)]}, 400),
        ("/players", {"players": [{"name": "Cleo", "sections": "x" * 25}]}, 400),
        ("/players/fee", {"names": ["Nobody"]}, 404),
    ],
)
def test_what_is_refused_changes_nothing(
    club: Club, at: str, path: str, body: dict[str, Any], status: int
) -> None:
    before = club.get(at, "organiser").json()["data"]["last_event"]
    reply = club.post(f"{at}{path}", "organiser", body)
    assert reply.status_code == status, reply.text
    assert club.get(at, "organiser").json()["data"]["last_event"] == before


def test_only_organisers_read_who_has_paid(club: Club, at: str) -> None:
    assert club.post(f"{at}/players/fee", "organiser", {"names": ["Ana"]}).status_code == 200
    mine = club.get(f"{at}/players", "organiser").json()["data"]
    assert (mine["paid"], [row["paid"] for row in mine["players"]]) == (1, [True, False])
    for role in ("judge", "scribe", "player", "spectator"):
        read = club.get(f"{at}/players", role).json()["data"]
        assert (read["paid"], [row["paid"] for row in read["players"]]) == (None, [None, None])
        assert club.post(f"{at}/players/fee", role, {"names": ["Bo"]}).status_code == 403
