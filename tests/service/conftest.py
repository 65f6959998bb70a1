"""A service in this process, asked over ASGI, and visitors of every kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from answers.context import Caller, StoreContext, open_store_context
from answers.play.actions import log
from service import client_timeouts
from service.app import make_app
from service.device import COOKIE, as_cookie
from service.problems import MEDIA
from service.rate_limit import SharedTokenBuckets, TokenBuckets
from service.settings import Limits, Settings
from tests.answers.conftest import SETUP
from tests.doors import of_commands, told_in
from tests.opening import new_table
from tests.waiting import PATIENCE

API = "/api/v1"
JSON = "application/json"
HERE = {"Origin": "http://testserver"}
PLENTY = Limits(
    reads_a_second=100_000,
    reads_a_second_of_address=100_000,
    writes_a_second=100_000,
    wrong_codes_a_minute=100_000,
)


@dataclass
class Club:
    """A house, its service, and the tokens of those who come."""

    store_context: StoreContext
    client: TestClient
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)
    keeps_cookies: bool = False
    heard: list[str] = field(default_factory=list)
    """Every sentence that was sent to somebody who is no program."""
    ended: str = ""
    """The token of a role that every device has had before."""

    def token(self, role: str, scope: str = "") -> str:
        if (role, scope) not in self.tokens:
            person = "anonymous" if role == "spectator" else f"p{role.replace(':', '')[:6].lower()}"
            _, self.tokens[role, scope] = self.store_context.access.give(role, scope, person)
        return self.tokens[role, scope]

    def device(self, *tokens: str) -> dict[str, str]:
        """What a browser sends that has these roles, and one that has ended before them."""
        if not self.ended:
            token, self.ended = self.store_context.access.give("organiser", "", "pended")
            self.store_context.access.revoke(token.id)
        return {"Cookie": f"{COOKIE}={as_cookie([self.ended, *tokens])}", **HERE}

    def ask(
        self,
        method: str,
        path: str,
        role: str | None = None,
        *,
        scope: str = "",
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> Response:
        """A request by somebody in a role, or by nobody."""
        told = dict(headers or {})
        if role is not None:
            told |= self.device(self.token(role, scope))
        place = path if path.startswith(("/api", "/j/")) else API + path
        reply = self.client.request(method, place, headers=told, **more)
        if not self.keeps_cookies:
            self.client.cookies.clear()
        spoken = reply.headers.get("content-type") in (JSON, MEDIA) and method != "HEAD"
        if spoken and "Referee-Voice" not in told:
            sent = told_in(reply.json())
            self.heard += sent
            assert of_commands(sent) == []
        return reply

    def get(self, path: str, role: str | None = None, **more: Any) -> Response:
        return self.ask("GET", path, role, **more)

    def post(self, path: str, role: str | None = None, said: Any = None, **more: Any) -> Response:
        return self.ask("POST", path, role, json={} if said is None else said, **more)


def embedded(page: str) -> dict[str, Any]:
    """The data that the scripts of a page read in it."""
    found = re.search(r'<script type="application/json" id="data"[^>]*>(.*?)</script>', page, re.S)
    assert found is not None, page
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture(params=["ReadByH11", "ReadByHttptools"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are read by either of the two, whichever is installed in the end."""
    read_by = getattr(client_timeouts, request.param, None)
    if read_by is None:
        pytest.skip("httptools is not installed")
    monkeypatch.setattr("service.server.Listening", read_by)


@pytest.fixture
def make_club(tmp_path: Path) -> Iterator[Callable[..., Club]]:
    clients: list[TestClient] = []

    def made(store_context: StoreContext | None = None, **settings: Any) -> Club:
        store_context = store_context or open_store_context(f"sqlite://{tmp_path}/games.db")
        chosen = Settings(**{"hosts": ("testserver",), "limits": PLENTY, **settings})
        client = TestClient(make_app(store_context, chosen), raise_server_exceptions=False)
        client.__enter__()
        clients.append(client)
        return Club(store_context, client)

    yield made
    for client in clients:
        client.__exit__(None, None, None)


class Receiver:
    """An address of somebody's own, and what has come there."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status, self.headers = 204, dict[str, str]()
        self.holds: Event | None = None
        here = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                if here.holds is not None:
                    here.holds.wait(PATIENCE)
                content = self.rfile.read(int(self.headers["Content-Length"]))
                here.got.append((dict(self.headers), content))
                self.send_response(here.status)
                for name, value in here.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *said: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/told?by=us"
        Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(content) for _, content in self.got]

    @property
    def types(self) -> list[str]:
        return [each["type"] for each in self.told]


@pytest.fixture
def receivers() -> Iterator[Callable[[], Receiver]]:
    made: list[Receiver] = []

    def make() -> Receiver:
        made.append(Receiver())
        return made[-1]

    yield make
    for each in made:
        each.server.shutdown()
        each.server.server_close()


@pytest.fixture
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No token comes back: what a bucket holds is counted, however slow the machine is."""
    for kind in (TokenBuckets, SharedTokenBuckets):
        monkeypatch.setattr(kind.__init__, "__defaults__", (lambda: 0.0,))


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    return make_club()


@pytest.fixture
def game(club: Club) -> str:
    """A table of Benevolent after its set-up and two turns."""
    scribe = Caller(club.store_context)
    opened = new_table(scribe, "benevolent", "A=blue B=red first A", players={"A": "Ana"})
    log(scribe, opened, SETUP)
    return opened
