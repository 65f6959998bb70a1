"""Whatever happens at a delayed table, whoever comes to its stream hears what they could read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from answers.admin.access import set_rules
from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import finish, reopen
from answers.review.entries import entries
from engines.kernel.messages.catalogue import LANGUAGES
from referee.table.author import JUDGE, By
from referee.tournament.events import PenaltyGiven, Registered
from service import broadcast_delay
from service.auth import AccessControl, Principal
from service.event_hub import EventHub
from service.metrics import Metrics
from service.problems import voice_in
from service.settings import Settings
from service.sse import Opened
from tests.answers.conftest import SETUP
from tests.opening import new_table
from tests.tournament.hosting import duels
from tests.waiting import PATIENCE

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
            heard = [_told(event.content) for event in await feed.behind(known)]
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
                told = await alone.behind(0)
                assert await feed.behind(0) == told, (operation, principal, lang)
                assert told or principal.scope == tournament, (operation, principal)


def opened(hub: EventHub, operation: str, caller: Caller, path: dict[str, str]) -> Opened:
    if operation == "game-events":
        return hub.of_game(caller, path["game"])
    if operation == "tournament-events":
        return hub.of_tournament(caller, path["tournament"])
    return hub.of_store(caller)


def test_whoever_shares_a_feed_hears_what_they_would_hear_alone() -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(follow_all(), PATIENCE))).result()
