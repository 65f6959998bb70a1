"""Whoever follows a game or an event hears what they would hear alone: whoever shares their feed,
whoever opened it first, and whatever is decided about delays while they follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Literal
from unittest.mock import patch

import pytest
from starlette.requests import Request

from answers.context import Caller, StoreContext
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import finish, reopen
from referee.store import Draft, open_store
from referee.store.sidecars.access import AccessPolicy
from referee.table.author import JUDGE, By
from referee.table.bench import Bench
from referee.tournament import events, held_back
from referee.tournament.desk import Desk
from service import broadcast_delay
from service.asgi import without_body
from service.dispatch import Dispatcher
from service.event_hub import EventHub
from service.metrics import Metrics
from service.openapi import LIVE
from service.settings import Settings
from service.sse import EventStream, stream_routes
from service.thread_pool import ThreadPool
from tests.answers.conftest import SETUP
from tests.deep import first
from tests.store.writers import SIGNED
from tests.tournament.hosting import duels
from tests.waiting import awaited

PEOPLE = ("pana", "pbo", "pcy", "pdan")
VOICES = ("", "", "marked; thorough")
START = datetime(2026, 1, 1, tzinfo=UTC)


class Reader:
    """A client with a token, or none, that comes back behind what it has heard."""

    def __init__(self, role: str, secret: str | None, operation: str, voice: str) -> None:
        self.role, self.secret, self.operation, self.voice = role, secret, operation, voice
        self.last = 0
        self.stream: EventStream | None = None

    def __repr__(self) -> str:
        return f"{self.role or 'nobody'} of {self.operation} behind {self.last} {self.voice}"


class Hall:
    """An event, a table of it on which a record is kept, and who follow the one or the other."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.late, self.ended = rng, timedelta(), Counter[str]()
        store = open_store("memory:")
        context = StoreContext(store, Bench(store, clock=self.clock))
        context.__dict__["desk"] = self.desk = Desk(context.bench, clock=self.clock)
        self.judge, self.access = Caller(context, JUDGE), context.access
        self.event = self.desk.create("Cup", duels()).id
        for each in PEOPLE:
            self.tell(events.Registered(player=each), events.CheckedIn(player=each))
        self.desk.pair(self.event, seed=1)
        self.tell(events.RoundStarted(round=1))
        self.game = self.desk.open_table(self.event, 1, 1, "A=blue B=red first A")[0].game.id
        self.access.set_rules(self.event, AccessPolicy("everybody"))
        self.lines = iter(SETUP * 9)
        visitors = [*self.visitors()]
        players = [each for each in visitors if each.role == "player" and each.operation[0] == "t"]
        self.readers = [
            *players,
            *rng.sample([each for each in visitors if each not in players], 5),
        ]
        self.service = Dispatcher.of(context, Settings())
        self.threads = ThreadPool.for_store("memory:")
        self.hub = EventHub(self.service.access_control, Settings(ping=0), Metrics())
        routes = stream_routes(self.service, self.hub, self.threads)
        self.endpoints = {name: each.endpoint for name, each in zip(LIVE, routes, strict=True)}

    def visitors(self) -> Iterator[Reader]:
        """In every role, with a token or without one."""
        held = [("organiser", "", "po"), ("judge", self.event, "pj"), ("scribe", self.event, "ps")]
        held += [
            (f"seat:{seat}", self.game, each) for seat, each in zip("AB", PEOPLE, strict=False)
        ]
        held += [("player", self.event, person) for person in PEOPLE]
        held += [("spectator", self.event, "px"), ("table", self.game, "pt")]
        for role, scope, person in held:
            secret = self.access.give(role, scope, person)[1]
            for operation in ("game-events", "tournament-events"):
                yield Reader(role, secret, operation, self.rng.choice(VOICES))
        yield Reader("", None, "tournament-events", "")
        yield Reader("", None, "game-events", "")

    # what happens

    def clock(self) -> str:
        at = START + self.late
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def tell(self, *told: events.Event) -> None:
        self.desk.tell(self.event, *told)

    def go(self, what: str) -> None:
        game = self.judge.game(self.game)
        if what == "log" and game.closed is None:
            log(self.judge, self.game, [next(self.lines)])
        elif what == "undo" and game.closed is None and game.last_counting:
            undo(self.judge, self.game)
        elif what == "end" and game.closed is None:
            finish(self.judge, self.game, reason="late", yes=True)
        elif what == "end":
            reopen(self.judge, self.game, "not yet")
        elif what == "penalty":
            halves = self.rng.choice((0, 1, 2))
            player = self.rng.choice(PEOPLE)
            given = events.PenaltyGiven(player=player, halves=halves, reason="late")
            self.desk.tell(self.event, given, by=By(JUDGE))
        elif what == "result":
            self.result(self.rng.choice((1, 2)))
        elif what == "wall":
            self.tell(events.WallTurned())
        elif what == "rules":
            stream = self.rng.choice((self.event, self.event, self.game))
            entries, seconds = self.rng.choice(((0, 0), (0, 0), (0, 5), (0, 600), (2, 0), (1, 5)))
            self.access.set_rules(stream, AccessPolicy("everybody", entries, seconds))
        elif what == "time":
            self.late += timedelta(seconds=self.rng.choice((3, 6, 1000)))

    def result(self, table: int) -> None:
        entered = self.desk.load(self.event).now.round(1).results.get(table)
        places = events.Outcome(places=self.rng.choice(((1, 2), (2, 1))))
        if not entered:
            self.desk.enter_result(self.event, 1, table, places, "slip")

    def wake(self, what: str) -> None:
        """As the thread does that follows the store; time that passes wakes those who look."""
        if what == "rules":
            self.hub.ask_again()
        released = self.hub.released()
        for key, feed in self.hub._feeds.items():
            if what != "time" or feed.ticking or key[0] in released:
                feed.touch()

    # who listens

    def request(self, reader: Reader) -> Request:
        headers = [(b"last-event-id", str(reader.last).encode())]
        headers += [(b"referee-voice", reader.voice.encode())] if reader.voice else []
        if reader.secret is not None:
            headers.append((b"authorization", f"Bearer {reader.secret}".encode()))
        of_game = reader.operation == "game-events"
        path = {"game": self.game} if of_game else {"tournament": self.event}
        scope = {
            "type": "http", "method": "GET", "path": "/", "path_params": path, "scheme": "http",
            "headers": headers, "query_string": b"", "client": ("192.0.2.1", 1),
        }  # fmt: skip
        return Request(scope)

    async def come(self, reader: Reader) -> None:
        response = await self.endpoints[reader.operation](self.request(reader))
        assert isinstance(response, EventStream), (reader, response.body)
        reader.stream, reader.last = response, response._begin

    def leave(self, reader: Reader) -> None:
        assert reader.stream is not None
        reader.stream._reading.close()
        reader.stream = None

    def alone(self, reader: Reader) -> list[bytes]:
        """What somebody is told who comes now, and whose feed nobody shares."""
        received = without_body(self.request(reader).scope)
        caller = self.service.admit_again(received, reader.operation)
        hub = EventHub(self.service.access_control, Settings(), Metrics())
        opening = hub.of_game if reader.operation == "game-events" else hub.of_tournament
        _, feed, _ = opening(caller, self.game if "game" in received.path else self.event)
        return [event.content for event in feed._render(reader.last).events]

    async def hear(self, reader: Reader, what: str) -> None:
        if reader.stream is None:
            await self.come(reader)
        alone, heard = self.alone(reader), b""
        async for content in self.told(reader, what):
            heard += content
        assert heard == b"".join(alone), (what, reader)
        if alone:
            reader.last = int(alone[-1].partition(b"id: ")[2].split()[0])

    async def told(self, reader: Reader, what: str) -> AsyncIterator[bytes]:
        """All that there is to hear, over as many streams as are opened for it."""
        while True:
            assert reader.stream is not None
            content = await anext(reader.stream._events)  # type: ignore[call-overload]
            if not await reader.stream._admitted(content):
                self.ended[what] += 1
                self.leave(reader)
                await self.come(reader)
            elif content.startswith(b": alive"):
                return
            elif not content.startswith(b"event: presence"):
                yield content


@contextmanager
def telling_time(hall: Hall) -> Iterator[None]:
    shown = partial(patch, wraps=datetime)
    with (
        shown(f"{broadcast_delay.__name__}.datetime") as one,
        shown(f"{held_back.__name__}.datetime") as other,
    ):
        for each in (one, other):
            each.now.side_effect = lambda zone: START + hall.late
        yield


async def follow(seed: int) -> Counter[str]:
    rng = Random(seed)
    hall = Hall(rng)
    steps = ("log", "log", "undo", "end", "penalty", "penalty", "result", "wall", "rules", "time")
    hall.threads.open()
    what = ""
    try:
        with telling_time(hall):
            for _ in range(50):
                young = what in ("penalty", "result") and rng.random() < 0.5
                what = "time" if young else rng.choice(steps)
                hall.go(what)
                hall.wake(what)
                for reader in rng.sample(hall.readers, len(hall.readers)):
                    await hall.hear(reader, what)
                if rng.random() < 0.4:
                    hall.leave(reader)
                    reader.last = rng.choice((reader.last, reader.last, 0))
        for reader in hall.readers:
            if reader.stream is not None:
                hall.leave(reader)
    finally:
        await hall.threads.close()
    return hall.ended


@pytest.mark.parametrize("seed", first(3, range(12)))
def test_whoever_follows_hears_what_they_would_hear_alone(seed: int) -> None:
    """Who is sent away when a delay is set comes back by itself; nothing else sends anybody."""
    assert {*awaited(follow(seed))} <= {"rules"}


async def wait_for_penalties(open_to: Literal["everybody", "members"]) -> Counter[str]:
    """What each who follows the event is told when somebody gets a penalty, and when it is old."""
    hall, told = Hall(Random(1)), Counter[str]()
    following = [each for each in hall.readers if each.operation == "tournament-events"]
    if open_to == "members":
        following = [each for each in following if each.role == "player"]
    hall.threads.open()
    try:
        with telling_time(hall):
            hall.access.set_rules(hall.event, AccessPolicy(open_to, 0, 5))
            hall.wake("rules")
            for player in PEOPLE:
                given = events.PenaltyGiven(player=player, halves=1, reason="late")
                for what, later in (("young", 0), ("time", 6)):
                    if what == "young":
                        hall.desk.tell(hall.event, given, by=By(JUDGE))
                    hall.late += timedelta(seconds=later)
                    hall.wake(what)
                    for reader in following:
                        if reader.stream is not None:
                            told[what] += len(hall.alone(reader))
                        await hall.hear(reader, what)
        for reader in following:
            hall.leave(reader)
    finally:
        await hall.threads.close()
    return told


@pytest.mark.parametrize("open_to", ["everybody", "members"])
def test_whoever_follows_an_event_is_told_what_was_held_back_when_its_time_has_come(
    open_to: Literal["everybody", "members"],
) -> None:
    told = awaited(wait_for_penalties(open_to))
    assert told["time"] > told["young"] > 0


def test_an_event_that_cannot_be_read_keeps_nobody_else_waiting() -> None:
    hall = Hall(Random(1))
    other = hall.desk.create("Spoilt", duels()).id
    hall.access.set_rules(hall.event, AccessPolicy("everybody", 0, 5))
    last = len(hall.desk.load(other).told) - 1
    draft = Draft(kind="sung", schema=1, data={"song": "ours"}, key="newer")
    hall.desk.store.append(other, [draft], expected=last, **SIGNED)
    for stream in (other, hall.event):
        hall.hub._by_stream[stream] = {(stream,)}
    with telling_time(hall):
        given = events.PenaltyGiven(player="pana", halves=1, reason="late")
        hall.desk.tell(hall.event, given, by=By(JUDGE))
        assert hall.hub.released() == []
        hall.late += timedelta(seconds=6)
        assert hall.hub.released() == [hall.event]
