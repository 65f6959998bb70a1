"""Seasons over HTTP: who may read them, what a page shows, what is told once."""

from __future__ import annotations

import csv
import io
from base64 import b64encode
from itertools import product
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.season.tables import (
    SeasonRatingsAnswer,
    SeasonStandingsAnswer,
    ratings,
    standings,
)
from referee.season import office
from referee.season.events import SeasonRules
from referee.season.standings import season_standings
from referee.store.sidecars.access import AccessPolicy
from referee.table.author import Author, By
from referee.table.bench import new_key
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import PenaltyGiven
from tests.service.conftest import Club

NAMES = ["Ana", "Bo", "Cleo", "Dan"]
READS = ("", "/standings", "/ratings", "/players/Ana", "/exports/json", "/exports/csv")


def told(house: Club, path: str, /, **said: Any) -> dict[str, Any]:
    reply = house.post(path, "organiser", said)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()["data"]
    return found


@pytest.fixture
def year(club: Club) -> tuple[Club, str, str]:
    """A season with one event of one round, told by an organiser."""
    event = told(club, "/tournaments", name="Cup", game="pebbles", rounds=1)["tournament"]
    at = f"/tournaments/{event}"
    told(club, f"{at}/players", players=[{"name": name} for name in NAMES])
    told(club, f"{at}/players/check-in", everybody=True)
    told(club, f"{at}/round/pairing", seed=1)
    told(club, f"{at}/round/start")
    for table in (1, 2):
        told(club, f"{at}/tables/{table}/result", places=["A", "B"], reason="slip")
    told(club, f"{at}/round/close")
    season = told(club, "/seasons", name="Year")["season"]
    told(club, f"/seasons/{season}/events", tournament=event)
    return club, season, event


def status(club: Club, path: str, who: str | None) -> int:
    code: int = (club.get(path, who) if who else club.client.get(f"/api/v1{path}")).status_code
    return code


def test_standings_and_ratings_have_every_player_once(year: tuple[Club, str, str]) -> None:
    club, season, _ = year
    table = club.get(f"/seasons/{season}/standings", "organiser").json()["data"]
    rated = club.get(f"/seasons/{season}/ratings", "organiser").json()["data"]
    rows = SeasonStandingsAnswer.model_validate(table).rows
    skills = SeasonRatingsAnswer.model_validate(rated).rows
    assert sorted(row.name for row in rows) == sorted(row.name for row in skills) == NAMES


def test_a_season_opened_now_says_who_gets_points_and_an_earlier_one_keeps_them(
    club: Club,
) -> None:
    def rules(season: str) -> dict[str, Any]:
        found: dict[str, Any] = club.get(f"/seasons/{season}", "organiser").json()["data"]["rules"]
        return found

    for said, expected in (({}, "seated"), ({"points_for": "everybody"}, "everybody")):
        season = told(club, "/seasons", name="Year", rules=said)["season"]
        assert rules(season)["points_for"] == expected
    by = By(ORGANISER, new_key())
    earlier = club.store_context.seasons.create("Before", SeasonRules(), by=by).id
    told(club, f"/seasons/{earlier}/rules", rules={"counted": 2}, reason="shorter")
    assert "points_for" not in rules(earlier)
    page = club.client.get(
        f"/seasons/{earlier}/rules", headers={"Cookie": f"referee={club.token('organiser')}"}
    ).text
    assert '<option value="everybody" selected>' in page


def test_what_somebody_is_told_of_a_season_does_not_hang_on_who_has_asked_before(
    year: tuple[Club, str, str],
) -> None:
    """An onlooker, to whom the event comes late, and whoever keeps it: in every order."""
    club, season, event = year
    late = AccessPolicy(open_to="everybody", delay_seconds=3600)
    club.store_context.access.set_rules(event, late)
    desk = club.store_context.desk
    fined = desk.load(event).now.current_round.table(1).seats[0]
    desk.tell(event, PenaltyGiven(player=fined, halves=3, reason="late"))
    onlooker = Author(role="spectator")

    def asked(context: StoreContext, who: Author) -> tuple[str, ...]:
        caller = Caller(context, who)
        return tuple(
            answer(caller, season).data.model_dump_json() for answer in (standings, ratings)
        )

    alone = {
        who: asked(StoreContext(club.store_context.store), who) for who in (ORGANISER, onlooker)
    }
    assert alone[ORGANISER] != alone[onlooker]
    for order in product(alone, repeat=3):
        found = [asked(club.store_context, who) for who in order]
        assert found == [alone[who] for who in order], order


def test_a_season_is_computed_once_for_all_who_ask_until_something_is_told(
    year: tuple[Club, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the season itself or at the desk of an event: then the next answer is another one."""
    club, season, event = year
    computed: list[object] = []

    def counted(*of: Any) -> Any:
        computed.append(of)
        return season_standings(*of)

    monkeypatch.setattr(office, "season_standings", counted)

    def total() -> list[Any]:
        found = [
            club.get(f"/seasons/{name}/standings", who).json()["data"]["rows"]
            for name in (season, season.removeprefix("season-"))
            for who in ("organiser", "judge")
        ]
        assert found == [found[0]] * 4
        club.get(f"/seasons/{season}/ratings", "organiser")
        return [row["total"] for row in found[0]]

    totals = [total()]
    for path, said in (
        (f"/seasons/{season}/events", {"tournament": event, "weight": 2}),
        (f"/tournaments/{event}/penalties", {"name": "Ana", "halves": 2, "reason": "late"}),
    ):
        told(club, path, **said)
        totals.append(total())
        assert totals[-1] != totals[-2], path
    assert len(computed) == 3


def test_a_season_is_read_by_who_may_read_all_its_events(year: tuple[Club, str, str]) -> None:
    club, season, event = year
    for path in READS:
        assert status(club, f"/seasons/{season}{path}", "organiser") == 200
        assert status(club, f"/seasons/{season}{path}", None) == 404
    access = club.store_context.access
    access.set_rules(event, AccessPolicy(open_to="everybody"))
    for path in READS:
        assert status(club, f"/seasons/{season}{path}", None) == 200, path
    other = told(club, "/tournaments", name="Members", game="pebbles")["tournament"]
    told(club, f"/seasons/{season}/events", tournament=other)
    for path in READS:
        assert status(club, f"/seasons/{season}{path}", None) == 404
    told(club, f"/seasons/{season}/rules", rules={"published": True}, reason="for all")
    for path in READS:
        assert status(club, f"/seasons/{season}{path}", None) == 200
    assert club.client.get("/api/v1/seasons").json()["data"]["seasons"][0]["season"] == season


def test_a_season_that_is_not_for_all_is_in_no_strangers_list(year: tuple[Club, str, str]) -> None:
    club, season, _ = year
    assert club.client.get("/api/v1/seasons").json()["data"]["seasons"] == []
    assert club.client.get(f"/seasons/{season}").status_code == 404
    assert season not in club.client.get("/seasons").text


def test_somebody_erased_is_a_pseudonym_on_every_page_and_in_every_file(
    year: tuple[Club, str, str],
) -> None:
    club, season, _ = year
    listed = club.get(f"/seasons/{season}/standings", "organiser").json()["data"]["rows"]
    ana = next(row["player"] for row in listed if row["name"] == "Ana")
    told(club, f"/seasons/{season}/players", names=["Ana"], club="North")
    club.store_context.people.erase(ana)
    for path in ("", "/standings", "/ratings", f"/players/{ana}", "/exports/json",
                 "/exports/csv", "/exports/ratings", "/exports/players", "/exports/html",
                 "/exports/events"):  # fmt: skip
        text = club.get(f"/seasons/{season}{path}", "organiser").text
        assert "Ana" not in text, path
    assert ana in club.get(f"/seasons/{season}/standings", "organiser").text


def test_the_players_list_is_what_the_next_event_registers_from(
    year: tuple[Club, str, str],
) -> None:
    club, season, _ = year
    told(club, f"/seasons/{season}/players", names=NAMES, club="North")
    file = club.get(f"/seasons/{season}/exports/players", "organiser").text
    assert [row["name"] for row in csv.DictReader(io.StringIO(file))] == NAMES
    event = told(club, "/tournaments", name="Next", game="pebbles")["tournament"]
    assert "\r\n" in file, "as spreadsheets write it"
    told(club, f"/tournaments/{event}/players/list", file=b64encode(file.encode()).decode())
    rows = club.get(f"/tournaments/{event}/players", "organiser").json()["data"]["players"]
    assert {row["club"] for row in rows} == {"North"}
    assert {row["rating"] for row in rows} == {1484, 1516}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_pages_of_a_season_are_there_for_its_readers(
    year: tuple[Club, str, str], lang: str
) -> None:
    club, season, event = year
    club.store_context.access.set_rules(event, AccessPolicy(open_to="everybody"))
    player = club.get(f"/seasons/{season}/ratings", "organiser").json()["data"]["rows"][0]
    for path, seen in (
        ("/seasons", "Year"),
        (f"/seasons/{season}", "Cup"),
        (f"/seasons/{season}/players/{player['player']}", player["name"]),
    ):
        page = club.client.get(path, headers={"Accept-Language": lang})
        assert page.status_code == 200, page.text
        assert seen in page.text
        assert "data-post" not in page.text, "whoever only reads has no forms"


def test_people_show_names_the_lists_that_somebody_is_on(year: tuple[Club, str, str]) -> None:
    club, season, _ = year
    told(club, f"/seasons/{season}/players", names=["Ana"], club="North")
    found = club.get("/people/Ana", "organiser").json()["data"]["seasons"]
    assert [(row["season"], row["club"]) for row in found] == [(season, "North")]
