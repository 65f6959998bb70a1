"""The command line against a service on this computer, instead of a store of its own.

Whoever says nothing else speaks as the scribe, as at a store; the organiser's token may speak
for everybody.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from answers.context import StoreContext, open_store_context
from service.app import make_app
from service.settings import Limits, Settings
from tests.waiting import ended

PLENTY = Limits(
    reads_a_second=100_000,
    reads_a_second_of_address=100_000,
    writes_a_second=100_000,
    wrong_codes_a_minute=100_000,
)


@dataclass
class Served:
    """Where a service listens, the token of its organiser, and its house."""

    url: str
    organiser: str
    store_context: StoreContext

    def game(self) -> str:
        """Its only game."""
        (game,) = self.store_context.store.streams("game-")
        return game


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """A service on an empty store."""
    store_context = open_store_context("memory:")
    _, token = store_context.access.give("organiser", "", "anonymous")
    config = uvicorn.Config(
        make_app(store_context, Settings(limits=PLENTY)), port=0, log_level="warning", lifespan="on"
    )
    server = uvicorn.Server(config)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    while not server.started:
        assert running.is_alive(), "the service does not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(f"http://127.0.0.1:{port}", token, store_context)
    finally:
        server.should_exit = True
        ended(running)
        store_context.store.close()
