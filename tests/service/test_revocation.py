"""Whoever is no longer let in hears nothing more, however busy the table is."""

from __future__ import annotations

import json
import os
import random
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from time import sleep

import pytest

from answers.context import Caller, StoreContext, open_store_context
from answers.tournament.rounds import pair, start
from referee.store.sidecars.access import AccessPolicy, OpenTo
from referee.table.author import Author
from referee.tournament.events import Registered
from tests.service.running import Running, serving
from tests.tournament.asking import swiss
from tests.waiting import PATIENCE

READERS = int(os.environ.get("REFEREE_CHAOS", "25"))
Ending = Callable[[Running, StoreContext, str, str, str], None]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path]]:
    folder = tmp_path_factory.mktemp("revoking")
    with serving(folder) as running:
        yield running, folder


def revoked(service: Running, store_context: StoreContext, game: str, id: str, person: str) -> None:
    assert service.ask("DELETE", f"/access/{id}")[0] == 200


def revoked_elsewhere(
    service: Running, store_context: StoreContext, game: str, id: str, person: str
) -> None:
    """By another program at the same store."""
    assert store_context.access.revoke(id)


def erased(service: Running, store_context: StoreContext, game: str, id: str, person: str) -> None:
    assert service.ask("DELETE", f"/people/{person}")[0] == 200


def expired(service: Running, store_context: StoreContext, game: str, id: str, person: str) -> None:
    """It does so by itself."""
    while store_context.access.find(id) is not None:
        sleep(0.05)


def made_private(
    service: Running, store_context: StoreContext, game: str, id: str, person: str
) -> None:
    assert service.ask("PATCH", f"/games/{game}/access", {"open_to": "members"})[0] == 200


def replaced(
    service: Running, store_context: StoreContext, game: str, id: str, person: str
) -> None:
    """Somebody else sits down in their seat; their token is as good as before."""
    seats = {"seats": {"B": f"Who came to {game}"}}
    assert service.ask("POST", f"/games/{game}/corrections", {"number": 0, **seats})[0] == 200


BRIEFLY = timedelta(seconds=9)
"""Long enough for a stream to be opened; a token that expires cannot be given a moment later."""

CASES: list[tuple[str, Ending]] = [
    *((role, ending) for role in ("judge", "seat:B") for ending in (revoked, erased)),
    ("spectator", revoked_elsewhere),
    ("spectator", expired),
    ("passer-by", made_private),
    ("player", replaced),
]


def table_of_an_event(store_context: StoreContext) -> tuple[str, str]:
    """An event of two, and the game at its only table."""
    desk = store_context.desk
    event = desk.create("Cup", swiss()).id
    people = [store_context.people.add(f"{name} of {event}") for name in ("Ana", "Bo")]
    desk.tell(event, *(Registered(player=person) for person in people))
    organiser = Caller(store_context, Author("pjo", "organiser"))
    pair(organiser, event, seed=1)
    start(organiser, event)
    return event, desk.open_table(event, 1, 1, "A=blue B=red first A")[0].game.id


@pytest.mark.parametrize("busy", [True, False])
@pytest.mark.parametrize(("role", "ending"), CASES)
def test_a_stream_ends_when_its_reader_is_no_longer_let_in(
    role: str, ending: Ending, busy: bool, place: tuple[Running, Path]
) -> None:
    service, folder = place
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    if role == "player":
        scope, game = table_of_an_event(store_context)
        person = store_context.bench.game(game).seats["B"]
    else:
        said = {"game": "benevolent", "table": "A=blue B=red first A"}
        scope = game = service.ask("POST", "/games", said)[1]["data"]["game"]
        person = store_context.people.add(f"Reader of {game}")
    service.ask("POST", f"/games/{game}/actions", {"lines": ["forest S1A S2A"]})
    assert service.ask("PATCH", f"/games/{game}/access", {"open_to": "everybody"})[0] == 200
    lasts = BRIEFLY if ending is expired else None
    given, token = store_context.access.give(
        role if role != "passer-by" else "spectator", scope, person, lasts
    )
    said_now, stop = [0], threading.Event()

    def write() -> None:
        while not stop.is_set():
            said_now[0] += 1
            text = {"on": "1", "text": f"note {said_now[0]}"}
            sleep(0.1)
            assert service.ask("POST", f"/games/{game}/notes", text)[0] == 200

    bearer = None if role == "passer-by" else token
    with listening(service, game, bearer) as lines:
        writer = threading.Thread(target=write)
        if busy:
            writer.start()
            while b"id: 4" not in next(lines):
                pass
        ending(service, store_context, game, given.id, person)
        last, rest = said_now[0], list(lines)
        stop.set()
        if busy:
            writer.join(PATIENCE)
    assert not [line for line in rest if line.startswith(b":")], "it goes on being kept alive"
    heard = [json.loads(line[6:]) for line in rest if line.startswith(b'data: {"entry')]
    entries = [told["entry"] for told in heard]
    assert max(entries, default=0) <= last + 1, "the first note is entry 2"
    store_context.store.close()


@pytest.mark.parametrize("ending", [revoked, revoked_elsewhere, erased])
def test_the_next_request_with_a_token_is_refused(
    ending: Ending, place: tuple[Running, Path]
) -> None:
    """However often it was good before, and in whichever process it ended."""
    service, folder = place
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    for turn in range(3):
        person = store_context.people.add(f"{ending.__name__} {turn}")
        given, token = store_context.access.give("judge", "", person)
        asked = [service.ask("GET", "/me", token=token)[0] for _ in range(3)]
        ending(service, store_context, "", given.id, person)
        assert [*asked, service.ask("GET", "/me", token=token)[0]] == [200, 200, 200, 401]
    store_context.store.close()


def test_rules_that_another_process_has_set_hold_for_the_next_request(
    place: tuple[Running, Path],
) -> None:
    service, folder = place
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    said = {"game": "benevolent", "table": "A=blue B=red first A"}
    game = service.ask("POST", "/games", said)[1]["data"]["game"]
    _, token = store_context.access.give("spectator", "game-elsewhere", "anonymous")
    rules: list[tuple[OpenTo, int]] = [("everybody", 200), ("members", 404)]
    for open_to, status in rules * 2:
        store_context.access.set_rules(game, AccessPolicy(open_to=open_to))
        asked = [service.ask("GET", f"/games/{game}", token=token)[0] for _ in range(2)]
        assert asked == [status, status]
    store_context.store.close()


@pytest.mark.deep
def test_revocations_under_load_reach_every_stream(place: tuple[Running, Path]) -> None:
    """Many readers of a busy table lose their tokens, one after the other, in any order."""
    service, folder = place
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    said = {"game": "benevolent", "table": "A=blue B=red first A"}
    game: str = service.ask("POST", "/games", said)[1]["data"]["game"]
    given = [store_context.access.give("spectator", game, f"p{n}") for n in range(READERS)]
    stop = threading.Event()
    heard: dict[str, list[int]] = {token.id: [] for token, _ in given}

    def write() -> None:
        while not stop.is_set():
            note = {"on": "0", "text": "n"}
            status, _ = service.ask("POST", f"/games/{game}/notes", note)
            assert status in (200, 429)
            sleep(0.1)

    def listen(id: str, secret: str) -> None:
        with listening(service, game, secret) as lines:
            told = (json.loads(line[6:]) for line in lines if line.startswith(b'data: {"entry'))
            heard[id] += [one["entry"] for one in told]

    readers = [threading.Thread(target=listen, args=(token.id, secret)) for token, secret in given]
    writers = [threading.Thread(target=write) for _ in range(3)]
    for thread in (*readers, *writers):
        thread.start()
    last: dict[str, int] = {}
    for id in random.Random(1).sample([*heard], READERS):
        assert service.ask("DELETE", f"/access/{id}")[0] == 200
        last[id] = service.ask("GET", f"/games/{game}")[1]["version"]
        sleep(0.05)
    for reader in readers:
        reader.join(PATIENCE)
        assert not reader.is_alive(), "a stream outlives its token"
    stop.set()
    for writer in writers:
        writer.join(PATIENCE)
    assert {id for id, entries in heard.items() if max(entries, default=0) > last[id]} == set()
    store_context.store.close()


class listening:
    """The lines of a stream until it ends; without a token, if there is none."""

    def __init__(self, service: Running, game: str, token: str | None) -> None:
        from http.client import HTTPConnection

        self._connection = HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._connection.request("GET", f"/api/v1/games/{game}/events", headers=headers)
        self._reply = self._connection.getresponse()
        assert self._reply.status == 200

    def __enter__(self) -> Iterator[bytes]:
        return iter(self._reply.readline, b"")

    def __exit__(self, *_: object) -> None:
        self._connection.close()
