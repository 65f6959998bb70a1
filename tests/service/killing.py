"""Clients that never give up, and a server that is killed under them."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException, HTTPResponse
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic, sleep

from answers.context import Caller, open_store_context
from answers.play.opening import NewAnswer, open_table
from referee.proof.verify import verify
from referee.store import open_store
from service.server import ListenAddress, listening, serve
from service.shared_state import SharedState
from tests.service.running import Running
from tests.waiting import PATIENCE, ended, received

PAUSE = 0.05
TRY_AGAIN = (429, 503)
"""Too fast, or the store is not there: nothing was acknowledged."""
_SERVERS = multiprocessing.get_context("forkserver")


class Server:
    """A service in a process of its own, which is there again in a moment after it was killed:
    it comes from a process that has all modules at hand. With the file of a shared state it is one
    of several workers, at a port of its own."""

    def __init__(self, store: str, port: int = 0, state: Path | None = None) -> None:
        here, there = _SERVERS.Pipe(duplex=False)
        args = (store, port, there, state)
        self._process = _SERVERS.Process(target=_serve, args=args, daemon=True)
        self._process.start()
        there.close()
        self.port: int = received(here)

    def kill(self) -> None:
        self._process.kill()
        ended(self._process)


def _serve(store: str, port: int, ready: Connection, state: Path | None) -> None:
    listener, place = listening(ListenAddress(port=port))
    shared = None if state is None else SharedState(state)
    context = open_store_context(store)
    serve(context, place, listener, ready=lambda: ready.send(place.port), state=shared)


@dataclass
class Client:
    """Writes notes at its own table, each with a key, until it is answered; and listens."""

    ports: Sequence[int]
    """Of nodes that serve the same store; when one does not answer, the next is asked."""
    token: str
    game: str
    stop: threading.Event
    acknowledged: list[str] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    until: int | None = None
    """The entry after which nobody listens any more."""

    @property
    def running(self) -> Running:
        return Running(None, self.ports[0], self.token)  # type: ignore[arg-type]

    def go_elsewhere(self) -> None:
        self.ports = (*self.ports[1:], self.ports[0])
        sleep(PAUSE)

    def write(self) -> None:
        while not self.stop.is_set() and not self.refused:
            text = f"note {len(self.acknowledged)}"
            if self.noted(text):
                self.acknowledged.append(text)

    def noted(self, text: str) -> bool:
        """Whether it was acknowledged before there was nothing more to be expected."""
        said, key = {"on": "0", "text": text}, text.replace(" ", "-")
        end = monotonic() + PATIENCE
        while monotonic() < end:
            try:
                path = f"/games/{self.game}/notes"
                status, _ = self.running.ask("POST", path, said, Idempotency_Key=key)
            except (OSError, HTTPException, ValueError):
                status = TRY_AGAIN[-1]
            if status not in TRY_AGAIN:
                if status != 200:
                    self.refused.append(status)
                return status == 200
            self.go_elsewhere()
        return False

    def listen(self) -> None:
        """Every entry once, however often the stream breaks."""
        while not self._has_heard_all:
            try:
                last = self.heard[-1] if self.heard else -1
                with self.running.listening(f"/games/{self.game}/events", last) as stream:
                    self._hear(stream)
            except (OSError, HTTPException):
                pass
            self.go_elsewhere()

    def _hear(self, stream: HTTPResponse) -> None:
        while not self._has_heard_all and (line := stream.readline()):
            if line.startswith(b"data: "):
                self.heard.append(json.loads(line[6:])["entry"])

    @property
    def _has_heard_all(self) -> bool:
        return self.until is not None and bool(self.heard) and self.heard[-1] >= self.until


@contextmanager
def writing(
    ports: Sequence[int], token: str, games: Sequence[str], store: str
) -> Iterator[list[Client]]:
    """Clients at their tables, for as long as it takes; then everything is looked at."""
    stop = threading.Event()
    clients = [Client(ports, token, game, stop) for game in games]
    writers = [threading.Thread(target=client.write, daemon=True) for client in clients]
    readers = [threading.Thread(target=client.listen, daemon=True) for client in clients]
    for thread in (*writers, *readers):
        thread.start()
    try:
        yield clients
    finally:
        stop.set()
    ended(*writers)
    for client, reader in zip(clients, readers, strict=True):
        _check(client, reader, store)


def killed_under_load(
    store: str, kills: int, *, nodes: int = 1, tables: int = 3, between: float = 0.3
) -> int:
    """Kill nodes of a service so often, one or all of them, while tables write; how many notes
    were acknowledged."""
    _SERVERS.set_forkserver_preload(["tests.service.killing"])
    chance = Random(kills)
    games, token = new_games(store, tables)
    servers = [Server(store) for _ in range(nodes)]
    ports = [server.port for server in servers]
    try:
        with writing(ports, token, games, store) as clients:
            for _ in range(kills):
                sleep(chance.uniform(0, 2 * between))
                killed = chance.sample(range(nodes), chance.randint(1, nodes))
                for node in killed:
                    servers[node].kill()
                for node in killed:
                    servers[node] = Server(store, ports[node])
            sleep(between)
    finally:
        for server in servers:
            server.kill()
    return sum(len(client.acknowledged) for client in clients)


def new_games(store: str, tables: int) -> tuple[list[str], str]:
    """Games on a new store, and the token of its organiser."""
    store_context = open_store_context(store)
    table = partial(open_table, Caller(store_context), "benevolent", "A=blue B=red first A")
    opened = [table().data for _ in range(tables)]
    _, token = store_context.access.give("organiser", "", "anonymous")
    store_context.store.close()
    return [one.game for one in opened if isinstance(one, NewAnswer)], token


def _check(client: Client, reader: threading.Thread, url: str) -> None:
    """Every acknowledged note is there once, in order, and its reader heard of every entry once."""
    store = open_store(url)
    rows = store.read(client.game)
    texts = [json.loads(row.body)["data"].get("text", "") for row in rows[1:]]
    assert not client.refused, f"refused: {client.refused}"
    assert texts[: len(client.acknowledged)] == client.acknowledged
    assert len(texts) <= len(client.acknowledged) + 1
    assert len(set(texts)) == len(texts)
    assert verify(client.game, rows).ok
    client.until = rows[-1].seq + 1
    assert client.noted("the end"), "the last note was never acknowledged"
    reader.join(PATIENCE)
    assert client.heard == list(range(client.until + 1)), (
        f"heard {len(client.heard)} entries, the last {client.heard[-1:]} of {client.until}"
    )
    store.close()
