"""Making a store where there is none."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from referee.store.urls import is_postgres, open_store, server_of


class Made(Struct, frozen=True):
    """What ``init`` found or created, and the roles that may write."""

    name: str
    created: bool
    writers: tuple[str, ...] = ()


def init(url: str, writers: Sequence[str] = ()) -> Made:
    """Make the store that a URL names, if it is not there; it may be repeated.

    In PostgreSQL, whoever calls it owns the store. The ``writers`` can read and append, nothing
    else; a role that does not exist is created, with the right to log in and no password.
    """
    if is_postgres(url):
        server = server_of(url)
        from referee.store.postgres.schema import make

        return Made(server.name, make(server, writers), tuple(writers))
    created = url == "memory:" or not _is_there(url)
    open_store(url).close()
    return Made(url, created)


def _is_there(url: str) -> bool:
    from referee.store.sqlite.files import sqlite_path

    return sqlite_path(url).exists()
