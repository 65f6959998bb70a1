"""Two nodes of a service on one database: what one writes all know, and whatever breaks between
them is told while it lasts and costs nothing that was acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from referee.store.maintenance.init import init
from tests.service.killing import Client, writing
from tests.service.running import Running, events, start
from tests.store.cable import Cable
from tests.store.server import NoServer, PostgresServer, running_server
from tests.waiting import PATIENCE

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from referee.store.postgres.server import postgres_server

pytestmark = pytest.mark.xdist_group("nodes")

TABLE = {"game": "benevolent", "table": "A=blue B=red first A"}
NOTICED = "tcp_user_timeout=1500&connect_timeout=2"
"""Cuts are noticed sooner than usual, so that nobody has to wait for it here."""


@dataclass
class Node:
    """A node, its own folder, and its own way to the database."""

    folder: Path
    cable: Cable
    store: str
    running: Running

    @classmethod
    def started(cls, folder: Path, server: PostgresServer, schema: str) -> Node:
        cable = Cable(server.folder / ".s.PGSQL.5432")
        store = f"postgresql://scribe@127.0.0.1:{cable.port}/postgres?schema={schema}&{NOTICED}"
        return cls(folder, cable, store, _start(folder, store))

    def ask(self, method: str, path: str, said: Any = None, **more: str) -> tuple[int, Any]:
        return admitted(self.running, method, path, said, **more)

    def data(self, method: str, path: str, said: Any = None, **more: str) -> Any:
        status, body = self.ask(method, path, said, **more)
        assert status == 200, body
        return body["data"]

    def restart(self) -> None:
        """Where it was, as the keeper of a service does with one that has died."""
        self.running = _start(self.folder, self.store, self.running.port)

    def end(self) -> None:
        self.running.process.kill()
        self.running.process.wait()
        self.cable.close()


def _start(folder: Path, store: str, port: int = 0) -> Running:
    own = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}
    return start(store, port, **own)


@dataclass
class Pair:
    server: PostgresServer
    schema: str
    first: Node
    second: Node

    @property
    def ports(self) -> tuple[int, int]:
        return self.first.running.port, self.second.running.port

    @property
    def token(self) -> str:
        return self.first.running.token

    @property
    def store(self) -> str:
        """The database itself, without a cable."""
        return self.server.url(self.schema)

    def new_games(self, count: int) -> list[str]:
        return [self.first.data("POST", "/games", TABLE)["game"] for _ in range(count)]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    try:
        with running_server() as server:
            yield from _pair(server, tmp_path_factory.mktemp("nodes"))
    except NoServer as error:
        pytest.skip(f"PostgreSQL cannot be started: {error}")


def _pair(server: PostgresServer, folder: Path) -> Iterator[Pair]:
    url = server.url()
    init(url, writers=["scribe"])
    schema = postgres_server(url).schema
    nodes: list[Node] = []
    try:
        for name in ("first", "second"):
            nodes.append(Node.started(folder / name, server, schema))
        yield Pair(server, schema, *nodes)
    finally:
        for node in nodes:
            node.end()


@pytest.fixture(params=["closed", "silent"])
def broken_cable(request: pytest.FixtureRequest) -> str:
    """A line that ends, and one into which everything disappears."""
    way: str = request.param
    return way


def admitted(
    running: Running, method: str, path: str, said: Any = None, **more: str
) -> tuple[int, Any]:
    """The answer once there is room for it: clients of the same token write as fast as they can."""
    deadline = monotonic() + PATIENCE
    while True:
        status, body = running.ask(method, path, said, **more)
        if status != 429 or monotonic() > deadline:
            return status, body
        sleep(0.05)


def problem_of(running: Running, method: str, path: str, said: Any = None) -> dict[str, Any]:
    """The refusal of a node whose database is away, once it has noticed."""
    deadline = monotonic() + PATIENCE
    while True:
        status, body = admitted(running, method, path, said)
        if status == 503:
            assert body["type"].endswith("#unavailable")
            assert isinstance(body, dict)
            return body
        assert status == 200, body
        assert monotonic() < deadline, "the node does not notice"
        sleep(0.05)


def until_more(clients: list[Client], count: int = 5) -> None:
    """Every client gets on."""
    deadline = monotonic() + PATIENCE
    wanted = [len(client.acknowledged) + count for client in clients]
    while any(
        len(client.acknowledged) < number for client, number in zip(clients, wanted, strict=True)
    ):
        assert monotonic() < deadline, "the clients do not get on"
        sleep(0.02)


def is_ready(running: Running) -> bool:
    connection = HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/api/ready")
        reply = connection.getresponse()
        assert reply.status == 200 or reply.getheader("Retry-After")
        return reply.status == 200
    finally:
        connection.close()


def until_ready(*nodes: Node) -> None:
    deadline = monotonic() + PATIENCE
    while not all(is_ready(node.running) for node in nodes):
        assert monotonic() < deadline, "a node does not come back"
        sleep(0.05)


# what one node writes


def test_any_node_writes_and_all_hear_the_same_in_the_same_order(pair: Pair) -> None:
    first, second = pair.first, pair.second
    (game,) = pair.new_games(1)
    path, token = f"/games/{game}", pair.token
    with (
        first.running.listening(f"{path}/events", 0) as here,
        second.running.listening(f"{path}/events", 0, token=token) as there,
    ):
        for number in range(6):
            node = (first, second)[number % 2]
            said = {"on": "0", "text": f"note {number}"}
            node.data("POST", f"{path}/notes", said, token=token)
        heard = [events(stream, 6) for stream in (here, there)]
    assert heard[0] == heard[1]
    assert [id for id, _ in heard[0]] == list(range(1, 7))
    assert first.data("GET", path) == second.data("GET", path)


def test_people_and_access_are_the_same_at_every_node(pair: Pair) -> None:
    first, second = pair.first, pair.second
    said = {**TABLE, "players": {"A": "Ana", "B": "Bo"}}
    game = first.data("POST", "/games", said)["game"]
    assert "Ana" in str(second.data("GET", f"/games/{game}"))
    given = first.data("POST", "/access/tokens", {"role": "scribe", "scope": game})
    noted = {"on": "0", "text": "hm"}
    path = f"/games/{game}/notes"
    for node in (second, first, first):
        assert node.ask("POST", path, noted, token=given["token"])[0] == 200
    assert second.ask("DELETE", f"/access/{given['id']}")[0] == 200
    assert first.ask("POST", path, noted, token=given["token"])[0] == 401


def test_each_node_has_lists_of_its_own_from_the_same_log(pair: Pair) -> None:
    (game,) = pair.new_games(1)
    for node in (pair.first, pair.second):
        listed = node.data("GET", "/games")["games"]
        assert game in [one["game"] for one in listed]
        assert len(list((node.folder / "cache").rglob("*.view.db"))) == 1


# what breaks


def test_a_killed_node_costs_nothing_and_its_tables_go_on_at_the_other(pair: Pair) -> None:
    with writing(pair.ports, pair.token, pair.new_games(2), pair.store) as clients:
        until_more(clients)
        pair.first.running.kill()
        until_more(clients)
        pair.first.restart()
        until_more(clients)


@pytest.mark.deep
def test_a_node_cut_off_from_its_database_says_so_and_comes_back(
    pair: Pair, broken_cable: str
) -> None:
    first, second = pair.first, pair.second
    (game, *others) = pair.new_games(3)
    path, said = f"/games/{game}", {"on": "0", "text": "behind the cut"}
    with (
        first.running.listening(f"{path}/events", 0) as stream,
        writing(pair.ports, pair.token, others, pair.store) as clients,
    ):
        until_more(clients)
        first.cable.cut() if broken_cable == "closed" else first.cable.freeze()
        for method, asked, body in (("GET", path, None), ("POST", f"{path}/notes", said)):
            problem = problem_of(first.running, method, asked, body)
            assert problem["code"] in ("unreachable", "connection_lost", "locked")
            assert problem["detail"]
        assert not is_ready(first.running)
        until_more(clients)
        second.data("POST", f"{path}/notes", said, token=pair.token)
        first.cable.mend()
        until_ready(first)
        told = events(stream, 1)
        until_more(clients)
    assert [id for id, _ in told] == [1], "the stream that was open is still the same"


@pytest.mark.deep
def test_a_restarted_database_is_missed_for_its_duration_alone(pair: Pair) -> None:
    nodes = (pair.first, pair.second)
    (game, *others) = pair.new_games(3)
    with (
        nodes[1].running.listening(f"/games/{game}/events", 0, token=pair.token) as stream,
        writing(pair.ports, pair.token, others, pair.store) as clients,
    ):
        until_more(clients)
        pair.server.kill()
        for node in nodes:
            assert problem_of(node.running, "GET", f"/games/{game}")["detail"]
        pair.server.start()
        until_more(clients)
        nodes[0].data("POST", f"/games/{game}/notes", {"on": "0", "text": "back"})
        assert [id for id, _ in events(stream, 1)] == [1]
