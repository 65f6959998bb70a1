"""Records from elsewhere: whatever they say of themselves, they count only where they belong."""

from __future__ import annotations

import copy
import json
import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from answers.context import Caller, StoreContext, open_store_context
from answers.judge.precedents import rulings
from answers.play.info import games
from answers.review.stats import statistics
from referee.archive.record_files import record_lines
from referee.judging.rulings import Decision, issue
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.table.author import Author, By
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament.desk import Desk
from referee.tournament.event_streams import ORGANISER
from tests.deep import few_or_many
from tests.fuzz.mangling import places
from tests.record.test_verify import rechained
from tests.service.conftest import Club
from tests.tournament.test_desk import PEBBLES, cup, play_out, started

JUDGE = Author("pjo", "judge")


def played(
    store_context: StoreContext, seats: dict[str, str], place: str, *, at: str = ""
) -> bytes:
    """A finished game of pebbles from elsewhere, in which A wins, ruled upon by its own judge."""
    elsewhere = open_store_context("memory:")
    game = open_game(elsewhere.bench, "pebbles", "table A B first A", seats=seats).game.id
    issue(elsewhere.bench, game, Decision("PLANTED", clauses=("PEB-TAKE-1",)), by=By(JUDGE))
    play_out(Desk(elsewhere.bench), game)
    rows = list(elsewhere.store.read(game))
    first = json.loads(rows[0].body)
    if place:
        first["data"]["tournament"] = place
    if at:
        first["at"] = at
    rows[0] = rows[0]._replace(body=canonical(first))
    return b"".join(row.body + b"\n" for row in rechained(rows))


def bring(club: Club, content: bytes, role: str) -> Any:
    return club.ask("POST", "/imports", role, content=content)


@pytest.fixture
def event(club: Club) -> tuple[str, dict[str, str]]:
    """A cup whose first round is played, and who sits at its first table."""
    desk = club.store_context.desk
    cup_id = cup(desk)
    number = started(desk, cup_id)
    seats = desk.load(cup_id).now.round(number).table(1).seats
    return cup_id, dict(zip("AB", seats, strict=True))


def counted(club: Club, event: str) -> bool:
    """Whether a table has a result, once the desk has collected all that are there."""
    collected = club.post(f"/tournaments/{event}/results", "organiser")
    assert collected.status_code in (200, 409), collected.text
    round = club.store_context.desk.load(event).now.round(1)
    return any(round.result(table.number) is not None for table in round.draw.tables)


@pytest.mark.parametrize("role", ["scribe", "judge", "organiser"])
@pytest.mark.parametrize("how", ["right", "swapped", "nobody", "too early", "no such table"])
def test_a_record_sits_at_a_table_of_an_event_only_if_it_belongs_there(
    how: str, role: str, club: Club, event: tuple[str, dict[str, str]]
) -> None:
    cup_id, seats = event
    sitting = {"swapped": {"A": seats["B"], "B": seats["A"]}, "nobody": {}}.get(how, seats)
    place = f"{cup_id}/r1/t{7 if how == 'no such table' else 1}"
    at = "2019-01-01T00:00:00.000Z" if how == "too early" else ""
    content = played(club.store_context, sitting, place, at=at)
    reply = bring(club, content, role)
    assert reply.status_code == 200, reply.text
    game = reply.json()["data"]["games"][0]["game"]
    taken = (how, role) == ("right", "organiser")
    listed = club.get("/games", "organiser").json()["data"]["games"]
    (row,) = (each for each in listed if each["game"] == game)
    assert row["kept_apart"] is not taken
    assert counted(club, cup_id) is taken
    for who in ("scribe", "judge"):
        assert club.post(f"/games/{game}/acceptance", who).status_code == 403
    accepted = club.post(f"/games/{game}/acceptance", "organiser")
    assert accepted.status_code == (200 if how == "right" else 400), accepted.text
    assert counted(club, cup_id) is (how == "right")


def test_what_is_kept_apart_counts_nowhere_until_an_organiser_takes_it_in(club: Club) -> None:
    caller = Caller(club.store_context, ORGANISER)
    reply = bring(club, played(club.store_context, {"A": "pana", "B": "pbo"}, ""), "scribe")
    (game,) = (row["game"] for row in reply.json()["data"]["games"])
    assert "set apart" in reply.json()["warnings"][0]

    def counts() -> tuple[int, int, bool]:
        (listed,) = games(caller).data.games
        return statistics(caller).data.games, len(rulings(caller).data.rulings), listed.kept_apart

    assert counts() == (0, 0, True)
    bearer = {"Authorization": f"Bearer {club.token('organiser')}"}
    assert "set apart" in club.client.get("/play", headers=bearer).text
    assert club.post(f"/games/{game}/acceptance", "organiser").status_code == 200
    assert counts() == (1, 1, False)


def test_what_an_organiser_brings_counts_at_once(club: Club) -> None:
    bring(club, played(club.store_context, {"A": "pana", "B": "pbo"}, ""), "organiser")
    assert statistics(Caller(club.store_context)).data.games == 1


def test_a_record_whose_verdicts_cannot_be_computed_is_kept_apart_whoever_brings_it(
    club: Club,
) -> None:
    rows = [
        Stored("x", seq, "", line)
        for seq, line in enumerate(played(club.store_context, {"A": "pana"}, "").splitlines())
    ]
    bodies = [json.loads(row.body) for row in rows]
    bodies[0]["data"]["engine_version"] = "9.9"
    bodies[-1]["data"]["scores"] = {"A": 0, "B": 99}
    stream = bodies[0]["stream"]
    forged = rechained(
        [
            Stored(stream, body["seq"], f"{body['kind']}@{body['schema']}", canonical(body))
            for body in bodies
        ]
    )
    reply = bring(club, b"".join(row.body + b"\n" for row in forged), "organiser")
    if reply.status_code == 200:
        (row,) = club.get("/games", "organiser").json()["data"]["games"]
        assert row["kept_apart"]
    else:
        assert reply.status_code == 400, reply.text


def test_a_record_from_elsewhere_does_not_take_the_name_of_a_table_to_be_opened(
    club: Club, event: tuple[str, dict[str, str]], make_club: Callable[..., Club]
) -> None:
    cup_id, _ = event
    desk = club.store_context.desk
    expected = desk.open_table(cup_id, 1, 1, PEBBLES)[0].game.id
    content = b"".join(record_lines(club.store_context.store, expected))
    fresh = make_club(open_store_context("memory:"))
    rows = [*club.store_context.store.read(cup_id)]
    fresh.store_context.store.adopt_all([rows])
    assert bring(fresh, content, "scribe").status_code == 200
    opened, new = fresh.store_context.desk.open_table(cup_id, 1, 1, PEBBLES)
    assert new
    assert opened.game.id != expected


@pytest.mark.parametrize("tries", few_or_many(12, int(os.environ.get("REFEREE_CHAOS", "150"))))
def test_forged_records_change_nothing_at_a_live_table(
    club: Club, event: tuple[str, dict[str, str]], tries: int
) -> None:
    """A table that is being played, and files that say they are it, altered in any place."""
    cup_id, seats = event
    store_context, chance = club.store_context, random.Random(tries)
    game = store_context.desk.open_table(cup_id, 1, 1, PEBBLES)[0].game.id
    log(store_context.bench, game, "take 2")
    before = store_context.store.read(game)
    finished = played(store_context, seats, f"{cup_id}/r1/t1").splitlines()
    elsewhere = [json.loads(line) for line in finished]
    live = [json.loads(row.body) for row in before]
    ends = [body for body in elsewhere if body["kind"] not in ("opened", "ruled", "logged")]
    statuses: Counter[int] = Counter()
    for number in range(tries):
        bodies = copy.deepcopy(chance.choice([elsewhere, [*live, *elsewhere[2:]], [*live, *ends]]))
        if number % 2:
            body = chance.choice(bodies)
            place = chance.choice([each for each in places(body) if each and each[0] != "stream"])
            _set(body, place, chance)
        stream = chance.choice([game, game, f"game-forged{number}"])
        rows = [
            Stored(stream, seq, f"{body['kind']}@{body['schema']}", canonical(body))
            for seq, body in enumerate(
                {**body, "stream": stream, "seq": n} for n, body in enumerate(bodies)
            )
        ]
        role = chance.choice(["scribe", "judge"])
        content = b"".join(row.body + b"\n" for row in rechained(rows))
        asked = (
            chance.choice(["/imports", "/imports?continues=true"])
            if role == "scribe"
            else "/imports"
        )
        statuses[club.ask("POST", asked, role, content=content).status_code] += 1
        assert store_context.store.read(game) == before
        assert not counted(club, cup_id)
    assert set(statuses) <= {200, 400, 403, 409}, statuses
    assert min(statuses[400], statuses[409]) > 0, statuses


def _set(body: Any, place: tuple[Any, ...], chance: random.Random) -> None:
    for step in place[:-1]:
        body = body[step]
    body[place[-1]] = chance.choice([0, -1, 99, "", "A", "B", "pjo", None, True, [], {}])
