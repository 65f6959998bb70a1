"""One pool of threads for the API, the pages and the streams, and who waits for whom."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from answers.context import open_store_context
from answers.operations import routes
from referee import store
from referee.archive.record_files import record_lines
from referee.errors import Unfit
from referee.store import open_store
from referee.table.bench import Bench
from referee.table.corrections import correct
from referee.table.openings import open_game
from referee.table.play import log
from referee.untrusted.work_budget import (
    RESERVE,
    RESERVE_OF_STRANGER,
    SECONDS,
    OverBudget,
    WorkBudget,
    check_budget,
    working_under,
)
from service.app import make_app
from service.auth import AccessControl, Principal
from service.problems import HttpRefusal
from service.settings import Settings
from service.strangers import WAITING, WAITING_OF_ADDRESS, Strangers
from service.thread_pool import SLOW, THREADS, ThreadPool
from tests.service.conftest import PLENTY, Club
from tests.service.toys import endlessly, gladly, greedily
from tests.waiting import PATIENCE, awaited


def test_slow_operations_leave_threads_to_the_others() -> None:
    """More slow tasks than may run at once, and a quick one is still done."""

    async def both() -> tuple[str, int]:
        pool = ThreadPool(threads=3, slow=2)
        pool.open()
        end, running = threading.Event(), threading.Semaphore(0)

        def slow() -> None:
            running.release()
            end.wait(PATIENCE)

        tasks = [asyncio.create_task(pool.run_slow(slow)) for _ in range(4)]
        for _ in range(2):
            assert await pool.run(running.acquire, timeout=PATIENCE)
        told = await pool.run(lambda: "done")
        waiting = 0 if running.acquire(blocking=False) else 2
        end.set()
        await asyncio.gather(*tasks)
        return told, waiting

    assert awaited(both()) == ("done", 2)


@pytest.mark.parametrize("run", ["run", "run_slow"])
def test_what_goes_wrong_in_a_thread_is_told_to_who_asked(run: str) -> None:
    async def asked() -> None:
        pool = ThreadPool(1)
        pool.open()
        await getattr(pool, run)(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        awaited(asked())


def test_slow_operations_never_have_all_threads() -> None:
    assert 0 < SLOW < THREADS


def test_a_slow_task_that_failed_makes_room_for_the_next() -> None:
    async def asked() -> str:
        pool = ThreadPool(2, slow=1)
        pool.open()
        with pytest.raises(ZeroDivisionError):
            await pool.run_slow(lambda: 1 // 0)
        return await asyncio.wait_for(pool.run_slow(lambda: "done"), PATIENCE)

    assert awaited(asked()) == "done"


@pytest.mark.parametrize(
    "path", ["/api/v1/games", "/api/v1/statistics", "/", "/statistics", "/api/metrics"]
)
def test_the_api_and_the_pages_use_the_same_threads(
    path: str, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    authenticate = AccessControl.authenticate

    def noted(self: AccessControl, *asked: Any) -> Principal:
        found.append(threading.current_thread().name)
        return authenticate(self, *asked)

    monkeypatch.setattr(AccessControl, "authenticate", noted)
    reply = club.client.get(path, headers={"Authorization": f"Bearer {club.token('organiser')}"})
    assert reply.status_code == 200
    assert [name.partition("_")[0] for name in found] == ["worker"]


def costly() -> bytes:
    """A record whose past is changed so often that all of it is judged again each time."""
    bench = Bench(open_store("memory:"))
    game = open_game(bench, "pebbles", "table A B first A").game.id
    for line in ("take 2", *["audit heap 10"] * 40):
        log(bench, game, line)
    for turn in range(20):
        correct(bench, game, bench.game(game).numbers()[0], [f"A take {1 + turn % 2}"])
    return b"".join(record_lines(bench.store, game))


def test_a_file_of_a_stranger_that_costs_too_much_is_refused(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = costly()
    assert club.ask("POST", "/verification", content=content).json()["ok"]
    assert RESERVE_OF_STRANGER < RESERVE
    monkeypatch.setattr(WorkBudget.__init__, "__defaults__", (SECONDS, 10))
    reply = club.ask("POST", "/verification", content=content)
    assert (reply.status_code, reply.json()["code"]) == (400, "too_many_corrections")
    page = club.client.post("/study", content=content)
    assert reply.json()["detail"] in page.text


def test_what_anybody_may_ask_for_is_done_in_a_process_of_its_own(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[str] = []
    monkeypatch.setattr("service.dispatch.carry_out", lambda route, *_: here.append(route.name))
    monkeypatch.setattr("service.page_routes.opened", lambda *_: here.append("study"))
    public = [route for route in routes() if route.scope == "public" and route.kind == "try"]
    assert {route.name for route in public} >= {"verify-record", "cases", "kit-check"}
    for route in public:
        place = route.path.replace("{engine}", "pebbles")
        assert club.ask(route.method, place, content=b"nonsense").status_code == 400, route.name
    assert club.client.post("/study", content=b"nonsense").status_code == 200
    assert here == []


@pytest.fixture
def strangers(tmp_path: Path) -> Iterator[Strangers]:
    url = f"sqlite://{tmp_path}/games.db"
    open_store_context(url).close()
    made = Strangers(url, Settings())
    yield made
    made.close()


async def here() -> None:
    await asyncio.Event().wait()


def test_strangers_wait_for_each_other(strangers: Strangers) -> None:
    async def asked() -> None:
        end = asyncio.Event()

        def stranger(address: str) -> asyncio.Task[Any]:
            return asyncio.create_task(strangers.run(address, end.wait, endlessly))

        waiting = [stranger("1") for _ in range(WAITING_OF_ADDRESS)]
        await asyncio.sleep(0)
        with pytest.raises(HttpRefusal, match="busy"):
            await stranger("1")
        waiting += [
            stranger(str(number // 2)) for number in range(4, 4 + 2 * (WAITING - len(waiting)), 2)
        ]
        await asyncio.sleep(0)
        with pytest.raises(HttpRefusal, match="busy"):
            await stranger("new")
        end.set()
        assert await asyncio.gather(*waiting) == [None] * WAITING
        reply = await strangers.run("1", here, gladly)
        assert reply is not None
        assert int(reply.content) != os.getpid()

    awaited(asked())


NEVER_STARTED = """
import asyncio, multiprocessing, threading
from service import strangers
from service.settings import Settings

begun = threading.Event()

class Context:
    Pipe = staticmethod(multiprocessing.Pipe)

    class Process:
        def __init__(self, **more):
            pass

        def start(self):
            begun.set()
            threading.Event().wait()

strangers.processes = lambda module: Context

async def asked():
    made = strangers.Strangers("memory:", Settings())
    waiting = asyncio.create_task(made.run("1", asyncio.Event().wait, print))
    await asyncio.to_thread(begun.wait, 30)
    waiting.cancel()
    made.close()
    print(begun.is_set())

asyncio.run(asked())
"""


def test_the_end_does_not_wait_for_the_start_of_a_process() -> None:
    """A busy machine takes its time for it, and a service that is told to end must end."""
    asked = [sys.executable, "-c", NEVER_STARTED]
    ended = subprocess.run(asked, capture_output=True, check=True, timeout=120)
    assert ended.stdout.split() == [b"True"]


@pytest.mark.parametrize("work", [endlessly, greedily])
def test_what_a_stranger_asks_for_is_ended_and_the_next_is_answered(
    work: Any, strangers: Strangers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkBudget.__init__, "__defaults__", (1.0, 10))

    async def asked() -> None:
        before = await strangers.run("1", here, gladly)
        with pytest.raises(OverBudget, match="took_too_long"):
            await strangers.run("1", here, work)
        after = await strangers.run("1", here, gladly)
        again = await strangers.run("1", here, gladly)
        assert before is not None
        assert before != after == again

    awaited(asked())


def test_the_work_for_a_reader_who_has_gone_is_ended() -> None:
    async def asked() -> None:
        pool, begun, ended = ThreadPool(1), threading.Event(), threading.Event()
        pool.open()

        def work() -> None:
            begun.set()
            try:
                while True:
                    with suppress(Exception):
                        begun.is_set()
            finally:
                ended.set()

        async def goes() -> None:
            while not begun.is_set():
                await asyncio.sleep(0.01)

        assert await pool.run_for(goes, work) is None
        assert await pool.run(lambda: "next") == "next"
        assert ended.is_set()

    awaited(asked())


def test_nothing_is_ended_within_the_store() -> None:
    """A job that is late while it writes: the write is done, and the job ends behind it."""

    within = eval(compile("lambda write: write()", f"{Path(store.__file__).parent}/x.py", "eval"))

    async def asked() -> None:
        pool = ThreadPool(1)
        pool.open()
        late, may, written = threading.Event(), threading.Event(), threading.Event()

        def write() -> None:
            late.set()
            while not may.is_set():
                pass
            written.set()

        def work() -> None:
            within(write)
            while True:
                pass

        async def goes() -> None:
            while not late.is_set():
                await asyncio.sleep(0.01)

        assert await pool.run_for(goes, work) is None
        may.set()
        assert await pool.run(lambda: "next") == "next"
        assert written.is_set()

    awaited(asked())


@pytest.mark.parametrize("run", ["run", "run_slow"])
def test_whatever_takes_too_long_is_ended_and_says_so(
    run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.thread_pool.LIMIT", 0.1)
    monkeypatch.setattr("service.thread_pool.LIMIT_SLOW", 0.1)

    def endless() -> None:
        while True:
            pass

    async def asked() -> None:
        pool = ThreadPool(2)
        pool.open()
        tasks = [asyncio.create_task(getattr(pool, run)(endless)) for _ in range(4)]
        for task in tasks:
            with pytest.raises(OverBudget, match="took_too_long"):
                await task
        assert await pool.run(lambda: "next") == "next"

    awaited(asked())


def test_nothing_keeps_the_service_from_ending() -> None:
    async def asked() -> None:
        pool, begun = ThreadPool(2), threading.Event()
        pool.open()

        def endless() -> None:
            begun.set()
            while True:
                pass

        tasks = [asyncio.create_task(pool.run(endless)) for _ in range(3)]
        while not begun.is_set():
            await asyncio.sleep(0.01)
        assert await pool.close()
        assert {type(error) for error in await asyncio.gather(*tasks, return_exceptions=True)} == {
            OverBudget
        }

    awaited(asked())


def test_a_budget_is_spent_when_its_time_is_over() -> None:
    budget = WorkBudget(seconds=0.05)

    def work() -> None:
        with working_under(budget):
            while True:
                check_budget()

    with pytest.raises(Unfit, match="too_much_work"):
        work()
    check_budget()


FOLLOWED = """
import asyncio, sys, threading, time
from service.thread_pool import ThreadPool

async def serve():
    pool = ThreadPool(threads=2, slow=2)
    pool.open()
    assert await pool.run(lambda: 1) == 1
    async def leave():
        return None
    assert await pool.run_for(leave, lambda: [time.sleep(0.01) for _ in range(100_000)]) is None
    assert await pool.close()

def called(*event):
    return None

asyncio.run(serve())
sys.settrace(called)
print(len([called() for _ in range(3)]))
"""


def test_a_process_that_has_ended_work_can_still_be_followed() -> None:
    """By a debugger, or by what counts the lines that tests reach."""
    followed = subprocess.run(
        [sys.executable, "-c", FOLLOWED], capture_output=True, text=True, timeout=PATIENCE
    )
    assert followed.stdout == "3\n", followed.stderr


PARAMETER = re.compile(r"\{(\w+)[^}]*\}")
WITHOUT_WORK = frozenset((
    "/api/openapi.json", "/api/docs", "/api/docs.css", "/api/health", "/api/ready",
    "/me/name", "/me/switch", "/docs", "/docs/", "/docs/{path:path}", "/static/{name}", "/sw.js",
    "/manifest.webmanifest", "/words/{group}",
    "/language/{lang}", "/look/{look}", "/situations/{engine}", "/j/{code}/qr.svg",
    "/games/{game}/qr.svg", "/register/{event}/{code}/qr.svg",
    "/tournaments/{tournament}/players/{player}/qr.svg",
))  # fmt: skip
"""Routes that ask for nobody and for no record: our own files and words, an address drawn, the
roles of a device that has none."""
Place = tuple[str, str]
AT: ContextVar[Place] = ContextVar("at")


class Asked:
    """Requests for every route of a service, of which each would take for ever."""

    def __init__(self, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app, self.replies, self.begun = app, dict[Place, int](), set[Place]()
        self.ended = set[Place]()
        self.places = [
            (method, route.path)
            for route in app.routes
            for method in sorted(route.methods - {"HEAD"})
            if route.path not in WITHOUT_WORK
        ]
        for kind in ("authenticate", "caller"):
            monkeypatch.setattr(AccessControl, kind, self._for_ever)
        monkeypatch.setattr("service.page_routes._page_context", self._for_ever)

    def _for_ever(self, *_: Any, **more: Any) -> None:
        self.begun.add(AT.get())
        try:
            while True:
                time.sleep(0.001)
        finally:
            self.ended.add(AT.get())

    async def __call__(self, place: Place, *, stays: bool) -> None:
        AT.set(place)
        method, path = place[0], PARAMETER.sub("a", place[1])
        said = b"" if method == "GET" else b"code=abc"
        body = iter([{"type": "http.request", "body": said, "more_body": False}])

        async def receive() -> Any:
            if (message := next(body, None)) is not None:
                return message
            while stays or place not in self.begun:
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self.replies.setdefault(place, message.get("status", 0))

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http",
            "headers": [(b"host", b"testserver")],
            "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        }  # fmt: skip
        await self.app(scope, receive, send)


@pytest.mark.parametrize("end", ["its reader goes", "its time is over", "the service stops"])
def test_whatever_is_asked_for_ends_when(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every route that works for somebody, also one that is added."""
    late = 0.05 if end == "its time is over" else PATIENCE
    limits = {"LIMIT": late, "LIMIT_SLOW": late, "BRIEF": 0.01, "EVERY": 0.02, "GRACE": PATIENCE}
    for name, seconds in limits.items():
        monkeypatch.setattr(f"service.thread_pool.{name}", seconds)
    app = make_app(
        open_store_context(f"sqlite://{tmp_path}/games.db"),
        Settings(hosts=("testserver",), limits=PLENTY),
    )
    asked = Asked(app, monkeypatch)
    goes = end == "its reader goes"
    places = [place for place in asked.places if not goes or place[0] == "GET"]

    async def all_routes() -> None:
        async with app.router.lifespan_context(app):
            tasks = [asyncio.create_task(asked(place, stays=not goes)) for place in places]
            if end == "the service stops":
                while len(asked.begun) < THREADS:
                    await asyncio.sleep(0.01)
                for task in tasks:
                    task.cancel()
                assert await app.state.threads.close()
                assert asked.begun == asked.ended
            await asyncio.gather(*tasks, return_exceptions=True)

    awaited(all_routes())
    assert asked.begun == asked.ended
    if end != "the service stops":
        assert set(places) - asked.begun == set()
        assert [place for place in places if asked.replies.get(place, 499) < 400] == []
