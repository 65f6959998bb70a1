"""Clients that never give up, and a server that is killed under them."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from time import sleep

from referee.proof.verify import verify
from referee.store import open_store
from tests.service.running import Running, start
from tests.waiting import PATIENCE

PAUSE = 0.05
TRY_AGAIN = (429, 503)
"""Too fast, or the store is not there: nothing was acknowledged."""


@dataclass
class Client:
    """Writes notes at its own table, each with a key, until it is answered; and listens."""

    port: int
    token: str
    game: str
    stop: threading.Event
    acknowledged: list[str] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    @property
    def running(self) -> Running:
        return Running(None, self.port, self.token)  # type: ignore[arg-type]

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
                sleep(PAUSE)
                if self.stop.is_set():
                    return False
                continue
            if status == 200:
                return True
            if status not in TRY_AGAIN:
                self.refused.append(status)
            sleep(PAUSE)

    def listen(self, until: int | None = None) -> None:
        """Every entry once, however often the stream breaks."""
        while not (self.stop.is_set() if until is None else self._has_heard(until)):
            try:
                last = self.heard[-1] if self.heard else -1
                with self.running.listening(f"/games/{self.game}/events", last) as stream:
                    self._hear(stream, until)
            except (OSError, HTTPException):
                sleep(PAUSE)

    def _hear(self, stream: object, until: int | None) -> None:
        while line := stream.readline():  # type: ignore[attr-defined]
            if line.startswith(b"data: "):
                self.heard.append(json.loads(line[6:])["entry"])
                if self.stop.is_set() and (until is None or self._has_heard(until)):
                    return

    def _has_heard(self, until: int) -> bool:
        return bool(self.heard) and self.heard[-1] >= until


def killed_under_load(folder: Path, kills: int, tables: int = 3, between: float = 0.5) -> int:
    """Kill the service so often while tables write; how many notes were acknowledged."""
    store = f"sqlite://{folder}/games.db"
    open_store(store).close()
    environment = {"XDG_DATA_HOME": str(folder / "data")}
    service = start(store, **environment)
    said = {"game": "benevolent", "table": "A=blue B=red first A"}
    games = [service.ask("POST", "/games", said)[1]["data"]["game"] for _ in range(tables)]
    stop = threading.Event()
    clients = [Client(service.port, service.token, game, stop) for game in games]
    threads = [threading.Thread(target=client.write) for client in clients]
    threads += [threading.Thread(target=client.listen, daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    try:
        for _ in range(kills):
            sleep(between)
            service.kill()
            service = start(store, service.port, **environment)
        sleep(between)
    finally:
        stop.set()
    for thread in threads[:tables]:
        thread.join(PATIENCE)
    try:
        for client in clients:
            _check(client, store)
    finally:
        service.process.kill()
        service.process.wait()
    return sum(len(client.acknowledged) for client in clients)


def _check(client: Client, url: str) -> None:
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
    client.listen(until=rows[-1].seq)
    assert client.heard == list(range(len(rows)))
