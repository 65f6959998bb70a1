"""The live channel, used at random, against the simplest account of what each reader hears."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from answers.context import open_store_context
from service.auth import AccessControl
from service.event_hub import EventHub, Feed, Rendered, ServerSentEvent, event
from service.metrics import Metrics
from service.settings import Limits, Settings
from service.sse import EventStream
from tests.waiting import PATIENCE

KEY = ("game-1", "public", "en")
KEEP = 3


@dataclass(eq=False)
class Reader:
    """A client that comes back with the last id it has heard, until it is told to go."""

    begin: int
    let_in: bool = True
    heard: list[int] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    deliveries: int = 0

    @property
    def last(self) -> int:
        return self.heard[-1] if self.heard else self.begin


class LiveMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.stored: list[ServerSentEvent] = []
        self.readers: list[Reader] = []
        chosen = Settings(limits=Limits(behind=KEEP), ping=PATIENCE)
        self.hub = EventHub(AccessControl(open_store_context("memory:")), chosen, Metrics())

    def teardown(self) -> None:
        for reader in self.readers:
            self.let_go(reader)
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    @property
    def latest(self) -> int:
        return len(self.stored) - 1

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    # what clients do

    async def follow(self, reader: Reader) -> None:
        """Open a stream, and another one behind what was heard whenever it ends."""

        async def admitted(_: bytes) -> bool:
            return reader.let_in

        while reader.let_in:
            begin = min(reader.last, self.latest)
            with ExitStack() as open_stream:
                made = Feed(self.rendered, self.latest, KEEP)
                feed = open_stream.enter_context(self.hub.subscribe(KEY, lambda made=made: made))
                stream = EventStream(self.hub.follow(feed, begin), begin, ExitStack(), admitted)
                await stream({}, _never, self.hearing(reader))  # type: ignore[arg-type]

    def rendered(self, after: int) -> Rendered:
        return Rendered([told for told in self.stored if told.id > after])

    def hearing(self, reader: Reader) -> Any:
        async def send(message: dict[str, Any]) -> None:
            reader.deliveries += b"event: entry" in message.get("body", b"")
            for line in message.get("body", b"").splitlines():
                if line.startswith(b"id: ") and b"event: entry" in message["body"]:
                    reader.heard.append(int(line[4:]))

        return send

    # rules

    @rule(count=st.integers(1, 6), pause=st.booleans())
    def store(self, count: int, pause: bool) -> None:
        for _ in range(count):
            self.stored.append(event("entry", len(self.stored), {}))
        self.loop.call_soon(self.hub._stored, {KEY[0]}, count)
        if not pause:
            self.all_have_heard()

    @precondition(lambda self: len(self.readers) < 4)
    @rule(after=st.integers(-1, 30))
    def come(self, after: int) -> None:
        """Behind any id: the beginning, the middle, or one that there never was."""
        reader = Reader(min(after, self.latest))
        reader.task = self.loop.create_task(self.follow(reader))
        self.readers.append(reader)

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def revoke(self, data: st.DataObject) -> None:
        self.let_go(self.readers.pop(data.draw(st.integers(0, len(self.readers) - 1))))

    def let_go(self, reader: Reader) -> None:
        """Nothing that is stored from now on reaches them, and their stream ends at once.

        One delivery may be on its way: it was asked for while they were still let in.
        """
        before, stored = reader.deliveries, self.latest
        reader.let_in = False
        self.stored.append(event("entry", len(self.stored), {}))
        self.loop.call_soon(self.hub._stored, {KEY[0]}, 1)
        self.loop.call_soon(self.hub.ask_again)
        assert reader.task is not None
        self.run(reader.task)
        assert reader.deliveries <= before + 1
        assert reader.last <= stored
        self.heard_in_order(reader)

    @rule()
    def all_have_heard(self) -> None:
        """Everything behind where they began, each entry once, in order."""

        async def caught_up() -> None:
            while any(reader.last < self.latest for reader in self.readers):
                await asyncio.sleep(0.001)

        self.run(caught_up())
        for reader in self.readers:
            self.heard_in_order(reader)
            assert reader.last == self.latest

    def heard_in_order(self, reader: Reader) -> None:
        expected = range(reader.begin + 1, reader.begin + 1 + len(reader.heard))
        assert reader.heard == list(expected)


async def _never() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError("nothing comes")


@pytest.mark.parametrize("examples", [30, pytest.param(500, marks=pytest.mark.deep)])
def test_every_reader_hears_each_entry_once_and_who_is_let_go_hears_nothing(examples: int) -> None:
    chosen = settings(max_examples=examples, stateful_step_count=12, deadline=None)
    with ThreadPoolExecutor(1) as thread:  # a browser test leaves a loop running in its own
        thread.submit(run_state_machine_as_test, LiveMachine, settings=chosen).result()
