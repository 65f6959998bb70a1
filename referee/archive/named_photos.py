"""The photographs that records of a store name, and whether they are here as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.record.entries import PhotoErased, Photographed, read_entry
from referee.store.envelopes import Stored
from referee.store.event_store import Store
from referee.store.sidecars.attachments import Attachments, State

TOPICS = frozenset(f"{kind.KIND}@{kind.SCHEMA}" for kind in (Photographed, PhotoErased))


class LostPhoto(NamedTuple):
    game: str
    id: str
    state: State
    """``missing`` or ``altered``."""


def lost_photos(attachments: Attachments | None, entries: Iterable[Stored]) -> Iterator[LostPhoto]:
    """Of the photographs that some entries name, those that are gone and not erased."""
    told = [(row.stream, read_entry(row).data) for row in entries if row.topic in TOPICS]
    erased = {(stream, data.id) for stream, data in told if isinstance(data, PhotoErased)}
    for stream, photo in told:
        if isinstance(photo, Photographed) and (stream, photo.id) not in erased:
            state = attachments.state(photo.digest) if attachments is not None else "missing"
            if state in ("missing", "altered"):
                yield LostPhoto(stream, photo.id, state)


def everything(store: Store) -> Iterator[Stored]:
    """Every entry of a store, batch by batch."""
    last = 0
    while batch := store.follow(last):
        yield from (stored for _, stored in batch)
        last = batch[-1][0]
