"""Several workers on one store: one service, whichever of them is asked."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing import Pipe
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from starlette.testclient import TestClient

from answers.admin.maintenance import about_workers
from answers.context import StoreContext, open_store_context
from answers.i18n import Voice
from cli.i18n import set_language
from cli.session import begin
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.errors import Misused, Unfit
from referee.store import open_store
from referee.store.maintenance.init import init
from service.app import make_app
from service.metrics import Metrics, summed
from service.rate_limit import SharedTokenBuckets
from service.settings import Limits, Settings
from service.shared_state import SharedState
from service.strangers import processes
from service.workers import Supervisor
from tests.deep import few_or_many
from tests.service.killing import Server, new_games, writing
from tests.service.running import Running, events, start
from tests.store.server import NoServer, running_server
from tests.waiting import PATIENCE

pytestmark = pytest.mark.xdist_group("workers")

WRITTEN_AT_ONCE = 12


@dataclass
class Two:
    """Two workers of a service. Each has a port of its own here, so that it can be chosen."""

    store: str
    games: list[str]
    workers: tuple[Running, Running]

    @property
    def both(self) -> Iterator[Running]:
        return cycle(self.workers)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A store that several processes can open."""
    if request.param == "sqlite":
        url = f"sqlite://{tmp_path_factory.mktemp('store')}/games.db"
        open_store(url).close()
        yield url
        return
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    try:
        with running_server() as server:
            init(url := server.url())
            yield url
    except NoServer as error:
        pytest.skip(f"PostgreSQL cannot be started: {error}")


@pytest.fixture(scope="module")
def two(store: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("workers")
    games, token = new_games(store, 3)
    servers = [Server(store, state=folder / "state") for _ in range(2)]
    first, second = (Running(None, server.port, token) for server in servers)  # type: ignore[arg-type]
    try:
        yield Two(store, games, (first, second))
    finally:
        for server in servers:
            server.kill()


def note(worker: Running, game: str, text: str, **headers: str) -> int:
    """The status. With a key, the same is sent again while the store is busy, as a client does."""
    status = 503
    for wait in range(5 if headers else 1):
        sleep(wait / 5)
        said = {"on": "0", "text": text}
        status = worker.ask("POST", f"/games/{game}/notes", said, **headers)[0]
        if status != 503:
            break
    return status


def test_a_live_event_reaches_a_subscriber_at_another_worker(two: Two) -> None:
    here, there = two.workers
    game = two.games[0]
    with here.listening(f"/games/{game}/events") as stream:
        assert note(there, game, "from the other worker") == 200
        ((_, told),) = events(stream, 1)
    assert told["kind"] == "noted"


def test_who_follows_a_table_is_present_at_every_worker(two: Two) -> None:
    here, there = two.workers
    game = two.games[0]
    seat = {"role": "seat:A", "scope": game}
    _, given = here.ask("POST", "/access/tokens", seat)
    with here.listening(f"/games/{game}/events") as watching:
        with there.listening(f"/games/{game}/events", token=given["data"]["token"]):
            assert events(watching, 1)[0][1] == {"seats": ["A"]}
        assert events(watching, 1)[0][1] == {"seats": []}


def test_the_same_request_sent_to_both_workers_at_once_writes_once(two: Two) -> None:
    game = two.games[1]
    before = len(open_store(two.store).read(game))
    with ThreadPoolExecutor(WRITTEN_AT_ONCE) as pool:
        asked = [
            pool.submit(note, worker, game, f"note {key}", Idempotency_Key=f"twice-{key}")
            for key in range(3)
            for worker in islice(two.both, WRITTEN_AT_ONCE // 3)
        ]
        assert {one.result() for one in asked} == {200}
    assert len(open_store(two.store).read(game)) == before + 3


def test_what_one_worker_has_written_the_other_judges_by(two: Two) -> None:
    game = two.games[2]
    for number, worker in enumerate(islice(two.both, 6)):
        assert note(worker, game, f"in turns {number}") == 200
        answers = [each.ask("GET", f"/games/{game}/entries")[1] for each in two.workers]
        assert answers[0]["version"] == answers[1]["version"]


def test_a_token_that_one_worker_has_revoked_is_refused_by_the_other(two: Two) -> None:
    for here, there in (two.workers, two.workers[::-1]):
        given = here.ask("POST", "/access/tokens", {"role": "judge"})[1]["data"]
        for worker in (here, there, there):
            assert worker.ask("GET", "/me", token=given["token"])[0] == 200
        assert here.ask("DELETE", f"/access/{given['id']}")[0] == 200
        for worker in (there, here):
            assert worker.ask("GET", "/me", token=given["token"])[0] == 401


def counted(path: Path) -> Iterator[tuple[TestClient, StoreContext]]:
    """A worker in this process, which counts where others do."""
    store_context = open_store_context("memory:")
    limits = Limits(wrong_codes_a_minute=6, writes_a_second=1, burst_seconds=6, streams_of_one=4)
    app = make_app(store_context, Settings(limits=limits, any_host=True), SharedState(path))
    with TestClient(app) as client:
        yield client, store_context


@pytest.mark.usefixtures("standing_clock")
def test_wrong_codes_are_counted_at_all_workers_together(tmp_path: Path) -> None:
    workers = [next(counted(tmp_path / "state"))[0] for _ in range(2)]
    told = [
        worker.post("/api/v1/join", json={"code": "AAAA-AAAA"}).status_code
        for worker in islice(cycle(workers), 10)
    ]
    assert told[:6] == [403] * 6
    assert set(told[6:]) == {429}


@pytest.mark.parametrize("count", [2, 3])
def test_a_bucket_that_several_workers_take_from_is_one_bucket(tmp_path: Path, count: int) -> None:
    buckets = [
        SharedTokenBuckets(1, 5, lambda: 0.0, kind=kind, state=SharedState(tmp_path / "state"))
        for kind in ("reads", "writes")
        for _ in range(count)
    ]
    for same in (buckets[:count], buckets[count:]):
        passed = [bucket.take("ana") == 0 for bucket in islice(cycle(same), 5 * count)]
        assert passed == [True] * 5 + [False] * (5 * count - 5)
        same[0].give_back("ana")
        assert same[1].take("ana") == 0


def test_live_streams_are_counted_at_all_workers_until_one_of_them_dies(tmp_path: Path) -> None:
    here, there = (SharedState(tmp_path / "state") for _ in range(2))
    there._worker = -1  # another process
    assert here.open_stream({"ana": 2})
    assert there.open_stream({"ana": 2})
    assert not here.open_stream({"ana": 2})
    there.enter("game-1", "A")
    assert here.present_elsewhere() == {"game-1": {"A"}}
    here.forget(-1)
    assert here.present_elsewhere() == {}
    assert here.open_stream({"ana": 2})
    here.close_stream(["ana"])
    here.close_stream(["ana"])
    assert here.rows("SELECT * FROM streams") == []


def test_the_metrics_of_all_workers_are_told_as_those_of_one_service() -> None:
    one, other = Metrics(), Metrics()
    one.request("GET", "/a", 200, 0.002)
    for seconds in (0.002, 3.0):
        other.request("GET", "/a", 200, seconds)
    one.gc_pause(0.25)
    other.gc_pause(0.5)
    told = summed([one.text(), other.text()]).splitlines()
    for line in (
        'referee_requests_total{method="GET",route="/a",status="200"} 3',
        'referee_request_seconds_bucket{le="0.005"} 2',
        'referee_request_seconds_bucket{le="+Inf"} 3',
        "referee_gc_pause_seconds_sum 0.750000",
        "referee_gc_pause_longest_seconds 0.500000",
    ):
        assert line in told
    assert len(told) == len(set(told)) == len(summed([one.text()]).splitlines())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_store_in_memory_is_refused_for_several_workers(lang: Language) -> None:
    from cli.commands.serve import serve

    begin(
        store="memory:", token=None, game=None, json=False, lang=lang, author=None, color="never",
        no_input=True, quiet=False, verbose=False,
    )  # fmt: skip
    set_language(lang)
    with pytest.raises(Misused, match="workers_in_memory"):
        serve(workers=2)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_several_workers_on_a_file_are_warned_of_an_older_sqlite(
    lang: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do what the doctor advises against: it is said where they are started."""
    voice = Voice(lang)
    for version in ((3, 40, 1), (3, 51, 2), (3, 51, 3), (4, 0, 0)):
        monkeypatch.setattr("sqlite3.sqlite_version_info", version)
        monkeypatch.setattr("sqlite3.sqlite_version", ".".join(map(str, version)))
        told = about_workers("sqlite:///tmp/games.db", voice)
        assert bool(told) == (version < (3, 51, 3))
        assert not told or "3.51.3" in told[0]
        assert about_workers("postgresql://club", voice) == []


# the supervisor


def worker_pids(running: Running) -> set[int]:
    """The workers of a service: they were forked by a child of its supervisor."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if after[0] != "Z":
            parents[int(stat.parent.name)] = int(after[1])
    return {pid for pid, parent in parents.items() if parents.get(parent) == running.process.pid}


def until(found: Any) -> Any:
    deadline = monotonic() + PATIENCE
    while not (value := found()):
        assert monotonic() < deadline, "it never happens"
        sleep(0.05)
    return value


@pytest.mark.parametrize(("letters", "method"), [(3, "forkserver"), (90, "spawn")])
def test_no_socket_is_made_in_a_folder_whose_path_is_too_long_for_one(
    letters: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/" + "t" * letters)
    assert processes("service.workers").get_start_method() == method


@pytest.fixture
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the service; short enough for a socket in it."""
    return tmp_path_factory.mktemp("t")


@pytest.fixture
def supervised(store: str, tmp_path: Path, temporary: Path) -> Iterator[tuple[Running, str]]:
    if not sys.platform.startswith("linux"):
        pytest.skip("the workers are found in /proc")
    kept = {"XDG_DATA_HOME": str(tmp_path / "data"), "TMPDIR": str(temporary)}
    running = start(store, workers=2, **kept)
    try:
        yield running, store
    finally:
        left = worker_pids(running)
        running.process.kill()
        running.process.wait()
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_a_killed_worker_is_started_anew_and_a_stopped_service_leaves_none(
    supervised: tuple[Running, str],
) -> None:
    running, _ = supervised
    before = worker_pids(running)
    assert len(before) == 2
    os.kill(min(before), signal.SIGKILL)
    after = until(lambda: len(now := worker_pids(running)) == 2 and now != before and now)
    assert max(before) in after
    assert running.ask("GET", "/games")[0] == 200
    assert running.stop() == 0
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in after))


@pytest.mark.deep
def test_workers_end_when_their_supervisor_was_killed(
    supervised: tuple[Running, str], temporary: Path
) -> None:
    running, _ = supervised
    workers = worker_pids(running)
    folders = [*temporary.glob("referee-*")]
    assert len(folders) == 1
    with socket.create_connection(("127.0.0.1", running.port)) as slow:
        slow.send(b"GET / HTTP/1.1\r\n")  # somebody who has not finished asking
        running.kill()
        assert until(lambda: _is_free(running.port))
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    assert not any(folder.exists() for folder in folders)


def _is_free(port: int) -> bool:
    """Whether another service could listen there."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen()
        except OSError:
            return False
    return True


def test_a_worker_that_dies_while_the_service_starts_is_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is later; only where none can be started the service gives up."""

    class Dies:
        def __init__(self, supervisor: Supervisor) -> None:
            self.pid, self.exitcode, self.supervisor = 1, 1, supervisor

        def is_alive(self) -> bool:
            return False

    def start_of(*fates: bool) -> Any:
        left = list(fates)

        def start(supervisor: Supervisor) -> Any:
            here, there = Pipe(duplex=False)
            supervisor._workers[Dies(supervisor)] = 0.0  # type: ignore[index]
            if left.pop(0):
                there.send(True)
            there.close()
            return here

        return start

    work: Any = None
    for fates, ends in (([False, True, False, True], True), ([False] * 9, False)):
        supervisor = Supervisor(work, 2, tmp_path / str(ends))
        monkeypatch.setattr(Supervisor, "_start", start_of(*fates))
        starting = deque(supervisor._start() for _ in range(2))
        if ends:
            assert supervisor._all_listen(starting)
        else:
            with pytest.raises(Unfit, match="worker_failed"):
                supervisor._all_listen(starting)


@pytest.mark.parametrize("kills", few_or_many(2, 8))
def test_nothing_acknowledged_is_lost_or_doubled_when_workers_are_killed(
    supervised: tuple[Running, str], kills: int
) -> None:
    running, store = supervised
    games, token = new_games(store, 3)
    with writing([running.port], token, games, store) as clients:
        for _ in range(kills):
            killed = min(until(lambda: len(now := worker_pids(running)) == 2 and now))
            sleep(0.3)
            os.kill(killed, signal.SIGKILL)
            until(lambda pid=killed: pid not in worker_pids(running))
        sleep(0.5)
    assert all(client.acknowledged for client in clients)
