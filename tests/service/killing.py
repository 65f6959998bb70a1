"""Clients that never give up, and a server that is killed under them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from time import monotonic, sleep

from referee.proof.verify import verify
from referee.store import open_store
from tests.service.running import Running, start
from tests.waiting import PATIENCE, ended

PAUSE = 0.05
TRY_AGAIN = (429, 503)
"""Too fast, or the store is not there: nothing was acknowledged."""


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
    heard_all: threading.Event = field(default_factory=threading.Event)

    @property
    def running(self) -> Running:
        return Running(None, self.ports[0], self.token)  # type: ignore[arg-type]

    def go_elsewhere(self) -> None:
        self.ports = (*self.ports[1:], self.ports[0])
        sleep(PAUSE)

    def write(self) -> None:
        number = 0
        while not self.stop.is_set():
            text = f"note {number}"
            if self._noted(text):
                self.acknowledged.append(text)
                number += 1

    def _noted(self, text: str) -> bool:
        said, key = {"on": "0", "text": text}, text.replace(" ", "-")
        while True:
            try:
                path = f"/games/{self.game}/notes"
                status, _ = self.running.ask("POST", path, said, Idempotency_Key=key)
            except (OSError, HTTPException, ValueError):
                self.go_elsewhere()
                if self.stop.is_set():
                    return False
                continue
            if status == 200:
                return True
            if status not in TRY_AGAIN:
                self.refused.append(status)
            self.go_elsewhere()

    def listen(self) -> None:
        """Every entry once, however often the stream breaks."""
        while not self.heard_all.is_set():
            try:
                last = self.heard[-1] if self.heard else -1
                with self.running.listening(f"/games/{self.game}/events", last) as stream:
                    self._hear(stream)
            except (OSError, HTTPException):
                pass
            self.go_elsewhere()

    def _hear(self, stream: HTTPResponse) -> None:
        while (line := stream.readline()) and not self.heard_all.is_set():
            if line.startswith(b"data: "):
                self.heard.append(json.loads(line[6:])["entry"])

    def wait_until_heard(self, last: int) -> None:
        deadline = monotonic() + PATIENCE
        while not self.heard or self.heard[-1] < last:
            assert monotonic() < deadline, f"heard up to {self.heard[-1:]} of {last}"
            sleep(PAUSE)
        self.heard_all.set()


Clients = list[Client]


@contextmanager
def writing(
    ports: Sequence[int], token: str, games: Sequence[str], store: str
) -> Iterator[Clients]:
    """Clients at their tables, for as long as it takes; then everything is looked at."""
    stop = threading.Event()
    clients = [Client(ports, token, game, stop) for game in games]
    writers = [threading.Thread(target=client.write) for client in clients]
    listeners = [threading.Thread(target=client.listen, daemon=True) for client in clients]
    for thread in (*writers, *listeners):
        thread.start()
    try:
        yield clients
    finally:
        stop.set()
    ended(*writers)
    for client in clients:
        check(client, store)


def killed_under_load(folder: Path, kills: int, tables: int = 3, between: float = 0.5) -> int:
    """Kill the service so often while tables write; how many notes were acknowledged."""
    store = f"sqlite://{folder}/games.db"
    open_store(store).close()
    environment = {"XDG_DATA_HOME": str(folder / "data")}
    service = start(store, **environment)
    said = {"game": "benevolent", "table": "A=blue B=red first A"}
    games = [service.ask("POST", "/games", said)[1]["data"]["game"] for _ in range(tables)]
    try:
        with writing((service.port,), service.token, games, store) as clients:
            for _ in range(kills):
                sleep(between)
                service.kill()
                service = start(store, service.port, **environment)
            sleep(between)
    finally:
        service.process.kill()
        service.process.wait()
    return sum(len(client.acknowledged) for client in clients)


def check(client: Client, url: str) -> None:
    """Every acknowledged note is there once, in order, and its reader heard of every entry once."""
    store = open_store(url)
    rows = store.read(client.game)
    store.close()
    texts = [json.loads(row.body)["data"].get("text", "") for row in rows[1:]]
    assert not client.refused, client.refused
    assert texts[: len(client.acknowledged)] == client.acknowledged
    assert len(texts) <= len(client.acknowledged) + 1
    assert len(set(texts)) == len(texts)
    assert verify(client.game, rows).ok
    client.wait_until_heard(rows[-1].seq)
    assert client.heard == list(range(len(rows)))
