"""Read-only store over HTTP: records and names of a service, fetched when read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from answers.context import StoreContext
from answers.file_answers import File
from answers.problems import Relayed
from cli.remote.http import Reply
from referee.archive.record_files import read_record
from referee.store.envelopes import Draft, Stored, StoreError
from referee.store.event_store import Store
from referee.store.memory import NothingYet
from referee.store.sidecars.access import Access
from referee.store.sidecars.attachments import Attachments
from referee.store.sidecars.boxes import Boxes
from referee.store.sidecars.people import People

Asking = Callable[..., Reply | File]
"""``asking(http, path, said, …)`` sends a request to the service."""

FRESH = 1.0
"""Cache time in seconds of a fetched record."""
_PAGE = 500


class RemoteStore(Store):
    """Read-only event store over HTTP, with a short-lived cache."""

    def __init__(self, service: str, asking: Asking, written: Callable[[], int]) -> None:
        super().__init__(NothingYet(Path(service)), "memory:")
        self._service, self._asking, self._written = service, asking, written
        self._fetched: dict[str, tuple[float, int, tuple[Stored, ...]]] = {}
        self.names: dict[str, str] = {}
        """The people of the records that were fetched."""

    def read(self, stream: str, after: int = -1) -> tuple[Stored, ...]:
        at, writes, rows = self._fetched.get(stream, (0.0, -1, ()))
        if writes != self._written() or time.monotonic() - at > FRESH:
            rows = self._fetch(stream)
            self._fetched[stream] = time.monotonic(), self._written(), rows
        return rows[after + 1 :]

    def _fetch(self, stream: str) -> tuple[Stored, ...]:
        said: dict[str, Any] = {}
        if stream.startswith("tournament-"):
            place = "GET /tournaments/{tournament}/exports/{format}"
            path = {"tournament": stream, "format": "events"}
        else:
            place = "GET /games/{game}/exports/{format}"
            path = {"game": stream, "format": "record"}
            said = {"names": True}
        try:
            found = self._asking(place, path, said)
        except Relayed as error:
            if error.problem.kind == "not_found":
                return ()
            raise
        assert isinstance(found, File)
        record = read_record(BytesIO(found.content))
        self.names |= record.names
        return tuple(record.rows)

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        return tuple(sorted(name for name in self._everything() if name.startswith(prefix)))

    def _everything(self) -> Iterator[str]:
        start, total = 0, 1
        while start < total:
            found = self._asking("GET /games", {}, {"start": start, "most": _PAGE})
            assert isinstance(found, Reply)
            total = found.data["total"]
            yield from (row["game"] for row in found.data["games"])
            start += _PAGE
        listed = self._asking("GET /tournaments", {}, {})
        assert isinstance(listed, Reply)
        yield from (row["tournament"] for row in listed.data["tournaments"])

    def append(
        self,
        stream: str,
        drafts: Sequence[Draft],
        *,
        expected: int,
        at: str,
        by: str,
        role: str,
    ) -> tuple[Stored, ...]:
        raise StoreError("only_at_a_store", url=self._service)


class RemotePeople(People):
    """The names that the service tells: of everybody, or else of the records that were fetched.

    Who may not list all people of the store still knows those at the table, as on its pages.
    """

    def __init__(self, asking: Asking, at_tables: Mapping[str, str]) -> None:
        super().__init__(None)
        self._at_tables = at_tables
        try:
            found = asking("GET /people", {}, {})
        except Relayed:
            return
        assert isinstance(found, Reply)
        for row in found.data["people"]:
            self.adopt(row["person"], row["name"])

    def name(self, person: str) -> str | None:
        return super().name(person) or self._at_tables.get(person)


class RemoteStoreContext(StoreContext):
    """The store context of a remote service: what can be read from here."""

    def __init__(self, url: str, asking: Asking, written: Callable[[], int]) -> None:
        store = RemoteStore(url, asking, written)
        super().__init__(store)
        self._url, self._asking, self._names = url, asking, store.names

    @cached_property
    def people(self) -> People:
        return RemotePeople(self._asking, self._names)

    @cached_property
    def access(self) -> Access:
        raise StoreError("only_at_a_store", url=self._url)

    @cached_property
    def boxes(self) -> Boxes:
        raise StoreError("only_at_a_store", url=self._url)

    @cached_property
    def attachments(self) -> Attachments:
        raise StoreError("only_at_a_store", url=self._url)

    @property
    def has_attachments(self) -> bool:
        return False

    @property
    def has_access(self) -> bool:
        return False

    @property
    def has_boxes(self) -> bool:
        return False
