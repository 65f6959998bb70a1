"""Entries as they are stored: each once, in order, soon, and after any trouble."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import ForkServerContext
from time import monotonic, sleep

import pytest

from referee.store import Store, StoreError, open_store, subscription
from referee.store.maintenance.init import init
from referee.store.subscription import Follower
from tests.store.server import PostgresServer
from tests.store.writers import SIGNED, draft, open_and_append
from tests.waiting import PATIENCE

LONG = PATIENCE


@pytest.fixture
def follower(store: Store) -> Iterator[Follower]:
    changes = store.changes()
    yield changes
    changes.close()


def put(store: Store, stream: str, count: int = 1, after: int = -1) -> None:
    drafts = [draft(n, str(n)) for n in range(after + 1, after + 1 + count)]
    store.append(stream, drafts, expected=after, **SIGNED)


def numbers(follower: Follower, count: int) -> list[int]:
    """The numbers of the next entries, until there are so many."""
    found: list[int] = []
    deadline = monotonic() + LONG
    while len(found) < count and monotonic() < deadline:
        found += [number for number, _ in follower.wait(1)]
    return found


def test_what_is_there_already_comes_first(store: Store, follower: Follower) -> None:
    put(store, "game-1", 3)
    entries = follower.wait(LONG)
    assert entries == store.follow()
    assert follower.position == 3
    assert follower.wait(0) == ()


def test_a_follower_starts_behind_any_number(store: Store) -> None:
    put(store, "game-1", 3)
    late = store.changes(after=2)
    assert [number for number, _ in late.wait(LONG)] == [3]
    late.close()


def test_long_logs_come_in_parts(
    store: Store, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "BATCH", 2)
    put(store, "game-1", 5)
    assert [len(follower.wait(LONG)) for _ in range(3)] == [2, 2, 1]


def test_nothing_new_takes_the_time_that_was_given(follower: Follower) -> None:
    started = monotonic()
    assert follower.wait(0.2) == ()
    assert monotonic() - started > 0.15


def test_a_new_entry_ends_the_waiting_by_its_signal(
    store: Store, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The safety poll is put off, so that only the signal can wake."""
    monkeypatch.setattr(subscription, "POLL", 2 * LONG)
    with ThreadPoolExecutor(1) as pool:
        for number in range(3):
            waiting = pool.submit(follower.wait, 2 * LONG)
            sleep(0.1)
            put(store, "game-1", after=number - 1)
            assert [found for found, _ in waiting.result(LONG)] == [number + 1]


def test_what_another_program_stores_is_seen(
    shared_url: str, processes: ForkServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "POLL", 2 * LONG)
    store = open_store(shared_url)
    changes = store.changes()
    other = processes.Process(target=open_and_append, args=(shared_url, "game-1"))
    other.start()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(changes.wait, 2 * LONG)
        assert [number for number, _ in waiting.result(LONG)] == [1]
    other.join()
    changes.close()
    store.close()


def test_every_follower_gets_everything(store: Store) -> None:
    followers = [store.changes() for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(numbers, one, 20) for one in followers]
        for number in range(20):
            put(store, "game-1", after=number - 1)
        assert [one.result(LONG * 2) for one in found] == [list(range(1, 21))] * 3
    for one in followers:
        one.close()


def test_many_writers_are_followed_without_gap_or_repeat(store: Store, follower: Follower) -> None:
    def write(name: str) -> None:
        for number in range(25):
            put(store, name, after=number - 1)

    with ThreadPoolExecutor(5) as pool:
        found = pool.submit(numbers, follower, 100)
        list(pool.map(write, [f"game-{n}" for n in range(4)]))
        assert found.result(LONG * 2) == list(range(1, 101))


def test_closing_lets_a_waiting_thread_go(follower: Follower) -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(follower.wait(LONG)))
    thread.start()
    sleep(0.1)
    follower.close()
    thread.join(LONG / 2)
    assert found == [()]
    assert follower.wait(1) == ()


# PostgreSQL alone: signals that get lost, servers that go away


def end_listeners(postgres: PostgresServer, url: str) -> None:
    import psycopg

    from referee.store.postgres.server import postgres_server

    with psycopg.connect(**postgres_server(url).parameters, autocommit=True) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity "
            "WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
        )


def test_a_listener_that_was_cut_off_listens_again(
    postgres: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(postgres_url)
    changes = store.changes()
    put(store, "game-1")
    assert numbers(changes, 1) == [1]
    end_listeners(postgres, postgres_url)
    put(store, "game-1", after=0)
    assert numbers(changes, 1) == [2]
    assert changes.wait(1) == ()
    monkeypatch.setattr(subscription, "POLL", 2 * LONG)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(changes.wait, 2 * LONG)
        sleep(0.1)
        put(store, "game-1", after=1)
        assert [number for number, _ in waiting.result(LONG)] == [3]
    changes.close()
    store.close()


def test_a_signal_that_gets_lost_is_made_up_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.postgres.connection import Listener

    monkeypatch.setattr(Listener, "wait", lambda self, seconds: sleep(seconds))
    store = open_store(postgres_url)
    changes = store.changes()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(changes.wait, LONG)
        sleep(0.1)
        put(store, "game-1")
        assert [number for number, _ in waiting.result(LONG / 2)] == [1]
    changes.close()
    store.close()


def test_signals_of_another_schema_do_not_wake(
    postgres: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.postgres.connection import Listener
    from referee.store.postgres.server import postgres_server

    neighbour_url = postgres.url()
    init(neighbour_url)
    neighbour = open_store(neighbour_url)
    listener = Listener(postgres_server(postgres_url))
    put(neighbour, "game-1")
    started = monotonic()
    listener.wait(0.3)
    assert monotonic() - started > 0.25
    listener.close()
    neighbour.close()


def test_a_follower_keeps_its_place_while_the_store_cannot_be_read(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(postgres_url)
    changes = store.changes()
    put(store, "game-1")
    assert numbers(changes, 1) == [1]
    put(store, "game-1", after=0)

    def away(*_: object) -> None:
        raise StoreError("unreachable", path="", problem="")

    with monkeypatch.context() as patch:
        patch.setattr(store, "follow", away)
        with pytest.raises(StoreError):
            changes.wait(1)
    assert numbers(changes, 1) == [2]
    changes.close()
    store.close()
