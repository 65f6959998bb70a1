"""A service in a process of its own, on this computer alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from referee.store import open_store
from tests.waiting import PATIENCE

PROGRAM = (sys.executable, "-m", "cli.main")


@dataclass
class Running:
    """A service, where it listens, and the token of its organiser."""

    process: subprocess.Popen[str]
    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, said: Any = None, token: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and body of one request."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            told["Authorization"] = f"Bearer {token or self.token}"
            body = None if said is None else json.dumps(said)
            connection.request(method, f"/api/v1{path}", body, told)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read() or b"null")
        finally:
            connection.close()

    @contextmanager
    def listening(
        self, path: str, last: int | None = None, token: str | None = None
    ) -> Iterator[HTTPResponse]:
        """A live stream, from behind an event."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {token or self.token}"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        try:
            connection.request("GET", f"/api/v1{path}", headers=headers)
            yield connection.getresponse()
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """As a keeper does."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def events(stream: HTTPResponse, count: int) -> list[tuple[int, dict[str, Any]]]:
    """The next events of a stream, with their ids."""
    found: list[tuple[int, dict[str, Any]]] = []
    id = -1
    while len(found) < count:
        line = stream.readline().decode()
        assert line, "the stream has ended"
        if line.startswith("id: "):
            id = int(line[4:])
        elif line.startswith("data: "):
            found.append((id, json.loads(line[6:])))
    return found


def start(store: str, port: int = 0, workers: int = 1, *said: str, **environment: Any) -> Running:
    """Start a service on a store, and wait until it listens."""
    shared = ["--workers", str(workers)] if workers > 1 else []
    process = subprocess.Popen(
        [*PROGRAM, "--store", store, "--lang", "en", "serve", "--port", str(port), *shared, *said],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
    )
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line.rstrip("\n"))
        if "in your browser" in line:
            break
    text = "\n".join(told)
    address = re.search(r"http://127\.0\.0\.1:(\d+)", text)
    assert address is not None, text
    token = re.search(r"^Token for programs .*: (\S+)$", text, re.MULTILINE)
    assert token is not None, text
    return Running(process, int(address.group(1)), token.group(1))


@contextmanager
def serving(folder: Path, **environment: Any) -> Iterator[Running]:
    """A service on a store in this folder, ended with the test."""
    open_store(f"sqlite://{folder}/games.db").close()
    environment |= {"XDG_DATA_HOME": str(folder / "data")}
    running = start(f"sqlite://{folder}/games.db", **environment)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
