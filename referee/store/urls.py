"""Opens stores and their sidecars by URL; a back-end is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.store.envelopes import StoreError
from referee.store.event_store import Store
from referee.store.sidecars.change_counter import (
    ACCESS_PAGE,
    ATTACHMENTS_PAGE,
    BOXES_PAGE,
    PEOPLE_PAGE,
    WEBHOOKS_PAGE,
)
from referee.store.sidecars.people import People, PeopleIfReadable, people_path
from referee.store.sqlite.files import sqlite_path
from referee.store.witness import Witness, witness_beside

if TYPE_CHECKING:
    from referee.store.postgres.recorder import PostgresRecorder as PostgresRecorder
    from referee.store.postgres.server import Server
    from referee.store.sidecars.access import Access
    from referee.store.sidecars.attachments import Attachments
    from referee.store.sidecars.boxes import Boxes
    from referee.store.sidecars.webhooks import Webhooks
    from referee.store.sqlite.recorder import SQLiteRecorder as SqliteRecorder

    Log = PostgresRecorder | SqliteRecorder


def open_store(url: str, *, create: bool = True) -> Store:
    """Open ``sqlite:///absolute/path.db``, ``postgresql://host/database?schema=club`` or
    ``memory:``. A missing file is created; a schema is not, that is left to ``init``."""
    if url == "memory:":
        from referee.store.memory import MemoryRecorder

        return Store(MemoryRecorder(), url)
    if is_postgres(url):
        server = server_of(url)
        from referee.store.postgres.recorder import open_recorder as open_postgres

        return Store(open_postgres(server), url)
    from referee.store.sqlite.recorder import open_recorder

    return Store(open_recorder(sqlite_path(url), create=create), url)


def open_unwitnessed_log(url: str, *, known: bool = False) -> Log:
    """The log of a store as it is, for those who look at what it has lost; nothing is made.

    A file that is missing or empty although its witness knows it is made if that is ``known``.
    """
    if is_postgres(url):
        server = server_of(url)
        from referee.store.postgres.recorder import open_unwitnessed as open_postgres

        return open_postgres(server)
    from referee.store.sqlite.recorder import open_unwitnessed

    return open_unwitnessed(sqlite_path(url), create=known, known=known)


def open_access(url: str) -> Access:
    """The tokens that belong to a store: beside its file, or in its database."""
    from referee.store.sidecars.access import Access, access_path

    if not is_postgres(url):
        return Access(access_path(url), witness=_witness(url, ACCESS_PAGE))
    server = server_of(url)
    from referee.store.postgres.sidecars import PostgresAccess

    return PostgresAccess(server)


def has_access(url: str) -> bool:
    """Whether anybody was ever let in here: to look makes no file."""
    from referee.store.sidecars.access import access_path

    if url == "memory:" or is_postgres(url):
        return True
    path = access_path(url)
    return path is not None and path.exists()


def open_boxes(url: str) -> Boxes:
    """The boxes that belong to a store: beside its file, or in its database."""
    from referee.store.sidecars.boxes import Boxes, boxes_path

    if not is_postgres(url):
        return Boxes(boxes_path(url), _witness(url, BOXES_PAGE))
    server = server_of(url)
    from referee.store.postgres.sidecars import PostgresBoxes

    return PostgresBoxes(server)


def has_boxes(url: str) -> bool:
    """Whether box data is stored here; asked without creating the file."""
    from referee.store.sidecars.boxes import boxes_path

    if url == "memory:" or is_postgres(url):
        return True
    path = boxes_path(url)
    return path is not None and path.exists()


def open_attachments(url: str) -> Attachments:
    """The attachments that belong to a store: beside its file, or in its database."""
    from referee.store.sidecars.attachments import Attachments, attachments_path

    if not is_postgres(url):
        return Attachments(attachments_path(url), _witness(url, ATTACHMENTS_PAGE))
    server = server_of(url)
    from referee.store.postgres.sidecars import PostgresAttachments

    return PostgresAttachments(server)


def has_attachments(url: str) -> bool:
    """Whether anything is attached here; asked without creating the file."""
    from referee.store.sidecars.attachments import attachments_path

    if url == "memory:" or is_postgres(url):
        return True
    path = attachments_path(url)
    return path is not None and path.exists()


def open_webhooks(url: str) -> Webhooks:
    """The addresses that are told of what happens in a store."""
    from referee.store.sidecars.webhooks import Webhooks, webhooks_path

    if not is_postgres(url):
        return Webhooks(webhooks_path(url), _witness(url, WEBHOOKS_PAGE))
    server = server_of(url)
    from referee.store.postgres.sidecars import PostgresWebhooks

    return PostgresWebhooks(server)


def has_webhooks(url: str) -> bool:
    """Whether any address was ever registered; asked without creating the file."""
    from referee.store.sidecars.webhooks import webhooks_path

    if url == "memory:" or is_postgres(url):
        return True
    path = webhooks_path(url)
    return path is not None and path.exists()


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql:", "postgres:"))


def server_of(url: str) -> Server:
    """The PostgreSQL server that a URL names, if this installation can speak to one."""
    try:
        from referee.store.postgres.server import postgres_server
    except ImportError as error:
        if error.name is None or not error.name.startswith("psycopg"):
            raise
        raise StoreError("not_available", scheme="postgresql", extra="postgres") from None
    return postgres_server(url)


def open_people(url: str, *, if_readable: bool = False) -> People:
    """The names that belong to a store: beside its file, or in its database.

    ``if_readable``: a file that is damaged, or an older copy, is as one without names.
    """
    if not is_postgres(url):
        kind = PeopleIfReadable if if_readable else People
        return kind(people_path(url), _witness(url, PEOPLE_PAGE))
    server = server_of(url)
    from referee.store.postgres.sidecars import PostgresPeople

    return PostgresPeople(server)


def _witness(url: str, page: int) -> Witness | None:
    """Where the changes of a file beside a store are noted."""
    return None if url == "memory:" else Witness(witness_beside(sqlite_path(url)), page)
