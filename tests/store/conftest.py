"""Stores to try, and processes to try them with."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from referee.store import Store, open_store
from referee.store.maintenance.init import init
from referee.store.sqlite.files import sqlite_url
from tests.store.server import NoServer, PostgresServer, running_server


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of a test stays in the user's own folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "games.db")


@pytest.fixture
def file_store(file_url: str) -> Iterator[Store]:
    store = open_store(file_url)
    yield store
    store.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server for this run of the tests, with a schema for each of them."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    try:
        with running_server() as server:
            yield server
    except NoServer as error:
        pytest.skip(f"PostgreSQL cannot be started: {error}")


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    url = postgres.url()
    init(url)
    return url


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The same promises whatever keeps the entries."""
    if request.param == "memory":
        return "memory:"
    name = {"sqlite": "file_url", "postgres": "postgres_url"}[request.param]
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def shared_url(request: pytest.FixtureRequest) -> str:
    """A store that several programs can open."""
    url: str = request.getfixturevalue({"sqlite": "file_url"}.get(request.param, "postgres_url"))
    return url


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Processes that start at once, with the store imported already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.store.writers", "eventsourcing.sqlite", "referee.store.postgres.recorder"]
    )
    return context
