"""What other processes do to a store in the tests; they are told by their arguments alone."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as SynchronizedEvent
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from time import sleep
from typing import Any

from referee.store import Conflict, Draft, StoreError, open_store
from referee.store.sqlite.files import sqlite_url
from tests.waiting import PATIENCE

SIGNED: dict[str, Any] = {"at": "2025-01-01T12:00:00.000Z", "by": "pabcdefghij", "role": "scribe"}
STREAMS = ("game-1", "game-2")
AWAY = ("unreachable", "connection_lost", "standby", "locked")
"""What a scribe hears of a server that will be back, or be another one."""


def draft(number: int, key: str, **data: Any) -> Draft:
    return Draft("logged", 1, {"number": number, "text": "step b2", **data}, key)


def batch(name: str, size: int) -> list[Draft]:
    """Drafts that know how many they are, so that a torn batch is seen."""
    return [draft(index, f"{name}-{index}", batch=name, size=size) for index in range(size)]


def append_until_killed(url: str, acknowledged: Connection, seed: int) -> None:
    chance = random.Random(seed)
    store = open_store(url)
    last = {stream: len(store.read(stream)) - 1 for stream in STREAMS}
    for count in range(1_000_000):
        stream = chance.choice(STREAMS)
        drafts = batch(f"{seed}-{count}", chance.randint(1, 3))
        for entry in store.append(stream, drafts, expected=last[stream], **SIGNED):
            acknowledged.send((stream, entry.seq, entry.head))
            last[stream] = entry.seq


def append_through_everything(
    url: str, stream: str, acknowledged: Connection, end: SynchronizedEvent, pause: float = 0.0
) -> None:
    """A scribe who repeats every request, with its keys, until it is answered."""
    store = None
    last = -1
    for count in range(1_000_000):
        drafts = batch(f"{stream}-{count}", 1 + count % 3)
        answer = None
        while answer is None and not end.is_set():
            try:
                store = store or open_store(url)
                answer = store.append(stream, drafts, expected=last, **SIGNED)
            except StoreError as error:
                if error.key not in AWAY:
                    raise
                sleep(0.01)
        if answer is None:
            return
        for entry in answer:
            acknowledged.send((stream, entry.seq, entry.head))
            last = entry.seq
        sleep(pause)


def append_with_retry(
    url: str, stream: str, writer: int, count: int, start: Barrier, conflicts: Connection
) -> None:
    """A scribe among several: sees what was missed, and tries again behind it."""
    store = open_store(url)
    last, met = -1, 0
    start.wait(PATIENCE)
    for number in range(count):
        stored = None
        while stored is None:
            try:
                request = [draft(number, f"{writer}-{number}")]
                stored = store.append(stream, request, expected=last, **SIGNED)[0]
                last = stored.seq
            except Conflict as conflict:
                last = conflict.actual
                met += 1
    store.close()
    conflicts.send(met)


def open_and_append(url: str, stream: str) -> None:
    store = open_store(url)
    store.append(stream, [draft(0, "k")], expected=-1, **SIGNED)
    store.close()


def open_without_rights(urls: Sequence[str], refused: Connection) -> None:
    """Try to open stores as somebody whom no file belongs to; the codes of the refusals.

    A store is opened before, so that nothing has to be imported from a folder that is private
    to whoever runs the tests.
    """
    with TemporaryDirectory() as folder:
        open_store(sqlite_url(Path(folder) / "first.db")).close()
    if os.geteuid() == 0:
        os.setuid(65534)
    codes = []
    for url in urls:
        try:
            open_store(url)
        except StoreError as error:
            codes.append(error.key)
    refused.send(codes)
