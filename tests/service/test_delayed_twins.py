"""Two tables that differ in what spectators may not know yet answer every onlooker alike.

The delay is the table's own, or that of its event. Every operation and page is asked, as it is
declared: what is added later is asked too.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from answers.context import Caller, StoreContext
from answers.declaration import Operation
from answers.operations import routes
from answers.season import lifecycle as seasons
from answers.tournament import lifecycle, players, rounds
from answers.tournament.judging import penalise
from referee.judging.disputes import dispute
from referee.judging.rulings import Decision, issue
from referee.store import open_store
from referee.store.sidecars.access import AccessPolicy
from referee.store.sidecars.webhooks import HAPPENINGS
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.corrections import undo
from referee.table.lifecycle import close, hold, resume
from referee.table.notes import Annotation, annotate
from referee.table.play import log
from referee.tournament.desk import Desk
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import Outcome, TournamentClosed, WallTurned
from referee.tournament.interchange.json_csv import PlayerRow
from service.pages.rendering import PAGES
from service.webhooks import WebhookSender
from tests.answers.conftest import SETUP
from tests.service.conftest import API, Club, Receiver
from tests.service.test_twins import NAMES, events, requests, sent_as
from tests.service.test_webhooks import send, sender_of
from tests.tournament.asking import swiss

JO = Author("pjo", "judge")
HOUR = 3600
DELAYED = AccessPolicy("everybody", delay_seconds=HOUR)
NOW_TOLD = re.compile(r'("(?:left|now|used|gone)": ?"?)[0-9][^,"}]*')
"""What a clock shows at this moment."""


class Tables:
    """A store with an event, a delayed table of it, and another open table."""

    def __init__(self, folder: Path, late: timedelta = timedelta()) -> None:
        store = open_store(f"sqlite://{folder}/games.db")
        self.store_context = StoreContext(store, Bench(store, clock=lambda: _moment(late)))
        self.store_context.desk = Desk(self.store_context.bench, clock=lambda: _moment(late))
        self.organiser = Caller(self.store_context, ORGANISER)

    def play(self, game: str, *lines: str) -> None:
        for line in lines:
            for said in line.split(";"):
                log(self.store_context.bench, game, said.strip())


def _moment(late: timedelta) -> str:
    at = datetime.now(UTC) - late
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


HEADS: set[str] = set()
"""Of the event, which prove later what was told when; they say nothing of what it was."""
Tokens = dict[tuple[str, str], str]


def begun(folder: Path, delay: str) -> tuple[str, str, str, Tokens]:
    """The part that spectators know: told two hours ago. The event, its table, another table."""
    folder.mkdir()
    tables = Tables(folder, timedelta(hours=2))
    caller = tables.organiser
    event = lifecycle.create(caller, "Cup", swiss()).data.tournament
    players.register(caller, event, [PlayerRow(name=name) for name in ("Ana", "Bo", "Cleo", "Dan")])
    rounds.pair(caller, event, seed=1)
    rounds.start(caller, event)
    desk = caller.store_context.desk
    game = desk.open_table(event, 1, 1, "A=blue B=red first A")[0].game.id
    other = desk.open_table(event, 1, 2, "A=blue B=red first A")[0].game.id
    for each in (game, other):
        tables.play(each, *SETUP)
    desk.enter_result(event, 1, 2, Outcome(places=(1, 2)), "slip")
    season = seasons.create(caller, "League").data.season
    seasons.add_event(caller, season, event)
    bench = caller.store_context.bench
    for number in (1, 2):
        dispute(bench, game, number, text="is that so?")
    issue(bench, game, Decision("as it was", dispute="d1"), by=By(JO))
    issue(bench, game, Decision("as it is", overturns="r1"), by=By(JO))
    access = caller.store_context.access
    if delay == "table":
        access.set_rules(event, AccessPolicy("everybody"))
        access.set_rules(game, DELAYED)
    else:
        access.set_rules(event, DELAYED)
    tokens = {
        (role, scope): access.give(role, scope, "anonymous")[1]
        for role, scope in onlookers(event, game, other)
        if role is not None
    }
    caller.store_context.store.close()
    access.close()
    return event, game, other, tokens


def tails(bench: Bench, game: str) -> Iterator[Callable[[], object]]:
    """The table has not gone on since, or it has: not even that is told."""

    def not_at_all() -> None:
        pass

    def noisily() -> None:
        for line in ("A step c2", "A swap feather"):
            log(bench, game, line)
        undo(bench, game)
        dispute(bench, game, 3, text="SECRET words")
        for call in ("d2", "d3"):
            issue(bench, game, Decision("SECRET reason", dispute=call), by=By(JO))
        for ruling in ("r2", "r3"):
            issue(bench, game, Decision("SECRET again", overturns=ruling), by=By(JO))
        annotate(bench, game, 1, Annotation("SECRET note"), by=By(JO))
        hold(bench, game, reason="SECRET", by=By(JO))
        resume(bench, game, by=By(JO))
        close(bench, game, reason="SECRET end", by=By(JO))

    yield not_at_all
    yield noisily


@pytest.fixture(params=["table", "event"])
def twins(
    request: pytest.FixtureRequest, tmp_path: Path, make_club: Callable[..., Club]
) -> tuple[list[Club], str, str, str]:
    event, game, other, tokens = begun(tmp_path / "one", request.param)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    clubs = []
    for number, name in enumerate(("one", "two")):
        tables = Tables(tmp_path / name)
        [*tails(tables.store_context.bench, game)][number]()
        if request.param == "event":  # a warning is never told, points not before the delay
            penalise(tables.organiser, event, "Ana", halves=3 * number, reason="SECRET")
        desk = tables.store_context.desk
        if not number:
            desk.tell(event, *(WallTurned() for _ in range(3)), by=tables.organiser.by)
        else:  # nor that a delayed table has a result, nor what rests on it
            desk.enter_result(event, 1, 1, Outcome(places=(2, 1)), "SECRET slip")
            rounds.close(tables.organiser, event)
            desk.tell(event, TournamentClosed(), by=tables.organiser.by)
        HEADS.add(tables.store_context.desk.load(event).head)
        clubs.append(make_club(tables.store_context))
        clubs[-1].tokens.update(tokens)
    return clubs, event, game, other


def onlookers(event: str, game: str, other: str) -> list[tuple[str | None, str]]:
    """Everybody who does not sit at the table and does not keep its record."""
    return [
        (None, ""),
        ("spectator", game),
        ("spectator", event),
        ("spectator", ""),
        ("player", event),
        ("seat:A", other),
        ("scribe", other),
        ("judge", other),
    ]


def asked(route: Operation, event: str, game: str) -> Iterator[tuple[str, Any]]:
    if route.about == "game":
        yield from requests(route, game, "benevolent")
        return
    names = {**NAMES, "tournament": event, "round": "1", "table": "1", "player": "1", "number": "1"}
    names["season"] = "season-"
    named = {name: names.get(name, "1") for name in route.names}
    path = route.path
    for name, value in named.items():
        path = path.replace(f"{{{name}}}", value).replace(f"{{{name}:path}}", value)
    yield path, None if route.asks_in_query else {}


def told(text: str) -> str:
    for head in HEADS:
        text = text.replace(head, "HEAD").replace(head[:16], "HEAD")
    return NOW_TOLD.sub(r"\1NOW", text)


def some(all: list[tuple[str | None, str]], every: int, turns: Iterator[int]) -> list[Any]:
    """The passer-by, and every so many of the others, in turns."""
    turn = next(turns)
    return [all[0], *(each for at, each in enumerate(all[1:]) if (at + turn) % every == 0)]


EVERY = pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.deep)])


@EVERY
def test_no_route_tells_onlookers_what_they_wait_for(
    every: int, twins: tuple[list[Club], str, str, str]
) -> None:
    clubs, event, game, other = twins
    answered, turns = 0, count()
    for route in routes():
        if route.writes:
            continue  # nothing that an onlooker may write; roles are tested elsewhere
        if route.name == "tournament-head":
            continue  # when something was recorded, and a code of it that proves later what
        for path, body in asked(route, event, game):
            for role, scope in some(onlookers(event, game, other), every, turns):
                more = sent_as(body)
                one, two = (
                    club.ask(route.method, path, role, scope=scope, **more) for club in clubs
                )
                assert one.status_code == two.status_code, (route.name, path, role, scope)
                assert told(one.text) == told(two.text), (route.name, path, role, scope)
                assert (
                    one.headers.get("etag") == two.headers.get("etag") or told(one.text) != one.text
                )
                assert "SECRET" not in two.text
                answered += one.status_code == 200
    assert answered > 100


@EVERY
def test_no_page_tells_onlookers_what_they_wait_for(
    every: int, twins: tuple[list[Club], str, str, str]
) -> None:
    clubs, event, game, other = twins
    names = {**NAMES, "game": game, "tournament": event, "player": "1", "round": "1", "table": "1"}
    seen, turns = 0, count()
    for placed in PAGES.values():
        path = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: names.get(found[1], "1"), placed.path)
        for role, scope in some(onlookers(event, game, other), every, turns):
            one, two = (page(club, path, role, scope) for club in clubs)
            assert one == two, (path, role, scope)
            assert "SECRET" not in two
            seen += one.startswith("200")
    assert seen > 20


def page(club: Club, path: str, role: str | None, scope: str) -> str:
    headers = {} if role is None else {"Authorization": f"Bearer {club.token(role, scope)}"}
    reply = club.client.get(path, headers=headers)
    assert reply.status_code < 500, (path, reply.text)
    return f"{reply.status_code} {told(reply.text)}"


def test_no_stream_tells_onlookers_what_they_wait_for(
    twins: tuple[list[Club], str, str, str],
) -> None:
    clubs, event, game, _ = twins
    known = clubs[0].get(f"/games/{game}", "spectator", scope=game).json()["data"]["entries"]
    for role, scope in (("spectator", game), ("player", event)):
        one, two = (events(club, game, role, scope, last=known - 1) for club in clubs)
        assert told(one) == told(two)
        assert one.count("event: entry") == known


@pytest.fixture
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Webhooks wait until a test sends them."""
    monkeypatch.setattr(WebhookSender, "start", lambda sender: None)


def delivered(club: Club, receiver: Receiver) -> list[dict[str, Any]]:
    """All that an address has got by now, without the ids, which are drawn by lot."""
    send(sender_of(club))
    return [{**each, "id": ""} for each in receiver.told]


def test_no_webhook_tells_what_onlookers_wait_for_before_they_may_see_it(
    unsent: None,
    twins: tuple[list[Club], str, str, str],
    receivers: Callable[[], Receiver],
) -> None:
    """An address for everything, one for the event and one for the table, from the beginning."""
    clubs, event, game, _ = twins
    for scope in ("", event, game):
        gets = [receivers() for _ in clubs]
        for club, receiver in zip(clubs, gets, strict=True):
            hooks = club.store_context.webhooks
            hooks._clock = lambda: _moment(timedelta(hours=3))
            hooks.add(scope, receiver.address, HAPPENINGS, "en", 0)
            hooks._clock = lambda: _moment(timedelta())
        one, two = map(delivered, clubs, gets)
        assert one == two, scope
        assert one or scope == game
        assert "SECRET" not in str(two)
        for club in clubs:  # the comparison would notice
            access = club.store_context.access
            before = {at: access.rules(at) for at in (game, event)}
            for at in before:
                access.set_rules(at, AccessPolicy("everybody"))
        one, two = map(delivered, clubs, gets)
        assert one != two, scope
        assert "SECRET words" not in str(two), "what is said to a judge is theirs"
        for club in clubs:
            for at, rules in before.items():
                club.store_context.access.set_rules(at, rules)


def test_whoever_keeps_the_table_is_told_at_once(
    twins: tuple[list[Club], str, str, str],
) -> None:
    """The comparison would notice."""
    clubs, event, game, _ = twins
    for role, scope in (("scribe", game), ("judge", event), ("seat:A", game), ("organiser", "")):
        one, two = (club.get(f"/games/{game}", role, scope=scope).text for club in clubs)
        assert one != two
    assert "SECRET" in clubs[1].get(f"/games/{game}/exports/record", "judge").text
    sitting = clubs[0].store_context.bench.game(game).seats["A"]
    for club in clubs:
        _, club.tokens["player", "here"] = club.store_context.access.give("player", event, sitting)
    one, two = (club.get(f"/games/{game}", "player", scope="here").text for club in clubs)
    assert one != two, "a player at the own table is its seat"


def test_a_list_says_of_a_table_what_the_table_says_to_the_same_person(
    twins: tuple[list[Club], str, str, str],
) -> None:
    """Whoever waits, waits at both doors; whoever sits there or keeps the record, at none."""
    clubs, event, game, other = twins
    for club in clubs:
        for seat, person in club.store_context.bench.game(game).seats.items():
            given = club.store_context.access.give("player", event, person)[1]
            club.tokens["player", f"sits in {seat}"] = given
        everybody = [*onlookers(event, game, other), *club.tokens]
        everybody += [("scribe", game), ("judge", event), ("seat:A", game), ("organiser", "")]
        for role, scope in dict.fromkeys(everybody):
            known = club.get(f"/games/{game}", role, scope=scope).json()["data"]
            listed = club.get("/games", role, scope=scope).json()["data"]["games"]
            (row,) = (row for row in listed if row["game"] == game)
            assert row["entries"] == known["entries"], (role, scope)


def test_a_list_says_to_onlookers_what_it_said_to_those_who_keep_the_record_then(
    twins: tuple[list[Club], str, str, str],
) -> None:
    """Every count and every ruling: where nothing has happened since, nothing is held back."""
    clubs, event, game, other = twins

    def games(club: Club, role: str | None, scope: str) -> list[Any]:
        rows = club.get("/games", role, scope=scope).json()["data"]["games"]
        return [row for row in rows if row["game"] == game]

    def rulings(club: Club, role: str | None, scope: str) -> list[Any]:
        rows = club.get("/rulings", role, scope=scope).json()["data"]["rulings"]
        told = [(row["reference"], row["reason"], row["overturned_by"]) for row in rows]
        return [row for row in told if row[0].startswith(game)]

    (row,), (second, first) = games(clubs[0], "judge", ""), rulings(clubs[0], "judge", "")
    assert (row["disputes"], row["open_disputes"]) == (2, 1)
    assert (first[2], second[2]) == (second[0], "")
    for club in clubs:
        for role, scope in onlookers(event, game, other):
            assert games(club, role, scope) == [row], (role, scope)
            if role is not None and scope != other:  # who reads it at all
                assert rulings(club, role, scope) == [second, first], (role, scope)


def test_what_a_table_and_its_event_say_holds_and_is_what_is_answered(
    twins: tuple[list[Club], str, str, str],
) -> None:
    club, event, game, other = twins[0][0], *twins[1:]
    answered = club.get(f"/games/{game}/access", "scribe", scope=game).json()["data"]
    assert (answered["open_to"], answered["delay_seconds"]) == ("everybody", HOUR)
    changed = club.ask("PATCH", f"/games/{other}/access", "scribe", json={"open_to": "members"})
    assert changed.json()["data"]["open_to"] == "members"
    for path in (f"/games/{other}", f"/games/{other}/exports/record", f"/games/{other}/events"):
        assert club.get(path).status_code == 401, path
    for path in ("/games", "/tournaments", f"/tournaments/{event}", f"/tournaments/{event}/rounds"):
        assert other not in club.get(path).text, path
    club.ask("PATCH", f"/tournaments/{event}/access", "organiser", json={"open_to": "members"})
    for path in ("/tournaments", f"{API}/tournaments"):
        listed = club.client.get(path)
        assert listed.status_code == 200
        assert event not in listed.text, path
    for role, scope, found in (("spectator", event, True), ("seat:A", other, True),
                               ("spectator", "", True), ("judge", "game-x", False)):  # fmt: skip
        assert (event in club.get("/tournaments", role, scope=scope).text) is found, (role, scope)
