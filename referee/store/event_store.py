"""The event store: append-only streams, hash-chained, with optimistic concurrency.

An append names the version it follows and is refused if others were faster; one whose
idempotency keys are stored already is answered with what is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from eventsourcing.persistence import IntegrityError, Notification, StoredEvent

from referee.store.canonical_json import canonical, digest
from referee.store.envelopes import (
    FORMAT,
    GENESIS,
    KEY,
    Conflict,
    Draft,
    KeyReused,
    Stored,
    StoreError,
)
from referee.store.hash_chain import find_break
from referee.store.subscription import Follower, Signal

if TYPE_CHECKING:
    from uuid import UUID

LARGEST_BODY = 1 << 20

_STREAM = re.compile(r"[!-~]{1,200}")
_KIND = re.compile(r"[a-z][a-z0-9_.]{0,63}")


class Recorder(Protocol):
    """What a back-end offers. ``insert_events`` is atomic and refuses, with IntegrityError,
    a position that does not follow the last one of its stream, a key already used there, and
    a ``number`` for the first of the entries that is not the next one of the store."""

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        keys: Sequence[str],
        number: int | None = None,
    ) -> Sequence[int] | None: ...

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]: ...

    def select_keys(self, stream: str, keys: Sequence[str]) -> Mapping[str, StoredEvent]: ...

    def select_streams(self, prefix: str) -> Sequence[str]: ...

    def select_notifications(
        self, start: int | None, limit: int, *, inclusive_of_start: bool = True
    ) -> Sequence[Notification]: ...

    def max_notification_id(self) -> int | None: ...

    def signal(self) -> Signal: ...

    def find_altered(self) -> StoreError | None: ...

    def close(self) -> None: ...


class Store:
    """Streams of entries over a recorder."""

    def __init__(self, recorder: Recorder, url: str) -> None:
        self.url = url
        self._recorder = recorder
        self._last: dict[str, Stored] = {}

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
        """Store the drafts after entry ``expected``, durably and all together.

        ``expected`` is the last entry that the caller has seen (-1: the stream is new). A
        request whose keys are stored already is answered with what is stored.
        """
        _check_request(stream, drafts, expected)
        before = self.entry(stream, expected)
        if before is not None or expected == -1:
            prev = before.head if before is not None else GENESIS
            entries = _chain(stream, drafts, expected + 1, prev, at, by, role)
            rows = [_row(entry) for entry in entries]
            try:
                self._recorder.insert_events(rows, keys=[draft.key for draft in drafts])
            except IntegrityError:
                pass
            else:
                self._remember(entries[-1])
                return entries
        return self._answer_from_stored(stream, drafts, expected, by, role)

    def adopt(self, entries: Sequence[Stored]) -> None:
        """Store entries of another store exactly as they are, if they continue what is here."""
        stream, first = entries[0].stream, entries[0].seq
        before = self.entry(stream, first - 1)
        if before is None and first > 0:
            raise self._conflict(stream, first - 1)
        keys = _check_foreign(stream, entries, before)
        try:
            self._recorder.insert_events([_row(entry) for entry in entries], keys=keys)
        except IntegrityError:
            if self.read(stream, after=first - 1)[: len(entries)] != tuple(entries):
                raise self._conflict(stream, first - 1) from None
        else:
            self._remember(entries[-1])

    def adopt_all(self, records: Sequence[Sequence[Stored]]) -> None:
        """Store entries of several streams exactly as they are: all of them, or none."""
        if len(records) < 2:
            for entries in records:
                self.adopt(entries)
            return
        entries = [entry for record in records for entry in record]
        keys = self._check_log(entries)
        try:
            self._recorder.insert_events([_row(entry) for entry in entries], keys=keys)
        except IntegrityError:
            raise self._conflict(entries[0].stream, entries[0].seq - 1) from None
        for record in records:
            self._remember(record[-1])

    def continue_log(self, number: int, entries: Sequence[Stored]) -> None:
        """Store entries of any streams exactly as they are, numbered from ``number`` on.

        A store whose next number is another one refuses with ``diverged``.
        """
        keys = self._check_log(entries)
        try:
            self._recorder.insert_events(
                [_row(entry) for entry in entries], keys=keys, number=number
            )
        except IntegrityError:
            stored = self.follow(number - 1, len(entries))
            if stored != tuple(enumerate(entries, number)):
                raise StoreError("diverged", number=number) from None
        for entry in entries:
            self._remember(entry)

    def read(self, stream: str, after: int = -1) -> tuple[Stored, ...]:
        """The entries of a stream that follow ``after``, in order."""
        if not _STREAM.fullmatch(stream):
            return ()
        rows = self._recorder.select_events(stream, gt=after)
        entries = tuple([_stored(row) for row in rows])
        if entries:
            self._remember(entries[-1])
        return entries

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the streams, sorted."""
        if prefix and not _STREAM.fullmatch(prefix):
            return ()
        return tuple(self._recorder.select_streams(prefix))

    def follow(self, after: int = 0, limit: int = 500) -> tuple[tuple[int, Stored], ...]:
        """Entries of all streams in the order of storing, numbered without gaps from 1."""
        rows = self._recorder.select_notifications(
            start=after, limit=limit, inclusive_of_start=False
        )
        return tuple([(row.id, _stored(row)) for row in rows])

    def find_altered(self) -> StoreError | None:
        """What is wrong with the log as a whole, as far as no single stream shows it."""
        try:
            return self._recorder.find_altered()
        except StoreError as error:
            return error

    def changes(self, after: int = 0) -> Follower:
        """Entries of all streams after number ``after``, in the order they were stored."""
        return Follower(self, self._recorder.signal(), after)

    def position(self) -> int:
        """The number of the entry stored last; 0 if there is none."""
        return self._recorder.max_notification_id() or 0

    @property
    def copied_before(self) -> Path | None:
        """The copy that was made before this version has changed a store of an older one."""
        return getattr(self._recorder, "copied_before", None)

    def close(self) -> None:
        self._recorder.close()

    def _check_log(self, entries: Sequence[Stored]) -> list[str]:
        """The keys of entries of many streams, each checked behind the one before it."""
        last: dict[str, Stored | None] = {}
        keys = []
        for entry in entries:
            if entry.stream not in last:
                last[entry.stream] = self.entry(entry.stream, entry.seq - 1)
            keys += _check_foreign(entry.stream, [entry], last[entry.stream])
            last[entry.stream] = entry
        return keys

    def entry(self, stream: str, seq: int) -> Stored | None:
        """One entry of a stream, if it is there."""
        if seq < 0 or not _STREAM.fullmatch(stream):
            return None
        last = self._last.get(stream)
        if last is not None and last.seq == seq:
            return last
        rows = self._recorder.select_events(stream, gt=seq - 1, lte=seq)
        return _stored(rows[0]) if rows else None

    def keyed(self, stream: str, keys: Sequence[str]) -> dict[str, Stored]:
        """The entries of a stream that were stored with these keys, as far as they were."""
        if not _STREAM.fullmatch(stream):
            return {}
        found = self._recorder.select_keys(stream, keys)
        return {key: _stored(row) for key, row in found.items()}

    def _remember(self, last: Stored) -> None:
        if len(self._last) >= 1000:
            self._last.clear()
        self._last[last.stream] = last

    def _answer_from_stored(
        self, stream: str, drafts: Sequence[Draft], expected: int, by: str, role: str
    ) -> tuple[Stored, ...]:
        """The append did not fit: a repeated request gets its entries, any other a conflict."""
        known = self._recorder.select_keys(stream, [draft.key for draft in drafts])
        if not known:
            raise self._conflict(stream, expected)
        for draft in drafts:
            if draft.key in known and not _says(known[draft.key].state, draft, by, role):
                raise KeyReused(stream, draft.key, _stored(known[draft.key]))
        if len(known) < len(drafts):
            key, row = next(iter(known.items()))
            raise KeyReused(stream, key, _stored(row))
        return tuple(_stored(known[draft.key]) for draft in drafts)

    def _conflict(self, stream: str, expected: int) -> Conflict:
        missed = self.read(stream, after=expected)
        last = missed[-1:] or self.read(stream)[-1:]
        return Conflict(stream, expected, last[0].seq if last else -1, missed)


def is_key(text: str) -> bool:
    """Whether something can be the key of a request."""
    return KEY.fullmatch(text) is not None


def _check_request(stream: str, drafts: Sequence[Draft], expected: int) -> None:
    if not _STREAM.fullmatch(stream):
        raise ValueError(f"{stream!r} cannot name a stream")
    if not drafts:
        raise ValueError("nothing to append")
    if expected < -1:
        raise ValueError(f"no entry has the number {expected}")
    if len({draft.key for draft in drafts}) < len(drafts):
        raise ValueError("two entries share a key")
    for draft in drafts:
        if not _KIND.fullmatch(draft.kind) or draft.schema < 1:
            raise ValueError(f"{draft.kind!r} schema {draft.schema} cannot name a kind of entry")
        if not is_key(draft.key):
            raise ValueError(f"{draft.key!r} cannot be a key")


def _check_foreign(stream: str, entries: Sequence[Stored], before: Stored | None) -> list[str]:
    """Entries from elsewhere must be what this store could have written; their keys."""
    if (found := find_break(stream, entries, before)) is not None:
        raise StoreError(found.key, stream=stream, seq=found.seq)
    drafts = []
    for entry in entries:
        _check_size(entry.body)
        body = json.loads(entry.body)
        drafts.append(Draft(body["kind"], body["schema"], body["data"], body["key"]))
    try:
        _check_request(stream, drafts, entries[0].seq - 1)
    except ValueError:
        raise StoreError("not_an_entry", stream=stream, seq=entries[0].seq) from None
    return [draft.key for draft in drafts]


def _check_size(body: bytes) -> None:
    if len(body) > LARGEST_BODY:
        raise StoreError("too_large", size=len(body), limit=LARGEST_BODY)


def _chain(
    stream: str, drafts: Sequence[Draft], seq: int, prev: str, at: str, by: str, role: str
) -> tuple[Stored, ...]:
    entries: list[Stored] = []
    for draft in drafts:
        if entries:
            prev, seq = digest(entries[-1].body), seq + 1
        body = canonical(
            {
                "at": at,
                "by": by,
                "data": draft.data,
                "f": FORMAT,
                "key": draft.key,
                "kind": draft.kind,
                "prev": prev,
                "role": role,
                "schema": draft.schema,
                "seq": seq,
                "stream": stream,
            }
        )
        _check_size(body)
        entries.append(Stored(stream, seq, f"{draft.kind}@{draft.schema}", body))
    return tuple(entries)


def _says(body: bytes, draft: Draft, by: str, role: str) -> bool:
    """Whether the stored entry is what this request asks for; its time may differ."""
    stored = json.loads(body)
    asked = (draft.kind, draft.schema, by, role)
    return tuple(stored[name] for name in ("kind", "schema", "by", "role")) == asked and canonical(
        stored["data"]
    ) == canonical(draft.data)


def _row(entry: Stored) -> StoredEvent:
    return StoredEvent(
        originator_id=entry.stream,
        originator_version=entry.seq,
        topic=entry.topic,
        state=entry.body,
    )


def _stored(row: StoredEvent) -> Stored:
    """A damaged page can give anything: what are no bytes cannot be read as an entry."""
    body = row.state if isinstance(row.state, bytes) else b""
    return Stored(str(row.originator_id), row.originator_version, str(row.topic), body)
