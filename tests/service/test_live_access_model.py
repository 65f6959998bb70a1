"""Whatever happens at a delayed table, whoever comes to its stream hears what they could read; and
whatever becomes of their role, they are told as long as they may see it in that role.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.requests import Request

from answers.admin.access import set_rules
from answers.context import Caller, StoreContext, open_store_context
from answers.i18n import Voice
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import finish, reopen
from answers.review.entries import entries
from engines.kernel.messages.catalogue import LANGUAGES
from referee.record.entries import SPECTATOR
from referee.store.sidecars.access import AccessPolicy, moment
from referee.table.author import JUDGE, By
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import Heard
from referee.tournament.events import PenaltyGiven, Registered
from service import broadcast_delay
from service.auth import AccessControl, Principal
from service.device import COOKIE, as_cookie
from service.dispatch import Dispatcher
from service.event_hub import EventHub
from service.metrics import Metrics
from service.openapi import LIVE
from service.problems import voice_in
from service.settings import Settings
from service.sse import EventStream, Opened, stream_routes
from service.thread_pool import ThreadPool
from tests.answers.conftest import SETUP
from tests.deep import first
from tests.opening import new_table
from tests.proofs.twins import TWINS
from tests.tournament.hosting import duels
from tests.waiting import PATIENCE, awaited

STEPS = ("log", "undo", "close", "reopen", "told at once", "told later", "come", "come", "come")
COMERS = ("spectator", "judge", "scribe", "seat:A", "seat:B")
Step = tuple[str, int]


class Table:
    """A table with secrets that strangers may watch, and all who came to its stream and stayed."""

    def __init__(self, stayed: ExitStack) -> None:
        context = open_store_context("memory:")
        self.control, self.stayed = AccessControl(context), stayed
        self.hub = EventHub(self.control, Settings(), Metrics())
        self.scribe = Caller(context)
        hidden = {"open_holdings": "no"}
        line = "A=blue B=red first A"
        opened = new_table(self.scribe, "benevolent", line, readings=hidden)
        self.game, self.lines, self.closed = opened, iter(SETUP), False
        set_rules(self.scribe, self.game, open_to="everybody", delay_entries=2)

    def go(self, what: str, number: int) -> None:
        if what == "log" and not self.closed and (line := next(self.lines, None)):
            log(self.scribe, self.game, [line])
        elif what == "undo" and not self.closed and self.scribe.game(self.game).last_counting:
            undo(self.scribe, self.game)
        elif what == "close" and not self.closed:
            finish(self.scribe, self.game, reason="late", yes=True)
            self.closed = True
        elif what == "reopen" and self.closed:
            reopen(self.scribe, self.game, "not yet")
            self.closed = False
        elif what.startswith("told"):
            delay = 0 if what == "told at once" else 1 + number % 3
            set_rules(self.scribe, self.game, delay_entries=delay)

    async def check(self, number: int) -> None:
        """Somebody comes, or comes back, hears what is new to them in their language, and stays."""
        role, lang = COMERS[number % 5], LANGUAGES[number // 5 % 2]
        principal = Principal("visitor", role, "" if role == "judge" else self.game)
        if role == "spectator":
            principal = Principal("visitor")
        voice = Voice(lang)
        caller = self.control.caller(principal, "game-events", {"game": self.game}, voice)
        key, made, _ = self.hub.of_game(caller, self.game)
        feed = self.stayed.enter_context(self.hub.subscribe(key, lambda: made))
        feed.touch()
        known = self.scribe.game(self.game).version - number // 10
        with _time_stands():
            heard = [_told(event.content) for event in await feed.behind(known, feed.last)]
            rows = entries(caller, self.game, after=known).data.entries
        assert heard == [(row.entry, row.model_dump(mode="json")) for row in rows]


@contextmanager
def _time_stands() -> Iterator[None]:
    """The end of a game is told after some time: all who are asked here are asked at once."""
    with patch.object(broadcast_delay, "datetime", wraps=datetime) as stopped:
        stopped.now.return_value = datetime.now(UTC)
        yield


def _told(content: bytes) -> tuple[int, object]:
    """The id and the data of an event."""
    lines = dict(line.split(": ", 1) for line in content.decode().strip().splitlines())
    return int(lines["id"]), json.loads(lines["data"])


async def tell(steps: list[Step]) -> None:
    with ExitStack() as stayed:
        table = Table(stayed)
        for what, number in steps:
            if what == "come":
                await table.check(number)
            else:
                table.go(what, number)
        for number in range(0, 70, 7):
            await table.check(number)


@example([(what, 30) for what in ("log", "log", "come", "close", "come", "reopen", "come")])
@example([(what, 30) for what in ("told at once", "log", "come", "log", "come", "told later")])
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 69)), max_size=25))
def test_whoever_comes_hears_what_they_could_read(steps: list[Step]) -> None:
    with ThreadPoolExecutor(1) as thread:  # a browser test leaves a loop running in its own
        thread.submit(lambda: asyncio.run(asyncio.wait_for(tell(steps), PATIENCE))).result()


def readers(table: Table, tournament: str) -> Iterator[tuple[str, Principal, dict[str, str]]]:
    """Every feed, and who may follow it: in a role, with a token of any scope."""
    for role in COMERS:
        yield "game-events", Principal("t1", role, table.game), {"game": table.game}
    for scope in ("", tournament):
        yield "tournament-events", Principal("t2", "judge", scope), {"tournament": tournament}
    for person in ("pana", "pbo"):
        player = Principal(person, "player", tournament, person)
        yield "tournament-events", player, {"tournament": tournament}
    for scope in ("", tournament, table.game):
        yield "events", Principal("t3", "judge", scope), {}
        beside = frozenset((table.game,))
        yield "events", Principal("t3", "judge", scope, on_tables=beside), {}


async def follow_all() -> None:
    with ExitStack() as stayed:
        table = Table(stayed)
        log(table.scribe, table.game, SETUP)
        undo(table.scribe, table.game)
        desk = table.control.store_context.desk
        tournament = desk.create("Spring Cup", duels()).id
        desk.tell(tournament, Registered(player="pana"), Registered(player="pbo"))
        set_rules(table.scribe, tournament, open_to="everybody", delay_seconds=3600)
        for player in ("pana", "pbo"):
            warned = PenaltyGiven(player=player, halves=1, reason="late")
            desk.tell(tournament, warned, by=By(JUDGE))
        for lang in (*LANGUAGES, *reversed(LANGUAGES)):
            for operation, principal, path in readers(table, tournament):
                caller = table.control.caller(principal, operation, path, voice_in(lang))
                key, alone, _ = opened(table.hub, operation, caller, path)
                feed = stayed.enter_context(table.hub.subscribe(key, lambda made=alone: made))
                _, alone, _ = opened(table.hub, operation, caller, path)
                told = await alone.behind(0, alone.last)
                assert await feed.behind(0, feed.last) == told, (operation, principal, lang)
                assert told or principal.scope == tournament, (operation, principal)


def opened(hub: EventHub, operation: str, caller: Caller, path: dict[str, str]) -> Opened:
    if operation == "game-events":
        return hub.of_game(caller, path["game"])
    if operation == "tournament-events":
        return hub.of_tournament(caller, path["tournament"])
    return hub.of_store(caller)


def test_a_judge_hears_on_the_device_on_a_table_what_everybody_there_may_know() -> None:
    """The others at the table look at it too."""
    make, hand, _ = TWINS["a photographed hand"]
    bench, game = make(hand)
    control = AccessControl(StoreContext(bench.store, bench))
    hub, told = EventHub(control, Settings(), Metrics()), []
    for on_tables in (frozenset[str](), frozenset((game,))):
        principal = Principal("t1", "judge", "", on_tables=on_tables)
        judge = control.caller(principal, "events", {}, Voice("en"))
        calls = [_told(event.content)[1] for event in hub.of_store(judge)[1]._render(0).events]
        (row,) = entries(judge, game).data.entries[-1:]
        assert calls[-1] == {"game": game, **row.model_dump(mode="json")}
        told.append(str(calls))
    assert hand in told[0]
    assert hand not in told[1]


def test_whoever_shares_a_feed_hears_what_they_would_hear_alone() -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(follow_all(), PATIENCE))).result()


# whoever stays

HELD = (
    ("organiser", ""), ("judge", ""), ("scribe", ""), ("judge", "event"), ("judge", "other"),
    ("seat:A", "game"), ("seat:B", "game"), ("seat:A", "other"), ("table", "game"),
    ("spectator", "game"), ("player", "event"), ("player", "event"), ("player", "elsewhere"),
)  # fmt: skip
PEOPLE = ("pana", "pbo", "pcy")
EVENT_OF = {"game": "event", "other": ""}
FOLLOWED = (
    ("game-events", "game"), ("game-events", "game"), ("game-events", "other"), ("events", ""),
    ("tournament-events", "event"), ("tournament-events", "elsewhere"),
)  # fmt: skip
"""The streams, and what each is about: a game, an event, or the whole store."""
ALWAYS = 1_000_000
Who = tuple[str, str, str]
"""In which role somebody sees a stream, for what, and who they are."""
NOBODY: Who = (SPECTATOR, "nowhere", "anonymous")


@dataclass
class Token:
    """One that was given, on paper: its role, for how many hours it is good, and its secret."""

    who: Who
    hours: int
    secret: str
    id: str
    revoked: bool = False


class Asker(NamedTuple):
    """How somebody has asked for a stream: with a token, by cookie, or as somebody else."""

    tokens: list[Token]
    by_cookie: bool
    speaks_as: str


class Follower(NamedTuple):
    asker: Asker
    about: str
    sees_as: Who
    hours: int
    """It ends with the token it was opened with."""
    response: EventStream


class House:
    """Two events and two tables, all roles in it, and the streams that are open; time is told."""

    def __init__(self, rng: Random) -> None:
        context = open_store_context("memory:")
        self.hours = 0
        self.access, self.bench, self.rng = context.access, context.bench, rng
        context.access._clock = self.clock
        service = Dispatcher.of(context, Settings())
        self.threads = ThreadPool.for_store("memory:")
        hub = EventHub(service.access_control, Settings(), Metrics())
        routes = stream_routes(service, hub, self.threads)
        self.endpoints = {name: each.endpoint for name, each in zip(LIVE, routes, strict=True)}
        events = {name: context.desk.create(name, duels()).id for name in ("event", "elsewhere")}
        self.seats = {"A": "pana", "B": "pbo"}
        place, line = f"{events['event']}/r1/t1", "table A B first A"
        tables = [
            open_game(context.bench, "pebbles", line, seats=self.seats, tournament=place),
            open_game(context.bench, "pebbles", line),
        ]
        self.ids = {"": "", "nowhere": "nowhere", **events}
        for name, opened in zip(("game", "other"), tables, strict=True):
            assert isinstance(opened, Heard)
            self.ids[name] = opened.game.id
        self.open_to = dict[str, str]()
        self.tokens: list[Token] = []
        self.followers: list[Follower] = []
        self.ended = Counter[str]()
        self.last = ""

    def clock(self) -> str:
        return moment(timedelta(hours=self.hours))

    # what happens

    def give(self) -> None:
        (role, scope), person = self.rng.choice(HELD), self.rng.choice(PEOPLE)
        hours = self.rng.choice([self.hours + 2, self.hours + 4, ALWAYS, ALWAYS])
        lasts = timedelta(hours=hours) if hours != ALWAYS else None
        given, secret = self.access.give(role, self.ids[scope], person, lasts)
        self.tokens.append(Token((role, scope, person), hours, secret, given.id))

    def revoke(self) -> None:
        held = [token for each in self.followers for token in each.asker.tokens]
        token = self.rng.choice(held or self.tokens)
        self.access.revoke(token.id)
        token.revoked = True

    def rules(self) -> None:
        """Sometimes others, sometimes the same again, or what concerns nobody who looks on."""
        stream, known = self.rng.choice(["game", "other", "event"]), AccessPolicy()
        open_to = self.rng.choice([known.open_to, "members", "everybody"])
        rules = known._replace(open_to=open_to, seats_log=self.rng.random() < 0.5)
        self.access.set_rules(self.ids[stream], rules)
        self.open_to[stream] = open_to

    def reseat(self) -> None:
        self.seats = dict(zip("AB", self.rng.sample(PEOPLE, 2), strict=True))
        correct(self.bench, self.ids["game"], 0, remove=0, seats=self.seats, by=By(JUDGE))

    def pass_time(self) -> None:
        self.hours += 1

    async def come(self) -> None:
        """Somebody opens a stream, who is let in or not."""
        for _ in range(3):
            self.give()
        tokens = self.rng.sample(self.tokens[-6:], self.rng.choice([0, 1, 1, 2, 3]))
        by_cookie = len(tokens) != 1 or self.rng.random() < 0.5
        speaks_as = self.rng.choice(["", "", "", "judge", "player"]) if tokens else ""
        asker = Asker(tokens, by_cookie, speaks_as)
        name, about = self.rng.choice(FOLLOWED)
        wanted = self.sees_as(asker, about)
        response = await self.endpoints[name](self.request(asker, about))
        assert isinstance(response, EventStream) == (wanted is not None), (asker, about, response)
        if isinstance(response, EventStream):
            assert wanted is not None
            token = self.chosen(asker, about)
            hours = token.hours if token is not None else ALWAYS
            self.followers.append(Follower(asker, about, wanted, hours, response))

    def request(self, asker: Asker, about: str) -> Request:
        headers = [(b"referee-as", f":{asker.speaks_as}".encode())] if asker.speaks_as else []
        if asker.by_cookie:
            cookie = as_cookie([each.secret for each in asker.tokens])
            headers.append((b"cookie", f"{COOKIE}={cookie}".encode()))
        elif asker.tokens:
            headers.append((b"authorization", f"Bearer {asker.tokens[0].secret}".encode()))
        name = "game" if about in EVENT_OF else "tournament"
        path = {name: self.ids[about]} if about else {}
        scope = {
            "type": "http", "method": "GET", "path": "/", "path_params": path, "scheme": "http",
            "headers": headers, "query_string": b"", "client": ("192.0.2.1", 1),
        }  # fmt: skip
        return Request(scope)

    async def ask(self) -> None:
        """Something is told to all who are there; whoever may not hear it is there no more."""
        stay = []
        for each in self.followers:
            told = await each.response._admitted(b"id: 1\n")
            ends = each.response._expires
            told = told and (ends is None or ends > self.clock())
            same = self.sees_as(each.asker, each.about) == each.sees_as
            assert told == (same and each.hours > self.hours), each[:3]
            if told:
                stay.append(each)
            else:
                self.ended[self.last] += 1
                each.response._reading.close()
        self.followers = stay

    # on paper

    def chosen(self, asker: Asker, about: str) -> Token | None:
        """Of the roles of a device the one of the table it lies on, or the first that reaches."""
        good = [each for each in asker.tokens if not each.revoked and each.hours > self.hours]
        tables = [each for each in good if each.who[:2] == ("table", about)]
        fit = [each for each in good if about and reaches(each.who[1], about)]
        at_a_table = [each for each in good if about and EVENT_OF.get(each.who[1]) == about]
        return next(iter([*tables, *fit, *at_a_table, *good]), None)

    def sees_as(self, asker: Asker, about: str) -> Who | None:
        """As whom somebody may see a stream now, if at all."""
        token = self.chosen(asker, about)
        if token is None and not asker.by_cookie:
            return None
        role, scope, person = token.who if token is not None else NOBODY
        if asker.speaks_as:
            if (role, scope) != ("organiser", ""):
                return None
            role, person = asker.speaks_as, "anonymous"
        reached = reaches(scope, about)
        if not about:
            return (role, scope, person) if role in ("organiser", "judge") else None
        if about in EVENT_OF and role == "player" and reached:
            seats = [each for each, name in self.seats.items() if name == person]
            at_table = about == "game" and seats
            return (f"seat:{seats[0]}", about, person) if at_table else (SPECTATOR, scope, person)
        if reached:
            return role, scope, person
        followed = self.open_to.get(about) or self.open_to.get(EVENT_OF.get(about, ""))
        if about in EVENT_OF:
            return NOBODY if followed == "everybody" else None
        sits_there = EVENT_OF.get(scope) == about
        return (SPECTATOR, scope, "anonymous") if followed == "everybody" or sits_there else None


def reaches(scope: str, about: str) -> bool:
    return scope in ("", about) or scope == EVENT_OF.get(about)


async def follow_and_lose(seed: int) -> Counter[str]:
    rng = Random(seed)
    house = House(rng)
    house.threads.open()
    steps = [house.revoke, house.rules, house.reseat, house.reseat, house.pass_time, None]
    try:
        for _ in range(400):
            if len(house.followers) < 8:
                await house.come()
            step = rng.choice(steps)
            if step is not None and house.followers:
                step()
                house.last = step.__name__
            if rng.random() < 0.7:
                await house.ask()
        for each in house.followers:
            each.response._reading.close()
    finally:
        await house.threads.close()
    return house.ended


@pytest.mark.parametrize("seed", first(1, range(8)))
def test_whoever_stays_is_told_as_long_as_they_may_see_it_in_that_role(seed: int) -> None:
    ended = awaited(follow_and_lose(seed))
    assert all(ended[why] > 3 for why in ("revoke", "rules", "reseat", "pass_time")), ended
