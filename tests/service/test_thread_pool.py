"""One pool of threads for the API, the pages and the streams, and who waits for whom."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from service.auth import AccessControl, Principal
from service.thread_pool import SLOW, THREADS, ThreadPool
from tests.service.conftest import Club
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
