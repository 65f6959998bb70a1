"""The photographs that records of a store name, and whether they are here as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.record.entries import PhotoErased, Photographed, read_entry
from referee.store.envelopes import Stored
from referee.store.event_store import Store
from referee.store.sidecars.attachments import Attachments, State
from referee.store.urls import open_attachments
from referee.table.unreadable import readable

TOPICS = frozenset(f"{kind.KIND}@{kind.SCHEMA}" for kind in (Photographed, PhotoErased))


class NamedPhoto(NamedTuple):
    game: str
    id: str
    digest: str
    erased: bool


class LostPhoto(NamedTuple):
    game: str
    id: str
    digest: str
    state: State
    """``missing`` or ``altered``."""


def named_photos(entries: Iterable[Stored]) -> list[NamedPhoto]:
    """The photographs that some entries name, as far as these can be read."""
    rows = (row for row in entries if row.topic in TOPICS)
    told = [*readable(rows, lambda row: (row.stream, read_entry(row).data))]
    erased = {(stream, data.id) for stream, data in told if isinstance(data, PhotoErased)}
    return [
        NamedPhoto(stream, photo.id, photo.digest, (stream, photo.id) in erased)
        for stream, photo in told
        if isinstance(photo, Photographed)
    ]


def lost_photos(
    attachments: Attachments | None, named: Iterable[NamedPhoto]
) -> Iterator[LostPhoto]:
    """Of photographs that records name and do not erase, those that are gone."""
    states: dict[str, dict[str, State]] = {}
    for photo in named:
        if photo.erased:
            continue
        if attachments is not None and photo.game not in states:
            states[photo.game] = attachments.states(photo.game)
        state = states.get(photo.game, {}).get(photo.digest, "missing")
        if state != "there":
            gone: State = "altered" if state == "altered" else "missing"
            yield LostPhoto(photo.game, photo.id, photo.digest, gone)


def photos_of(store: Store) -> Attachments:
    """Open the photographs of a store.

    An earlier version kept a picture once for all records: each that names it gets its own. What
    none names yet stays as it is, its entry may still come.
    """
    attachments = open_attachments(store.url)
    try:
        if older := attachments.unassigned():
            _assign(attachments, older, named_photos(everything(store)))
    except BaseException:
        attachments.close()
        raise
    return attachments


def _assign(attachments: Attachments, older: Iterable[str], named: Iterable[NamedPhoto]) -> None:
    naming: dict[str, dict[str, bool]] = {digest: {} for digest in older}
    for photo in named:
        if (games := naming.get(photo.digest)) is not None:
            games[photo.game] = games.get(photo.game, False) or not photo.erased
    for digest, games in naming.items():
        for game in (game for game, stands in games.items() if not stands):
            attachments.erase(game, digest)
        if games:
            attachments.assign(digest, [game for game, stands in games.items() if stands])


def everything(store: Store) -> Iterator[Stored]:
    """Every entry of a store, batch by batch."""
    last = 0
    while batch := store.follow(last):
        yield from (stored for _, stored in batch)
        last = batch[-1][0]
