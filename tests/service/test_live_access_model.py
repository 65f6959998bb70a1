"""Whatever happens at a delayed table, whoever comes to its stream hears what they could read."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from hypothesis import example, given
from hypothesis import strategies as st

from answers.admin.access import set_rules
from answers.context import Caller, open_store_context
from answers.i18n import Voice
from answers.play.actions import log
from answers.play.corrections import undo
from answers.play.lifecycle import finish, reopen
from answers.play.opening import NewAnswer, open_table
from answers.review.entries import entries
from engines.kernel import Language
from service.auth import AccessControl, Principal
from service.event_hub import EventHub
from service.metrics import Metrics
from service.settings import Settings
from tests.answers.conftest import SETUP
from tests.waiting import PATIENCE

STEPS = ("log", "undo", "close", "reopen", "told at once", "told later", "come", "come in French")
Step = tuple[str, int]


class Table:
    """A table that strangers may watch, and everybody who came to its stream and stayed."""

    def __init__(self, stayed: ExitStack) -> None:
        context = open_store_context("memory:")
        self.control, self.stayed = AccessControl(context), stayed
        self.hub = EventHub(self.control, Settings(), Metrics())
        self.scribe = Caller(context)
        opened = open_table(self.scribe, "benevolent", "A=blue B=red first A").data
        assert isinstance(opened, NewAnswer)
        self.game, self.lines, self.closed = opened.game, iter(SETUP), False
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

    async def check(self, lang: Language, back: int) -> None:
        """A stranger comes, or comes back, hears what is new to them, and stays."""
        path = {"game": self.game}
        stranger = Principal("visitor")
        caller = self.control.caller(stranger, "game-events", path, Voice(lang))
        key, made, _ = self.hub.of_game(caller, self.game)
        feed = self.stayed.enter_context(self.hub.subscribe(key, lambda: made))
        feed.touch()
        known = self.scribe.game(self.game).version - back
        heard = [event.id for event in await feed.behind(known)]
        assert heard == [row.entry for row in entries(caller, self.game, after=known).data.entries]


async def tell(steps: list[Step]) -> None:
    with ExitStack() as stayed:
        table = Table(stayed)
        for what, number in steps:
            if what.startswith("come"):
                await table.check("fr" if what.endswith("French") else "en", number)
            else:
                table.go(what, number)
        for back in range(5):
            await table.check("en", back)


@example([(what, 3) for what in ("log", "log", "come", "close", "come", "reopen", "come")])
@example([(what, 3) for what in ("told at once", "log", "come", "log", "come", "told later")])
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 6)), max_size=25))
def test_whoever_comes_hears_what_they_could_read(steps: list[Step]) -> None:
    with ThreadPoolExecutor(1) as thread:  # a browser test leaves a loop running in its own
        thread.submit(lambda: asyncio.run(asyncio.wait_for(tell(steps), PATIENCE))).result()
