"""Stores to try, and processes to try them with."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from referee.store import Store, open_store
from referee.store.sqlite import sqlite_url


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "games.db")


@pytest.fixture
def file_store(file_url: str) -> Iterator[Store]:
    store = open_store(file_url)
    yield store
    store.close()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """The same promises whatever keeps the entries."""
    url = "memory:" if request.param == "memory" else sqlite_url(tmp_path / "games.db")
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Processes that start at once, with the store imported already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.store.writers", "eventsourcing.sqlite"])
    return context
